import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../repository.js";
import { packedReadme } from "./packed-readme.js";

// Writes the README of the package. `npm pack` runs it.

const PROVIDER = path.join(ROOT, "provider");

interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
}

const { version, repository } = JSON.parse(
  readFileSync(path.join(PROVIDER, "package.json"), "utf8"),
) as Manifest;
const readme = packedReadme(readFileSync(path.join(ROOT, "README.md"), "utf8"), {
  repositoryUrl: repository?.url,
  version,
  pictures: {
    "docs/images/destroy.svg": readFileSync(path.join(ROOT, "docs/images/destroy.txt"), "utf8").trimEnd(),
  },
});
writeFileSync(path.join(PROVIDER, "README.md"), readme);
