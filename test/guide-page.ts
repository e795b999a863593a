import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../tools/repository.js";

/** A fenced block of a guide. */
export interface GuideBlock {
  /** The language of the fence: `sh`, `ts`, `yaml`, or empty. */
  readonly language: string;
  readonly text: string;
  /** The file that the block is the content of. Its first line names it in a comment. */
  readonly file: string | undefined;
}

/** Reads the fenced blocks of a guide, below one of its headings of level two or in the whole page. */
export function readGuide(page: string, heading?: string): readonly GuideBlock[] {
  const text = readFileSync(path.join(ROOT, "docs/guides", page), "utf8");
  const [, ...sections] = text.split(/^## /m);
  const section = heading === undefined ? text : sections.find((one) => one.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`docs/guides/${page} has no section "${heading}"`);
  return [...section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = "", block = ""]) => ({
    language,
    text: block,
    file: /^(?:#|\/\/) (\S+\.\w+)\n/.exec(block)?.[1],
  }));
}

/** Returns the files of a guide by their names. */
export function filesOf(page: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readGuide(page).flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]])),
  );
}

/** Returns the only block of a language below a heading. */
export function onlyBlock(page: string, heading: string, language: string): string {
  const [block, ...others] = readGuide(page, heading).filter((each) => each.language === language);
  if (block === undefined || others.length > 0) {
    throw new Error(`docs/guides/${page} must have one block of ${language} below "${heading}"`);
  }
  return block.text;
}
