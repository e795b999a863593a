import { runCommandLine } from "./run-command-line.js";

// A reader that has seen enough, such as `head`, closes the pipe.
process.stdout.on("error", () => process.exit());
void runCommandLine(process.argv.slice(2), process).then((code) => {
  // Not process.exit, which would cut off output that is still being written.
  process.exitCode = code;
});
