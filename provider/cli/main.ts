import { runPlan } from "./plan-command.js";

const [command, ...args] = process.argv.slice(2);

async function run(): Promise<number> {
  if (command === "plan") return runPlan(args, process);
  process.stderr.write("Usage: pulumi-konnect-control-planes plan [options]; plan --help shows them\n");
  return 2;
}

void run().then((code) => {
  // Not process.exit, which would cut off output that is still being written.
  process.exitCode = code;
});
