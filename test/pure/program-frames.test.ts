import { expect } from "chai";
import sinon from "sinon";
import { keepProgramFrames } from "../../provider/program-frames.js";

const frame = (file: string | undefined) =>
  ({ getFileName: () => file, toString: () => file ?? "native" }) as unknown as NodeJS.CallSite;

/** Returns the files of the frames that stay of a whole stack trace, the innermost first. */
function kept(...files: readonly (string | undefined)[]): unknown {
  return keptOf(Infinity, files);
}

/** Returns the files of the frames that stay of a stack trace with a limit, the innermost first. */
function keptOf(limit: number, files: readonly (string | undefined)[]): unknown {
  sinon.stub(Error, "stackTraceLimit").value(limit);
  sinon
    .stub(Error, "prepareStackTrace")
    .value((_: Error, frames: readonly NodeJS.CallSite[]) => frames.map(String));
  const restore = keepProgramFrames();
  const frames: unknown = Error.prepareStackTrace(new Error(), files.map(frame));
  restore();
  sinon.restore();
  return frames;
}

const current = (): unknown => Reflect.get(Error, "prepareStackTrace");

describe("the stack trace that Pulumi stores of a resource", () => {
  afterEach(() => sinon.restore());

  it("ends with the last frame of the program", () => {
    const program = [
      "/project/node_modules/@pulumi/pulumi/resource.js",
      "/project/gateway.ts",
      "/project/node_modules/lodash/forEach.js",
      "/project/index.ts",
    ];
    const runner = [
      "node:internal/modules/cjs/loader",
      "/project/node_modules/@pulumi/pulumi/cmd/run/run.js",
    ];
    expect(kept(...program, ...runner)).to.deep.equal(program);
    expect(kept("file:///project/index.mjs", undefined, ...runner)).to.deep.equal([
      "file:///project/index.mjs",
    ]);
    expect(kept("C:\\project\\index.ts", "C:\\project\\node_modules\\a\\run.js")).to.deep.equal([
      "C:\\project\\index.ts",
    ]);
  });

  it("keeps the frames of the program alone where Pulumi asks for ten, which it does for each output", () => {
    const files = [
      "/project/node_modules/@pulumi/pulumi/runtime/debuggable.js",
      "/project/gateway.ts",
      "/project/node_modules/lodash/forEach.js",
      "/project/index.ts",
      "node:internal/modules/cjs/loader",
    ];
    expect(keptOf(10, files)).to.deep.equal(["/project/gateway.ts", "/project/index.ts"]);
    expect(keptOf(10, files.slice(0, 1))).to.deep.equal(files.slice(0, 1));
  });

  it("is whole when no frame of the program is found", () => {
    expect(kept("/project/node_modules/a/index.js", "node:vm")).to.deep.equal([
      "/project/node_modules/a/index.js",
      "node:vm",
    ]);
  });

  it("is left alone where nothing maps positions, and afterwards", () => {
    sinon.stub(Error, "prepareStackTrace").value(undefined);
    keepProgramFrames()();
    expect(current()).to.equal(undefined);
    const own = () => "own";
    sinon.stub(Error, "prepareStackTrace").value(own);
    const restore = keepProgramFrames();
    expect(current()).not.to.equal(own);
    restore();
    expect(current()).to.equal(own);
  });
});
