import { readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(__dirname, "../..");

/** One control plane, as the root project's configuration lists it. */
export interface ListedControlPlane {
  readonly id: string;
  readonly name?: string;
  readonly region?: string;
  readonly baseUrl?: string;
}

/** Gives the files of the teardown project at the top level, configured to adopt these control planes. */
export function rootProject(controlPlanes: readonly ListedControlPlane[]): Readonly<Record<string, string>> {
  const files = ["Pulumi.yaml", "index.ts", "package.json", "tsconfig.json"];
  // YAML is a superset of JSON.
  const config = { config: { "konnect-teardown:controlPlanes": controlPlanes } };
  return {
    ...Object.fromEntries(files.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")])),
    "Pulumi.dev.yaml": JSON.stringify(config),
  };
}
