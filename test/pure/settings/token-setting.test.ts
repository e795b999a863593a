import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { TokenSource } from "../../../provider/service/http/token.js";
import type { SettingSources, TokenFile } from "../../../provider/settings/settings.js";
import { readTokenFile, readTokenSource } from "../../../provider/settings/token-setting.js";
import { privateFile, sourcesOf, type Values } from "./fake-sources.js";

const ALL = { KONNECT_SPAT: "spat_env", KONNECT_TOKEN: "kpat_env", KONNECT_TOKEN_FILE: "/run/token" };
const FILE = { KONNECT_TOKEN_FILE: "/run/token" };

function tokensOf(config: Values, env: Values, more: Partial<SettingSources> = {}): TokenSource {
  return readTokenSource(sourcesOf(config, env, more));
}

/** A token source whose file holds one text after the other, and then the last one again. */
function tokensInFile(...texts: readonly string[]): { tokens: TokenSource; paths: readonly string[] } {
  const paths: string[] = [];
  const read = (file: string): TokenFile => {
    paths.push(file);
    return privateFile(texts[Math.min(paths.length, texts.length) - 1] ?? "");
  };
  return { tokens: tokensOf({}, FILE, { readTokenFile: read }), paths };
}

/** Returns the message that refuses the token. */
function refusal(tokens: TokenSource): string {
  try {
    tokens.current();
  } catch (error) {
    if (error instanceof ControlPlaneError && error.kind === "settings") return error.message;
    throw error;
  }
  throw new Error("the token was accepted");
}

describe("the token in the settings", () => {
  const order: readonly (readonly [config: Values, env: Values, authorization: string, source: string])[] = [
    [{ "konnect:token": "spat_config" }, ALL, "Bearer spat_config", "stack configuration konnect:token"],
    [{}, ALL, "Bearer spat_env", "KONNECT_SPAT"],
    [{}, { ...FILE, KONNECT_TOKEN: "kpat_env" }, "Bearer kpat_env", "KONNECT_TOKEN"],
    [{}, FILE, "Bearer spat_file", "KONNECT_TOKEN_FILE"],
  ];
  for (const [config, env, authorization, source] of order) {
    it(`comes from ${source} when nothing before it is set`, () => {
      const readFile = () => privateFile("spat_file");
      const token = tokensOf(config, env, { readTokenFile: readFile }).current();
      expect(token).to.include({ authorization, source });
    });
  }

  it("is required, and the error names all four places", () => {
    const message = refusal(tokensOf({}, {}));
    for (const place of ["KONNECT_SPAT", "KONNECT_TOKEN", "KONNECT_TOKEN_FILE", "konnect:token"]) {
      expect(message).to.match(new RegExp(`${place}\\b`));
    }
  });

  const bad: readonly (readonly [what: string, value: string, reason: RegExp])[] = [
    ["empty", "", /is (set but )?empty/],
    ["white space", "   ", /white space/],
    ["two words", "sentinel one", /it must hold the token alone, without "Bearer"$/],
    ["text with a line break", "sentinel\n", /white space or a line break/],
    ["text that would add a header", "sentinel\r\nX-Evil: 1", /white space or a line break/],
    ["text that is not ASCII", "sentinelö", /characters that a bearer token cannot have/],
    ["text with a control character", "sentinel\u0007", /characters that a bearer token cannot have/],
    ["longer than 8 KiB", `sentinel${"x".repeat(8_185)}`, /is longer than 8 KiB/],
  ];
  for (const [what, value, reason] of bad) {
    it(`cannot be ${what} in any of the four places, and is not repeated`, () => {
      const readFile = () => privateFile(`${value}\n`);
      const places: readonly (readonly [setting: string, tokens: TokenSource])[] = [
        ["stack configuration konnect:token", tokensOf({ "konnect:token": value }, ALL)],
        ["KONNECT_SPAT", tokensOf({}, { ...ALL, KONNECT_SPAT: value })],
        ["KONNECT_TOKEN", tokensOf({}, { KONNECT_TOKEN: value })],
        ["the file that KONNECT_TOKEN_FILE names", tokensOf({}, FILE, { readTokenFile: readFile })],
      ];
      for (const [setting, tokens] of places) {
        const message = refusal(tokens);
        expect(message.startsWith(`${setting} `), message).to.equal(true);
        expect(message).to.match(reason);
        expect(message).not.to.contain("sentinel");
      }
    });
  }

  it("may have 8 KiB", () => {
    const value = "x".repeat(8_192);
    expect(tokensOf({ "konnect:token": value }, {}).current().authorization).to.equal(`Bearer ${value}`);
  });

  it("is not taken from a later place when an earlier one is empty", () => {
    expect(refusal(tokensOf({}, { ...ALL, KONNECT_SPAT: "" }))).to.match(/^KONNECT_SPAT is set but empty/);
  });

  it("is one object for all calls of a run, so that what is derived from it is derived once", () => {
    const tokens = tokensOf({ "konnect:token": "spat_config" }, {});
    expect(tokens.current()).to.equal(tokens.current());
  });
});

describe("the token in a file", () => {
  for (const [what, text] of [
    ["as it is", "spat_file"],
    ["without its closing line break", "spat_file\n"],
    ["without its closing line break of Windows", "spat_file\r\n"],
  ] as const) {
    it(`is taken ${what}`, () => {
      expect(tokensInFile(text).tokens.current().authorization).to.equal("Bearer spat_file");
    });
  }

  for (const text of ["spat_file\n\n", "spat_\nfile", "spat_\nfile\n"]) {
    it(`may end with one line break only, and not be ${JSON.stringify(text)}`, () => {
      expect(refusal(tokensInFile(text).tokens)).to.match(/line break/);
    });
  }

  it("is read once in a run, and not before a call needs it", () => {
    const { tokens, paths } = tokensInFile("spat_first", "spat_second");
    expect(paths).to.deep.equal([]);
    const values = [1, 2, 3].map(() => tokens.current().authorization);
    expect(values).to.deep.equal(["Bearer spat_first", "Bearer spat_first", "Bearer spat_first"]);
    expect(paths).to.deep.equal(["/run/token"]);
  });

  it("is read again after a 401, and the new token is shared by all calls", () => {
    const { tokens, paths } = tokensInFile("spat_old\n", "spat_new\n", "spat_later\n");
    const old = tokens.current();
    // Two calls were refused with the old token.
    const renewed = [tokens.renewed(old), tokens.renewed(old)];
    expect(renewed.map((token) => token?.authorization)).to.deep.equal([
      "Bearer spat_new",
      "Bearer spat_new",
    ]);
    expect(tokens.current().authorization, "for the calls to come").to.equal("Bearer spat_new");
    expect(paths).to.have.length(2);
  });

  it("is not renewed when the file still holds the refused token", () => {
    const { tokens } = tokensInFile("spat_old\n", "spat_new\n");
    const renewed = tokens.renewed(tokens.current());
    expect(renewed?.authorization).to.equal("Bearer spat_new");
    expect(renewed && tokens.renewed(renewed)).to.equal(undefined);
  });

  for (const [what, change] of [
    [
      "the file is gone",
      () => {
        throw new Error("ENOENT");
      },
    ],
    ["the file holds no usable token", () => privateFile("two words")],
  ] as const) {
    it(`is not renewed when ${what} by the time of a 401, and stays what it was`, () => {
      let read: () => TokenFile = () => privateFile("spat_file");
      const tokens = tokensOf({}, FILE, { readTokenFile: () => read() });
      const refused = tokens.current();
      read = change;
      expect(tokens.renewed(refused)).to.equal(undefined);
      expect(tokens.current()).to.equal(refused);
    });
  }

  for (const [source, config, env] of [
    ["stack configuration", { "konnect:token": "spat_config" }, FILE],
    ["KONNECT_SPAT", {}, { ...FILE, KONNECT_SPAT: "spat_env" }],
    ["KONNECT_TOKEN", {}, { ...FILE, KONNECT_TOKEN: "spat_env" }],
  ] as const) {
    it(`is not read to renew a token from ${source}`, () => {
      const tokens = tokensOf(config, env);
      expect(tokens.renewed(tokens.current())).to.equal(undefined);
    });
  }

  for (const text of ["", "\n", "\r\n"]) {
    it(`that holds ${JSON.stringify(text)} is reported as an empty file`, () => {
      const read = () => privateFile(text);
      expect(refusal(tokensOf({}, FILE, { readTokenFile: read }))).to.equal(
        "the file that KONNECT_TOKEN_FILE names is empty",
      );
    });
  }

  it("that holds the word Bearer is refused, and the message says what it must hold", () => {
    const read = () => privateFile("Bearer spat_file\n");
    expect(refusal(tokensOf({}, FILE, { readTokenFile: read }))).to.equal(
      'the file that KONNECT_TOKEN_FILE names contains white space or a line break; it must hold the token alone, without "Bearer"',
    );
  });

  it("needs a path", () => {
    expect(refusal(tokensOf({}, { KONNECT_TOKEN_FILE: "" }))).to.match(
      /^KONNECT_TOKEN_FILE is set but empty/,
    );
  });

  const failures: readonly (readonly [thrown: unknown, code: string])[] = [
    [Object.assign(new Error("no such file: /run/token"), { code: "ENOENT" }), "ENOENT"],
    [new Error("no code"), "unknown error"],
    ["no error", "unknown error"],
  ];
  for (const [thrown, code] of failures) {
    it(`that cannot be read is refused with the reason "${code}": ${String(thrown)}`, () => {
      const read = () => {
        throw thrown;
      };
      expect(refusal(tokensOf({}, FILE, { readTokenFile: read }))).to.equal(
        `KONNECT_TOKEN_FILE names a file that cannot be read (${code}); it must be the path of a regular file of at most 64 KiB`,
      );
    });
  }

  it("that has the token itself in the place of its path is refused without repeating it", () => {
    const message = refusal(tokensOf({}, { KONNECT_TOKEN_FILE: "plain-sentinel" }));
    expect(message).to.contain("cannot be read");
    expect(message).not.to.contain("sentinel");
  });

  it("that is too large, a folder or missing is refused without repeating its path", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "token-setting-sentinel-"));
    try {
      const large = path.join(folder, "large");
      writeFileSync(large, "x".repeat(65_537));
      for (const [file, code] of [
        [large, "larger than 64 KiB"],
        [folder, "not a regular file"],
        ["/dev/zero", "not a regular file"],
        [path.join(folder, "missing"), "ENOENT"],
      ] as const) {
        const message = refusal(tokensOf({}, { KONNECT_TOKEN_FILE: file }, { readTokenFile }));
        expect(message).to.contain(`names a file that cannot be read (${code}); it must be the path`);
        expect(message).not.to.contain(file);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("the warning about a token file that others can read", () => {
  const WARNING =
    "KONNECT_TOKEN_FILE names a file that every user of this machine can read; chmod 600 prevents this";

  /** Reads a token file several times. Returns the warnings. */
  function warningsOf(file: TokenFile, read: (tokens: TokenSource) => void): readonly string[] {
    const warnings: string[] = [];
    read(tokensOf({}, FILE, { readTokenFile: () => file, warn: (warning) => void warnings.push(warning) }));
    return warnings;
  }

  it("is given once, although the file is read again after each 401", () => {
    const warnings = warningsOf({ text: "spat_file", isReadableByOthers: true }, (tokens) => {
      for (let call = 0; call < 3; call += 1) tokens.renewed(tokens.current());
    });
    expect(warnings).to.deep.equal([WARNING]);
  });

  it("is given once, although the file holds no usable token and is read for each call", () => {
    const warnings = warningsOf({ text: "two words", isReadableByOthers: true }, (tokens) => {
      for (let call = 0; call < 3; call += 1) refusal(tokens);
    });
    expect(warnings).to.deep.equal([WARNING]);
  });

  it("is not given for a file that only its owner can read", () => {
    const warnings = warningsOf(privateFile("spat_file"), (tokens) => tokens.renewed(tokens.current()));
    expect(warnings).to.deep.equal([]);
  });
});

describe("the hints on a token", () => {
  const hintsOf = (config: Values, env: Values) => tokensOf(config, env).hints;

  it("say that destroy uses a configured token of the last up, and which variables are not used", () => {
    const hints = hintsOf({ "konnect:token": "spat_config" }, { ...FILE, KONNECT_SPAT: "spat_env" });
    expect(hints).to.deep.equal([
      "a plain destroy uses the configuration saved by the last up, not the current one; --run-program uses the current one",
      "KONNECT_SPAT is set, but not used: stack configuration takes precedence",
      "KONNECT_TOKEN_FILE is set, but not used: stack configuration takes precedence",
    ]);
  });

  it("are none when the only token is in the environment, and when there is none", () => {
    expect(hintsOf({}, { KONNECT_TOKEN: "kpat_env" })).to.deep.equal([]);
    expect(hintsOf({}, {})).to.deep.equal([]);
  });

  it("name what is set in the environment but comes after the token that is used", () => {
    expect(hintsOf({}, { KONNECT_SPAT: "spat_a", KONNECT_TOKEN: "kpat_b" })).to.deep.equal([
      "KONNECT_TOKEN is set, but not used: KONNECT_SPAT takes precedence",
    ]);
  });
});
