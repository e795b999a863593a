// Records a CPU profile of Pulumi's dynamic-provider host. Node does not allow --cpu-prof in NODE_OPTIONS, so this file is
// loaded with --require.

const { writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const path = require("node:path");
const process = require("node:process");

const HOST_SCRIPT = /@pulumi[\\/]pulumi[\\/]cmd[\\/]dynamic-provider/;

if (HOST_SCRIPT.test(process.argv[1] ?? "")) record();

function record() {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: 500 });
  session.post("Profiler.start");
  // The engine ends a host with SIGINT. A process that a signal ends writes nothing.
  process.once("SIGINT", () => process.exit(130));
  process.on("exit", () => {
    session.post("Profiler.stop", (_error, { profile }) => {
      const file = path.join(process.env.HOST_PROFILE_FOLDER, `${profile.startTime}.cpuprofile`);
      writeFileSync(file, JSON.stringify(profile));
    });
  });
}
