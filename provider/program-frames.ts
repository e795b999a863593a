/**
 * Leaves the frames of Node and of Pulumi's runner out of the stack traces that are made until the returned function is
 * called.
 *
 * Pulumi stores the stack trace of each resource in the state. The frames below the program are the same for every
 * resource, and take about a fifth of its bytes, which the file backend writes again at each step. The frames of the
 * program stay, and with them the position that Pulumi shows.
 */
export function keepProgramFrames(): () => void {
  // Its type in @types/node hides that nothing may be set.
  const prepareStackTrace = Reflect.get(Error, "prepareStackTrace") as PrepareStackTrace | undefined;
  // Pulumi's runner sets it, to map positions. Without it, nothing would map them here.
  if (prepareStackTrace === undefined) return () => undefined;
  Error.prepareStackTrace = (error, frames): unknown => {
    const last = frames.findLastIndex((frame) => isOfProgram(frame.getFileName()));
    return prepareStackTrace(error, last < 0 ? frames : frames.slice(0, last + 1));
  };
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

function isOfProgram(file: string | null | undefined): boolean {
  return typeof file === "string" && !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}
