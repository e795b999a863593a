import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Application, OptionDefaults } from "typedoc";
import { load } from "typedoc-plugin-markdown";
import { ROOT } from "../repository.js";
import { CHANGE_TAG, ReferenceTheme, SCHEMA_TAG } from "./reference-theme.js";

/** What a program can import, and the page that the plugin makes of it. */
const ENTRIES = [
  { source: "provider/index.ts", page: "index.md" },
  { source: "provider/automation/index.ts", page: "automation.md" },
] as const;

/** Each doc comment of an export names one of them. */
const CATEGORIES = ["Control planes", "Sets", "Look-ups", "Automation API"];

/** The options of the plugin. */
const MARKDOWN = {
  outputFileStrategy: "modules",
  hidePageHeader: true,
  hidePageTitle: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  expandObjects: true,
  expandParameters: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  classPropertiesFormat: "table",
};

/** Lines that the plugin puts between parts, although each part can be told from what it shows. */
const NOISE = /^(?:\*\*\*|#+ (?:Properties|Methods|Parameters))\n\n/gm;

const INTRODUCTION = `# Reference

Everything that a program can import. To change this page, change the doc comments of the code and run \`npm run reference\`.

\`Input<T>\` is a value, a promise of it, or an output of another resource
([Pulumi's inputs and outputs](https://www.pulumi.com/docs/iac/concepts/inputs-outputs/)). A name with \`?\` is optional. The
pages [One control plane](control-plane.md), [Sets](sets.md), [Look-ups](look-ups.md) and
[The Automation API](guides/automation-api.md) explain how these work.
`;

/**
 * Returns the text of docs/reference.md, from the doc comments of what a program can import.
 *
 * @throws Error when TypeDoc warns, for example of a link that leads nowhere or an export that has no doc comment
 */
export async function makeReferencePage(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "reference-"));
  try {
    await renderInto(folder);
    const pages = ENTRIES.map(({ page }) => readFileSync(path.join(folder, page), "utf8").trim());
    const text = [INTRODUCTION.trim(), ...pages].join("\n\n");
    return `${text.replace(/ +$/gm, "").replace(NOISE, "")}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function renderInto(folder: string): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    plugin: [load],
    theme: "reference",
    logLevel: "Warn",
    treatWarningsAsErrors: true,
    entryPoints: ENTRIES.map(({ source }) => path.join(ROOT, source)),
    out: folder,
    tsconfig: path.join(ROOT, "tools/reference/tsconfig.json"),
    readme: "none",
    // `npm run typecheck` does it.
    skipErrorChecking: true,
    excludeExternals: true,
    disableSources: true,
    disableGit: true,
    blockTags: [...OptionDefaults.blockTags, CHANGE_TAG, SCHEMA_TAG],
    notRenderedTags: ["@category", SCHEMA_TAG],
    categoryOrder: CATEGORIES,
    categorizeByGroup: false,
    sort: ["kind", "source-order"],
    // What a program calls comes first.
    kindSortOrder: ["Class", "Function", "TypeAlias", "Interface"],
    validation: { notDocumented: true, invalidLink: true, notExported: true },
    requiredToBeDocumented: ["Class", "Interface", "Property", "Function", "Method", "TypeAlias"],
    ...MARKDOWN,
  });
  app.renderer.defineTheme("reference", ReferenceTheme);
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the entries");
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasWarnings() || app.logger.hasErrors()) throw new Error("TypeDoc warns of the above");
}
