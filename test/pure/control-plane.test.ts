import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { LastProblem } from "../../provider/control-plane.js";
import type { ControlPlaneArgs } from "../../provider/control-plane-arguments.js";
import type { StoredProblem } from "../../provider/state/recorded-fields.js";

/** True when each type takes the values of the other. */
type IsSame<A, B> = [A, B] extends [B, A] ? true : never;

describe("the output lastProblem", () => {
  it("has the type of what the state stores", () => {
    const isSame: IsSame<Required<LastProblem>, Required<StoredProblem>> = true;
    expect(isSame).to.equal(true);
  });
});

describe("the arguments of a control plane", () => {
  it("are those of an adoption or those of a creation, so that TypeScript refuses both and neither", () => {
    const args: readonly ControlPlaneArgs[] = [
      { controlPlaneId: "9524ec7d-36d9-465d-a8c5-83a3c9390458", region: "eu", deletionPolicy: "empty" },
      { name: "edge", labels: { team: "payments" }, clusterType: "CLUSTER_TYPE_OF_TOMORROW" },
      // @ts-expect-error -- a control plane has a name already when it is adopted
      { controlPlaneId: "9524ec7d-36d9-465d-a8c5-83a3c9390458", name: "edge" },
      // @ts-expect-error -- an adopted control plane is not changed
      { controlPlaneId: "9524ec7d-36d9-465d-a8c5-83a3c9390458", labels: {} },
      // @ts-expect-error -- nothing says which control plane it is
      { region: "eu" },
      // @ts-expect-error -- a misspelled argument
      { name: "edge", lables: {} },
    ];
    expect(args).to.have.length(6);
  });
});

const RESOURCES = [
  [
    "control plane",
    "ControlPlane",
    "control-plane.ts",
    "pulumi-konnect-control-planes/v1",
    "./v1",
    "./dist/dynamic/v1.js",
  ],
  [
    "set of control planes",
    "ControlPlaneSet",
    "control-plane-set.ts",
    "pulumi-konnect-control-planes/v1/set",
    "./v1/set",
    "./dist/dynamic/v1-set.js",
  ],
] as const;

for (const [what, type, file, entry, key, target] of RESOURCES) {
  describe(`the text in the state of every ${what}`, () => {
    it("never changes, because old states must load today's hooks", () => {
      const types = readFileSync(path.resolve(__dirname, "../../provider/state/resource-types.ts"), "utf8");
      expect(types).to.contain(`  ${type}: 'exports.handler=()=>require("${entry}")',`);
      const source = readFileSync(path.resolve(__dirname, "../../provider", file), "utf8");
      expect(source).to.contain(`__provider: PROVIDER_TEXTS.${type},`);
    });

    it("names an entry of the package that stays where it is", () => {
      const packageFile = path.resolve(__dirname, "../../provider/package.json");
      const { exports } = JSON.parse(readFileSync(packageFile, "utf8")) as {
        exports: Record<string, unknown>;
      };
      expect(exports[key]).to.deep.equal({ default: target });
    });
  });
}
