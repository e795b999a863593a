// Writes the table of pairs into docs/internals/pairs.md.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format, resolveConfig } from "prettier";
import { ROOT } from "../../../tools/repository.js";
import { pageOf, TABLE_BEGINS } from "./render-table.js";
import { DECLARED_TWICE, SHARED_RUNS } from "./table/index.js";

async function main(): Promise<void> {
  const file = path.join(ROOT, "docs/internals/pairs.md");
  const [text = ""] = readFileSync(file, "utf8").split(TABLE_BEGINS);
  const page = `${text}${TABLE_BEGINS}\n${pageOf([...DECLARED_TWICE, ...SHARED_RUNS])}`;
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), filepath: file }));
}

void main();
