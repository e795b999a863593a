import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";

const FILES = ["Pulumi.yaml", "index.ts", "configuration.ts", "package.json", "tsconfig.json"];

/**
 * Returns the files of the teardown project at the top level, with this configuration of its stack.
 *
 * @param config values by key, without the name of the project: `controlPlanes` or `select`
 */
export function rootProject(config: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(config).map(([key, value]) => [`konnect-teardown:${key}`, value]);
  return {
    ...Object.fromEntries(FILES.map((file) => [file, readFileSync(path.join(ROOT, file), "utf8")])),
    // JSON is valid YAML.
    "Pulumi.dev.yaml": JSON.stringify({ config: Object.fromEntries(entries) as unknown }),
  };
}
