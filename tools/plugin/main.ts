import { writeFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { ROOT } from "../repository.js";
import { buildPlugin } from "./build.js";
import { makeSchema, SCHEMA_FILE } from "./schema.js";

async function main(): Promise<void> {
  const file = path.join(ROOT, SCHEMA_FILE);
  const options = await resolveConfig(file);
  writeFileSync(file, await format(JSON.stringify(makeSchema()), { ...options, filepath: file }));
  console.log(`The schema is in ${SCHEMA_FILE}.`);
  console.log(`The plugin is in ${path.relative(ROOT, await buildPlugin())}.`);
}

void main();
