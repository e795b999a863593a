import { setTimeout as delay } from "node:timers/promises";
import { abortWhenStopped, INTERRUPTED_EXIT_CODE } from "../../../tools/interruption.js";

// A tool that waits until it is stopped, and then cleans up for as many milliseconds as its argument says.

const stopped = abortWhenStopped();

async function main(): Promise<void> {
  console.log("working");
  await delay(20_000, undefined, { signal: stopped }).catch(() => undefined);
  console.log("cleaning up");
  await delay(Number(process.argv[2]));
  console.log("clean");
  process.exitCode = INTERRUPTED_EXIT_CODE;
}

void main();
