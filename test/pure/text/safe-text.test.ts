import { expect } from "chai";
import {
  firstLine,
  isHarmless,
  joinFirst,
  joinSafe,
  padSafe,
  safe,
  safeLines,
  safeName,
  safeText,
  type SafeText,
} from "../../../provider/text/safe-text.js";

describe("safeText", () => {
  const cases: readonly (readonly [what: string, given: string, printed: string])[] = [
    [
      "keeps plain words",
      "Plain: a sentence, with [brackets] (and more).",
      "Plain: a sentence, with [brackets] (and more).",
    ],
    ["keeps other scripts", "Größe 制御プレーン", "Größe 制御プレーン"],
    ["keeps a whole emoji", "ok 😀 ok", "ok 😀 ok"],
    ["turns line breaks and tabs into one space", "one\r\n\n two\tthree", "one two three"],
    ["trims white space", "  in between \n", "in between"],
    ["escapes a bell", "a\u0007b", "a\\u0007b"],
    ["escapes a NUL", "a\u0000b", "a\\u0000b"],
    ["escapes a delete character", "a\u007fb", "a\\u007fb"],
    ["escapes a terminal color", "\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
    ["escapes an eight-bit control sequence", "\u009b31m", "\\u009b31m"],
    ["escapes a terminal title", "\u001b]0;owned\u0007", "\\u001b]0;owned\\u0007"],
    ["escapes a right-to-left override", "abc\u202etxt.exe", "abc\\u202etxt.exe"],
    ["escapes a bidirectional isolate", "a\u2066b\u2069", "a\\u2066b\\u2069"],
    ["escapes a right-to-left mark", "a\u200fb", "a\\u200fb"],
    ["escapes an Arabic letter mark", "a\u061cb", "a\\u061cb"],
    ["escapes a zero-width space", "a\u200bb", "a\\u200bb"],
    ["escapes a soft hyphen", "a\u00adb", "a\\u00adb"],
    ["turns a line separator into a space", "a\u2028b", "a b"],
    ["breaks up a color tag of Pulumi", "<{%reset%}>", "< {%reset%}>"],
    ["breaks up a doubled color tag", "<<{%fg 1%}>", "<< {%fg 1%}>"],
    ["breaks up a command of Azure", "##vso[task.setvariable]x", "## vso[task.setvariable]x"],
    ["breaks up a command of Azure within a line", "see ##[error]x", "see ## [error]x"],
    ["breaks up a command of Azure after another hash", "###[group]", "### [group]"],
    ["breaks up a command of GitHub", "::set-output name=a::b", ": :set-output name=a::b"],
    ["breaks up a command of GitHub after white space", " \t ::add-mask::x", ": :add-mask::x"],
    ["breaks up a command of GitHub after a line break", "a\n::error::x", "a : :error::x"],
    ["breaks up three colons at the start", ":::error", ": : :error"],
    ["breaks up three colons after a space", "a :::error", "a : : :error"],
    ["keeps colons within a word", "team::edge and std::vector<int>", "team::edge and std::vector<int>"],
    ["keeps colons after punctuation", '("::1"), [::1]', '("::1"), [::1]'],
    ["breaks up a section of GitLab", "section_start:1:a\r\u001b[0K", "section _start:1:a \\u001b[0K"],
    ["breaks up the end of a section of GitLab", "section_end:1:a", "section _end:1:a"],
    ["breaks up a fold of Travis", "travis_fold:start:a", "travis_fold: start:a"],
    ["breaks up a time of Travis", "travis_time:end:a:start=1", "travis_time: end:a:start=1"],
    ["breaks up a message of TeamCity", "see ##teamcity[buildStop]", "see ## teamcity[buildStop]"],
    ["breaks up a message of Octopus", "##octopus[x]", "## octopus[x]"],
    ["keeps headings of Markdown", "## heading [1]", "## heading [1]"],
    ["escapes a variation selector", "a\u{e0100}b\ufe0f", "a\\u{e0100}b\\ufe0f"],
    ["escapes fillers", "a\u3164b\u115fc\u034f", "a\\u3164b\\u115fc\\u034f"],
    ["escapes private and unassigned characters", "a\ue000b\uffff", "a\\ue000b\\uffff"],
    ["escapes tag and format characters", "a\u{e0041}b\u180ec\ufff9", "a\\u{e0041}b\\u180ec\\ufff9"],
    ["keeps the combining marks of a language", "สวัสดี ä̈̈ שָׁלוֹם", "สวัสดี ä̈̈ שָׁלוֹם"],
    [
      "escapes combining marks from the seventh on",
      `a${"\u0301".repeat(8)}b`,
      `a${"\u0301".repeat(6)}\\u0301\\u0301b`,
    ],
    ["keeps the mark for bytes that are not UTF-8", Buffer.from([0x61, 0xff, 0x62]).toString(), "a\ufffdb"],
    ["escapes the first half of an emoji", "a\ud83db", "a\\ud83db"],
    ["escapes the second half of an emoji", "a\ude00b", "a\\ude00b"],
    ["removes a secret", "tried spat_abc123", "tried spat_[removed]"],
  ];
  for (const [what, given, printed] of cases) {
    it(what, () => {
      expect(safeText(given, 1000)).to.equal(printed);
      expect(safeText(printed, 1000), "made safe twice").to.equal(printed);
    });
  }

  it("keeps a text of exactly the allowed length", () => {
    expect(safeText("x".repeat(20), 20)).to.equal("x".repeat(20));
  });

  it("cuts a longer text and adds the number of missing characters", () => {
    expect(safeText("x".repeat(25), 20)).to.equal(`${"x".repeat(20)}… (5 more characters)`);
  });

  it("counts missing characters as they would be printed", () => {
    expect(safeText("\u0000".repeat(5), 20)).to.equal(`${"\\u0000".repeat(3)}\\u… (10 more characters)`);
  });

  it("counts the characters beyond the part that it reads", () => {
    expect(safeText(`${" ".repeat(65_536)}abc`, 20)).to.equal("… (3 more characters)");
  });

  it("cuts before an emoji, not within it", () => {
    expect(safeText(`${"x".repeat(19)}😀y`, 20)).to.equal(`${"x".repeat(19)}… (3 more characters)`);
    expect(safeText(`😀${"x".repeat(25)}`, 20)).to.equal(`😀${"x".repeat(18)}… (7 more characters)`);
  });

  it("stays bounded when every character needs an escape", () => {
    expect(safeText("\u0000".repeat(100_000), 50).length).to.be.lessThan(100);
  });

  it("reads a text of a million characters in less than a second", () => {
    for (const piece of [" ", "<", ":", "#", "/", "bearer ", "\u001b", "\u0301"]) {
      const startMs = performance.now();
      safeText(piece.repeat(1_000_000), 100);
      expect(performance.now() - startMs, JSON.stringify(piece)).to.be.lessThan(1_000);
    }
  });
});

describe("safeName", () => {
  for (const name of ["edge", "Bearer gateway", "team::edge", "spat_tools", "https://user@host"]) {
    it(`keeps the name ${name}`, () => expect(safeName(name)).to.equal(name));
  }

  it("breaks up and escapes what safeText does", () => {
    expect(safeName("::stop\u001b<{%x%}>")).to.equal(": :stop\\u001b< {%x%}>");
  });

  it("cuts a name at 256 characters, or where it is told to", () => {
    expect(safeName("x".repeat(257))).to.equal(`${"x".repeat(256)}… (1 more characters)`);
    expect(safeName("x".repeat(31), 30)).to.equal(`${"x".repeat(30)}… (1 more characters)`);
  });
});

describe("safe", () => {
  it("joins literal text, safe texts and numbers", () => {
    expect(safe`control plane "${safeName("edge")}": ${3} of ${10}`).to.equal(
      'control plane "edge": 3 of 10',
    );
  });

  const meetings: readonly (readonly [joined: SafeText, expected: string])[] = [
    [safe`<${safeText("{%reset%}>", 20)}`, "< {%reset%}>"],
    [safe`${safeText("#", 20)}${safeText("#[error]", 20)}`, "## [error]"],
    [safe`${safeText("##", 20)}vso[x]`, "## vso[x]"],
    [safe`${safeText(":", 20)}:error`, ": :error"],
    [safe` ${safeText(":", 20)}${safeText(":error", 20)}`, " : :error"],
    [safe`section_${safeText("start:1:a", 20)}`, "section _start:1:a"],
    [safe`travis_fold:${safeText("start:a", 20)}`, "travis_fold: start:a"],
    [
      safe`a${safeText("\u0301".repeat(4), 20)}${safeText("\u0301".repeat(4), 20)}`,
      `a${"\u0301".repeat(6)}\\u0301\\u0301`,
    ],
  ];
  for (const [joined, expected] of meetings) {
    it(`breaks up what meets: ${expected}`, () => expect(joined).to.equal(expected));
  }

  it("keeps the backslash of an escape", () => {
    expect(safe`${safeText("\u001b", 20)} \\ end`).to.equal("\\u001b \\ end");
  });
});

describe("joinSafe and safeLines", () => {
  it("join texts with a separator, or as lines", () => {
    expect(joinSafe([safe`a`, safe`b`], ", ")).to.equal("a, b");
    expect(safeLines([safe`a`, safe``, safe`b`])).to.equal("a\n\nb");
  });

  it("break up what meets, in each line", () => {
    expect(joinSafe([safe`#`, safe`#[x]`], "")).to.equal("## [x]");
    expect(joinSafe([safe`a:`, safe`:b`], " ")).to.equal("a: :b");
    expect(safeLines([safe`a`, safe`:${safe`:b`}`])).to.equal("a\n: :b");
  });
});

describe("joinFirst", () => {
  const parts = [safe`a`, safe`b`, safe`c`];

  it("joins all parts when there are no more than it may show", () => {
    expect(joinFirst(parts, 3)).to.equal("a, b, c");
    expect(joinFirst([], 3)).to.equal("");
  });

  it("counts the parts that it does not show", () => {
    expect(joinFirst(parts, 1)).to.equal("a, and 2 more");
  });
});

describe("firstLine", () => {
  it("returns the first line", () => {
    expect(firstLine(safeLines([safe`one`, safe`two`]))).to.equal("one");
    expect(firstLine(safe``)).to.equal("");
  });
});

describe("padSafe", () => {
  it("pads with spaces at the end, and keeps what is longer", () => {
    expect(padSafe(safe`ab`, 4)).to.equal("ab  ");
    expect(padSafe(safe`abcde`, 4)).to.equal("abcde");
  });
});

describe("isHarmless", () => {
  for (const name of ["edge", "Bearer gateway", "team::edge", "Größe 😀", ""]) {
    it(`accepts ${JSON.stringify(name)}`, () => expect(isHarmless(name)).to.equal(true));
  }
  for (const [what, text] of [
    ["a command of GitHub", "a ::b"],
    ["a command of Azure", "##[x]"],
    ["a color tag of Pulumi", "<{%x%}>"],
    ["a terminal escape", "\u001b[0m"],
    ["a line break", "a\nb"],
    ["a right-to-left override", "\u202e"],
    ["half an emoji", "\ud83d"],
  ] as const) {
    it(`refuses ${what}`, () => expect(isHarmless(text)).to.equal(false));
  }
});

describe("the type SafeText", () => {
  it("does not accept a plain string", () => {
    const foreign: string = JSON.parse('"foreign"') as string;
    const print = (text: SafeText): string => text;
    // @ts-expect-error a plain string is not a SafeText
    print(foreign);
    // @ts-expect-error a literal is not a SafeText either
    print("literal");
    // @ts-expect-error a plain string cannot be put into a safe text
    print(safe`a ${foreign}`);
    // @ts-expect-error what a string method returns is not safe: a cut can end within an escape
    print(safe`a`.slice(0, 1));
    expect(print(safeText(foreign, 20))).to.equal("foreign");
  });
});
