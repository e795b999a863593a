import { expect } from "chai";
import { harmless, redact } from "../../../provider/service/foreign-text.js";

describe("foreign text", () => {
  const cases: readonly (readonly [what: string, given: string, printed: string])[] = [
    [
      "plain words stay",
      "Plain: a sentence, with [brackets] (and more).",
      "Plain: a sentence, with [brackets] (and more).",
    ],
    ["other scripts stay", "Größe 制御プレーン", "Größe 制御プレーン"],
    ["a whole emoji stays", "ok 😀 ok", "ok 😀 ok"],
    ["line breaks become one space", "one\r\n\n two\tthree", "one two three"],
    ["space around it goes", "  in between \n", "in between"],
    ["a bell is shown", "a\u0007b", "a\\u0007b"],
    ["a NUL is shown", "a\u0000b", "a\\u0000b"],
    ["a delete character is shown", "a\u007fb", "a\\u007fb"],
    ["a terminal escape is shown", "\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
    ["an eight-bit escape is shown", "\u009b31m", "\\u009b31m"],
    ["a terminal title is shown", "\u001b]0;owned\u0007", "\\u001b]0;owned\\u0007"],
    ["a right-to-left override is shown", "abc\u202etxt.exe", "abc\\u202etxt.exe"],
    ["a bidirectional isolate is shown", "a\u2066b\u2069", "a\\u2066b\\u2069"],
    ["a right-to-left mark is shown", "a\u200fb", "a\\u200fb"],
    ["an Arabic letter mark is shown", "a\u061cb", "a\\u061cb"],
    ["a zero-width space is shown", "a\u200bb", "a\\u200bb"],
    ["a soft hyphen is shown", "a\u00adb", "a\\u00adb"],
    ["a line separator becomes a space", "a\u2028b", "a b"],
    ["Pulumi's colour tag is broken", "<{%reset%}>", "< {%reset%}>"],
    ["a doubled colour tag is broken", "<<{%fg 1%}>", "<< {%fg 1%}>"],
    ["an Azure command is broken", "##vso[task.setvariable]x", "## vso[task.setvariable]x"],
    ["an Azure command within a line is broken", "see ##[error]x", "see ## [error]x"],
    ["an Azure command after another hash is broken", "###[group]", "### [group]"],
    ["a GitHub command is broken", "::set-output name=a::b", ": :set-output name=a: :b"],
    ["a GitHub command after space is broken", " \t ::add-mask::x", ": :add-mask: :x"],
    ["a GitHub command after a line break is broken", "a\n::error::x", "a : :error: :x"],
    ["three colons are broken", ":::error", ": : :error"],
    ["a GitLab section is broken", "section_start:1:a\r\u001b[0K", "section _start:1:a \\u001b[0K"],
    ["the end of a GitLab section is broken", "section_end:1:a", "section _end:1:a"],
    ["a fold of Travis is broken", "travis_fold:start:a", "travis_fold: start:a"],
    ["a time of Travis is broken", "travis_time:end:a:start=1", "travis_time: end:a:start=1"],
    ["a TeamCity message is broken", "see ##teamcity[buildStop]", "see ## teamcity[buildStop]"],
    ["an Octopus message is broken", "##octopus[x]", "## octopus[x]"],
    ["headings of Markdown stay", "## heading [1]", "## heading [1]"],
    ["a variation selector is shown", "a\u{e0100}b\ufe0f", "a\\u{e0100}b\\ufe0f"],
    ["a filler is shown", "a\u3164b\u115fc\u034f", "a\\u3164b\\u115fc\\u034f"],
    ["a private or unassigned character is shown", "a\ue000b\uffff", "a\\ue000b\\uffff"],
    ["combining marks of a language stay", "สวัสดี ä̈̈ שָׁלוֹם", "สวัสดี ä̈̈ שָׁלוֹם"],
    [
      "a pile of combining marks ends at six",
      `a${"\u0301".repeat(8)}b`,
      `a${"\u0301".repeat(6)}\\u0301\\u0301b`,
    ],
    ["bytes that are no UTF-8 are shown", Buffer.from([0x61, 0xff, 0x62]).toString(), "a\ufffdb"],
    ["half an emoji is shown, first half", "a\ud83db", "a\\ud83db"],
    ["half an emoji is shown, second half", "a\ude00b", "a\\ude00b"],
    ["a token inside is removed", "tried spat_abc123", "tried spat_[removed]"],
  ];
  for (const [what, given, printed] of cases) {
    it(`is made harmless: ${what}`, () => {
      expect(harmless(given, 1000)).to.equal(printed);
      expect(harmless(printed, 1000), "done twice").to.equal(printed);
    });
  }

  it("keeps a text of exactly the allowed length", () => {
    expect(harmless("x".repeat(20), 20)).to.equal("x".repeat(20));
  });

  it("is cut to the allowed length, and says how much is missing", () => {
    expect(harmless("x".repeat(25), 20)).to.equal(`${"x".repeat(20)}… (5 more characters)`);
  });

  it("counts what is missing in the characters that would be printed", () => {
    expect(harmless("\u0000".repeat(5), 20)).to.equal(`${"\\u0000".repeat(3)}\\u… (10 more characters)`);
  });

  it("says that something is missing when even what was looked at was too much", () => {
    expect(harmless(`${" ".repeat(65_536)}abc`, 20)).to.equal("… (3 more characters)");
  });

  it("is not cut within an emoji", () => {
    expect(harmless(`${"x".repeat(19)}😀y`, 20)).to.equal(`${"x".repeat(19)}… (3 more characters)`);
  });

  it("is cut at its end only, and keeps an emoji before that", () => {
    expect(harmless(`😀${"x".repeat(25)}`, 20)).to.equal(`😀${"x".repeat(18)}… (7 more characters)`);
  });

  it("shows tag characters and other invisible format characters", () => {
    expect(harmless("a\u{e0041}b\u180ec\ufff9", 100)).to.equal("a\\u{e0041}b\\u180ec\\ufff9");
  });

  it("stays bounded when every character needs an escape", () => {
    expect(harmless("\u0000".repeat(100_000), 50).length).to.be.lessThan(100);
  });

  it("takes no more than a moment for a huge text", () => {
    const began = performance.now();
    for (const piece of [" ", "<", ":", "#", "/", "bearer ", "\u001b"]) {
      harmless(piece.repeat(1_000_000), 100);
    }
    expect(performance.now() - began).to.be.lessThan(2_000);
  });
});

describe("secrets in foreign text", () => {
  const cases: readonly (readonly [given: string, printed: string])[] = [
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [removed]"],
    ['{"authorization":"bearer abc123","a":1}', '{"authorization":"Bearer [removed]","a":1}'],
    ["BEARER   hunter2; next", "Bearer [removed]; next"],
    ["token spat_Aa0-_9.", "token spat_[removed]."],
    ["token kpat_Aa0-_9 and spat_1", "token kpat_[removed] and spat_[removed]"],
    ["at https://user:hunter2@host/path", "at https://[removed]@host/path"],
    ["at https://hunter2@host", "at https://[removed]@host"],
    ["at https://user:p@ss@host/path", "at https://[removed]@host/path"],
    ["Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [removed]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [removed]"}'],
    ["basic authentication is off", "basic authentication is off"],
    ["KPAT_HIDDEN", "KPAT_[removed]"],
    ["Bearer%20abc", "Bearer [removed]"],
    ["Bearer Bearer abc", "Bearer [removed]"],
    [String.raw`"https:\/\/user:hunter2@host\/"`, String.raw`"https:\/\/[removed]@host\/"`],
    ['{"Proxy-Authorization":["Basic dXNlcg=="]}', '{"Proxy-Authorization":["Basic [removed]"]}'],
    ["Authorization Basic dXNlcg==", "Authorization Basic [removed]"],
    ["x_spat_hidden", "x_spat_[removed]"],
    ["mail someone@example.com", "mail someone@example.com"],
    ["see https://host/a@b", "see https://host/a@b"],
  ];
  for (const [given, printed] of cases) {
    it(`are removed from: ${given}`, () => expect(redact(given)).to.equal(printed));
  }

  for (const given of ["authorization:basic   dXNlcjpwYXNz", "authorization = basic dXNlcjpwYXNz"]) {
    it(`are removed, however much space there is: ${given}`, () => {
      expect(redact(given))
        .to.match(/^authorization.*\[removed\]$/)
        .and.not.to.contain("dXNlcjpwYXNz");
    });
  }
});
