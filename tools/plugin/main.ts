import { writeFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { ROOT } from "../repository.js";
import { buildPlugin, packPlugin } from "./build.js";
import { makeSchema, SCHEMA_FILE } from "./schema.js";

// Renews the schema from the doc comments, bundles the plugin, and packs it for each platform.

async function main(): Promise<void> {
  const file = path.join(ROOT, SCHEMA_FILE);
  const options = await resolveConfig(file);
  writeFileSync(file, await format(JSON.stringify(makeSchema()), { ...options, filepath: file }));
  console.log(`The schema: ${SCHEMA_FILE}`);
  const plugin = await buildPlugin();
  console.log(`The plugin: ${path.relative(ROOT, plugin)}`);
  for (const tarball of await packPlugin(plugin)) console.log(`Packed:     ${path.relative(ROOT, tarball)}`);
}

void main();
