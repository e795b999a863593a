import { runInTerminal } from "./run-in-terminal.js";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

void runInTerminal(process.argv.slice(2), {
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  stopSignal: stop.signal,
}).then((exitCode) => {
  process.exitCode = exitCode;
});
