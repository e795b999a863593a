/**
 * Leaves the frames of Node and of Pulumi's runner out of the stack traces that are made until the returned function is
 * called.
 *
 * Pulumi stores the whole stack trace of each resource in the state. The frames below the program are the same for every
 * resource, and take about a fifth of its bytes, which the file backend writes again at each step. The frames of the
 * program stay, and with them the position that Pulumi shows.
 *
 * Pulumi also makes a trace of ten frames for each output, to name outputs that never resolve. Mapping their positions
 * takes most of the time of a constructor, so these keep the frames of the program alone.
 */
export function keepProgramFrames(): () => void {
  // Its type in @types/node hides that it may be unset.
  const prepareStackTrace = Reflect.get(Error, "prepareStackTrace") as PrepareStackTrace | undefined;
  // Pulumi's runner sets it, to map positions. Without it, the positions would not be mapped.
  if (prepareStackTrace === undefined) return () => undefined;
  Error.prepareStackTrace = (error, frames): unknown => {
    const last = frames.findLastIndex(isOfProgram);
    if (last < 0) return prepareStackTrace(error, frames);
    // Pulumi counts the frames of its constructors in a whole trace, and leaves them out itself.
    const isWhole = Error.stackTraceLimit === Infinity;
    return prepareStackTrace(error, isWhole ? frames.slice(0, last + 1) : frames.filter(isOfProgram));
  };
  return () => {
    Error.prepareStackTrace = prepareStackTrace;
  };
}

type PrepareStackTrace = (error: Error, frames: NodeJS.CallSite[]) => unknown;

function isOfProgram(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName();
  return typeof file === "string" && !file.startsWith("node:") && !/[\\/]node_modules[\\/]/.test(file);
}
