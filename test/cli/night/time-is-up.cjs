// Loaded before a night. Its time limit of 7200 s is reached when the file `time-is-up` appears in the current folder.
const { existsSync } = require("node:fs");
const { clearInterval, setInterval, setTimeout: wait } = globalThis;

globalThis.setTimeout = (work, ms, ...args) => {
  if (ms !== 7_200_000) return wait(work, ms, ...args);
  const timer = setInterval(() => {
    if (!existsSync("time-is-up")) return;
    clearInterval(timer);
    work();
  }, 20);
  return timer;
};
