import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { LastProblem } from "../../provider/control-plane.js";
import type { StoredProblem } from "../../provider/hooks/state/stored-problem.js";

/** True when each type takes the values of the other. */
type IsSame<A, B> = [A, B] extends [B, A] ? true : never;

describe("the output lastProblem", () => {
  it("has the type of what the state stores", () => {
    const isSame: IsSame<Required<LastProblem>, Required<StoredProblem>> = true;
    expect(isSame).to.equal(true);
  });
});

describe("the text in the state of every control plane", () => {
  it("never changes, because old states must load today's hooks", () => {
    const source = readFileSync(path.resolve(__dirname, "../../provider/control-plane.ts"), "utf8");
    const constants = [...source.matchAll(/^const PROVIDER = '(.*)';$/gm)].map(([, text]) => text);
    expect(constants).to.deep.equal(['exports.handler=()=>require("pulumi-konnect-control-planes/v1")']);
    expect(source).to.contain("__provider: PROVIDER");
  });

  it("names an entry of the package that stays where it is", () => {
    const file = path.resolve(__dirname, "../../provider/package.json");
    const { exports } = JSON.parse(readFileSync(file, "utf8")) as { exports: Record<string, unknown> };
    expect(exports["./v1"]).to.deep.equal({ default: "./dist/dynamic/v1.js" });
  });
});
