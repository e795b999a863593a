import fc from "fast-check";

/** Pieces that a terminal, a pipeline or Pulumi's renderer interprets as commands, or that mislead a reader. */
export const DANGEROUS_PIECES: readonly string[] = [
  ...Array.from(
    "\u0000\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u009b\u009d\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u200f",
  ),
  ...Array.from(
    "\u2028\u2029\u202a\u202e\u2060\u2066\u2069\u2800\u3000\u3164\ufe0f\ufeff\uffa0\ufff9\uffff\ufffd",
  ),
  ...[
    "\u{e0041}",
    "\u{e0100}",
    "\u{f0000}",
    "\ud83d",
    "\ude00",
    "😀",
    "制",
    "ش",
    "e\u0301\u0301\u0301",
    "\u0489",
  ],
  ...Array.from("<>{}%#:[]()/\\-+~^|'\" =_@,;."),
  ...["<{%", "%}>", "<{%reset%}>", "<{%fg 1%}>", "<{%boom%}>", "{%", "<", "%s", "%d", "%!v(MISSING)"],
  ...[
    "::",
    ":",
    ":::",
    "::error::",
    " ::add-mask::",
    "::stop-commands::x",
    "##[",
    "##",
    "##[error]",
    "#",
    "vso[",
  ],
  ...[
    "##vso[task.setvariable variable=a]b",
    "##teamcity[buildStop]",
    "##octopus[x]",
    "[",
    "section_start:1:a",
  ],
  ...[
    "section_end:1:a\r\u001b[0K",
    "travis_fold:start:a",
    "travis_time:end:a",
    "--- ",
    "+++ ",
    "~~~ ",
    "^^^ +++",
  ],
  ...["\u001b[31m", "\u001b]8;;http://a\u0007", "\u001b]0;owned\u0007", "\u009b31m", "\u001bP", "\u001b[2J"],
  ...[
    "Bearer ",
    "spat_",
    "kpat_",
    "//",
    "http://",
    "@",
    "Authorization: Basic ",
    "[removed]",
    "…",
    "\\u001b",
  ],
  ...["a", "word", " two words ", "x".repeat(300), "\u0301".repeat(40), " ".repeat(50), "\u0000".repeat(30)],
];

/** Generates any string: random code units, lone surrogates included, or a mix of {@link DANGEROUS_PIECES}. */
export function anyText(maxPieces = 30): fc.Arbitrary<string> {
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  return fc.oneof(
    fc.string({ unit: codeUnit, maxLength: 400 }),
    fc.string({ unit: "binary", maxLength: 400 }),
    fc
      .array(fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...DANGEROUS_PIECES) }, codeUnit), {
        maxLength: maxPieces,
      })
      .map((pieces) => pieces.join("")),
  );
}

const DANGERS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a control, format, private or lone code unit", /\p{C}/u],
  ["an invisible character", /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u],
  ["a pile of combining marks", /\p{M}{7}/u],
  ["a tag of Pulumi's renderer", /<\{%/],
  // actions/runner, ActionCommand.TryParseV2: trims the start of a line, which must then begin with "::".
  ["a command of GitHub", /(?:^|\s)::/],
  ["a command of GitHub, Azure, TeamCity or Octopus", /##\w*\[/],
  ["a section of GitLab", /section_(?:start|end)/i],
  ["a fold of Travis", /(?:fold|time):(?:start|end):/i],
];

/** Returns what is dangerous in one line of text, or undefined when nothing is. */
export function dangerIn(line: string): string | undefined {
  return DANGERS.find(([, pattern]) => pattern.test(line))?.[0];
}
