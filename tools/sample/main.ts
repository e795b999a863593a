import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { drawSentences, sentencesOf } from "./sentences.js";

// Prints random sentences of files, for somebody who marks those that have to be read twice.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: "string", default: "1" }, count: { type: "string", default: "150" } },
});

function wholeNumber(name: keyof typeof values): number {
  const number = Number(values[name]);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(`--${name} must be a whole number from 0 on, not "${values[name]}"`);
  }
  return number;
}

if (positionals.length === 0) throw new Error("usage: npm run sample -- [--seed N] [--count N] FILE…");
// A glob also finds what is built, which repeats its sources.
const sources = positionals.filter((file) => !/(?:^|\/)(?:dist|node_modules)\//.test(file));
const all = sources.flatMap((file) => sentencesOf(file, readFileSync(file, "utf8")));
const drawn = drawSentences(all, wholeNumber("seed"), wholeNumber("count"));
for (const { file, line, text } of drawn) console.log(`${file}:${line}  ${text}`);
console.log(`\n${drawn.length} of ${all.length} sentences`);
