import { writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";
import { makeReferencePage } from "./reference-page.js";

// Renews docs/reference.md from the doc comments of the code.

async function main(): Promise<void> {
  writeFileSync(path.join(ROOT, "docs/reference.md"), await makeReferencePage());
}

void main();
