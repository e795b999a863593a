import path from "node:path";
import { createRandom } from "../chaos/random.js";

/** A sentence of a page or of a comment. */
export interface Sentence {
  readonly file: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Text that is read as one, such as a paragraph, and the line on which it begins. */
interface Passage {
  readonly line: number;
  readonly lines: readonly string[];
}

/** What has fewer words is a label or a value, and not a sentence. */
const LEAST_WORDS = 3;

/** The end of a sentence, with what may close it, but not that of an abbreviation. */
const END = /(?<!\b(?:e\.g|i\.e|etc))[.!?][)"*`_\]]*(?=\s|$)/g;

/**
 * Returns the sentences of a file. In Markdown, these are those of paragraphs, items and cells of tables, without headings
 * and fenced blocks. In any other file, these are those of its comments.
 */
export function sentencesOf(file: string, text: string): readonly Sentence[] {
  const lines = text.split("\n");
  const passages = path.extname(file) === ".md" ? passagesOfPage(lines) : passagesOfComments(lines);
  return passages.flatMap((passage) => splitPassage(passage).map((sentence) => ({ file, ...sentence })));
}

/** Returns some of the sentences in random order. The same seed draws the same ones. */
export function drawSentences(all: readonly Sentence[], seed: number, count: number): readonly Sentence[] {
  const random = createRandom(seed, 0);
  return all
    .map((sentence) => ({ sentence, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ sentence }) => sentence);
}

function passagesOfPage(lines: readonly string[]): readonly Passage[] {
  const passages: Passage[] = [];
  let isFenced = false;
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const isFence = /^\s*```/.test(line);
    if (isFence) isFenced = !isFenced;
    const isNoText = isFence || isFenced || /^\s*$|^#|^\s*<!--|^!\[|^[\s|:-]+$/.test(line);
    if (isNoText) isOpen = false;
    else if (line.startsWith("|")) {
      const cells = line.split(/(?<!\\)\|/).slice(1, -1);
      passages.push(...cells.map((cell) => ({ line: index + 1, lines: [cell] })));
      isOpen = false;
    } else {
      const item = /^\s*(?:[-*]|\d+\.) +(.*)$/.exec(line)?.[1];
      const last = isOpen && item === undefined ? passages.pop() : undefined;
      passages.push(
        last === undefined
          ? { line: index + 1, lines: [item ?? line] }
          : { line: last.line, lines: [...last.lines, line] },
      );
      isOpen = true;
    }
  }
  return passages;
}

function passagesOfComments(lines: readonly string[]): readonly Passage[] {
  const passages: Passage[] = [];
  let isBlock = false;
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const beside = /(?:^|\s)\/\/ (.*)$/.exec(line)?.[1];
    if (/^\s*\/\*\*?/.test(line)) isBlock = true;
    const words = isBlock ? line.replace(/^\s*(?:\/?\*+\/?)?\s?|\s*\*\/\s*$/g, "") : (beside ?? "");
    const tag = /^@\w+(?: (?:\w+(?: -)? )?(.*))?$/.exec(words);
    const startsAnew = tag !== null || (!isBlock && !/^\s*\/\//.test(line));
    const text = tag === null ? words : (tag[1] ?? "");
    if (text.trim() === "") isOpen = false;
    else {
      const last = isOpen && !startsAnew ? passages.pop() : undefined;
      passages.push(
        last === undefined
          ? { line: index + 1, lines: [text] }
          : { line: last.line, lines: [...last.lines, text] },
      );
      isOpen = true;
    }
    if (isBlock && line.includes("*/")) {
      isBlock = false;
      isOpen = false;
    }
  }
  return passages;
}

function splitPassage({ line, lines }: Passage): readonly Omit<Sentence, "file">[] {
  const whole = lines.map((each) => each.trim()).join("\n");
  const withoutCode = whole.replace(/`[^`]*`/g, (code) => "x".repeat(code.length));
  const ends = [...withoutCode.matchAll(END)].map(({ index, 0: end }) => index + end.length);
  return [0, ...ends].flatMap((start, index) => {
    const before = whole.slice(0, start) + (/^\s*/.exec(whole.slice(start))?.[0] ?? "");
    const text = whole.slice(start, ends[index]).replace(/\s+/g, " ").trim();
    return text.split(" ").length < LEAST_WORDS ? [] : [{ line: line + before.split("\n").length - 1, text }];
  });
}
