import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";

/** A control plane as the configuration of the teardown project lists it. */
export interface ListedControlPlane {
  readonly id: string;
  readonly name?: string;
  readonly region?: string;
  readonly baseUrl?: string;
}

/** Returns the files of the teardown project at the top level, configured to adopt these control planes. */
export function rootProject(controlPlanes: readonly ListedControlPlane[]): Readonly<Record<string, string>> {
  const files = ["Pulumi.yaml", "index.ts", "package.json", "tsconfig.json"];
  // JSON is valid YAML.
  const config = { config: { "konnect-teardown:controlPlanes": controlPlanes } };
  return {
    ...Object.fromEntries(files.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")])),
    "Pulumi.dev.yaml": JSON.stringify(config),
  };
}
