import { runCommandLine } from "./run-command-line.js";

const args = process.argv.slice(2);
if (args[0] === "night" || args[0] === "close") {
  // Without a reader it goes on, because it reports into files. Whatever ends this process early, it is not green.
  process.exitCode = 1;
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
} else {
  // A reader that has seen enough, such as `head`, closes the pipe.
  process.stdout.on("error", () => process.exit());
}
void runCommandLine(args, process).then((code) => {
  // Not process.exit, which would cut off output that is still being written.
  process.exitCode = code;
});
