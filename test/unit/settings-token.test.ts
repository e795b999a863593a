import { expect } from "chai";
import { SettingsError } from "../../provider/service/errors.js";
import { readSettings } from "../../provider/settings.js";
import type { TokenSource } from "../../provider/service/token.js";

type Values = Readonly<Record<string, string>>;

function tokensOf(
  config: Values,
  env: Values = {},
  readFile: (path: string) => string = missing,
): TokenSource {
  return readSettings({ config: (key) => config[key], env, readFile }).tokens;
}
function missing(path: string): never {
  throw new Error(`ENOENT: no such file or directory, open '${path}'`);
}
function refusal(tokens: TokenSource): string {
  try {
    tokens.current();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error("the token was accepted");
}

const env = { KONNECT_SPAT: "spat_env", KONNECT_TOKEN: "kpat_env", KONNECT_TOKEN_FILE: "/run/token" };

describe("the token", () => {
  const order: readonly (readonly [config: Values, env: Values, authorization: string, source: string])[] = [
    [{ "konnect:token": "spat_config" }, env, "Bearer spat_config", "stack configuration konnect:token"],
    [{}, env, "Bearer spat_env", "KONNECT_SPAT"],
    [{}, { KONNECT_TOKEN: "kpat_env", KONNECT_TOKEN_FILE: "/run/token" }, "Bearer kpat_env", "KONNECT_TOKEN"],
    [{}, { KONNECT_TOKEN_FILE: "/run/token" }, "Bearer spat_file", "KONNECT_TOKEN_FILE"],
  ];
  for (const [config, variables, authorization, source] of order) {
    it(`comes from ${source} when nothing before that is set`, () => {
      const token = tokensOf(config, variables, () => "spat_file").current();
      expect(token).to.include({ authorization, source });
    });
  }

  it("has to be set somewhere, and the error names all four places", () => {
    const message = refusal(tokensOf({}));
    for (const place of ["KONNECT_SPAT", "KONNECT_TOKEN", "KONNECT_TOKEN_FILE", "konnect:token"]) {
      expect(message).to.match(new RegExp(`${place}\\b`));
    }
  });

  const bad: readonly (readonly [what: string, value: string, reason: RegExp])[] = [
    ["empty", "", /is set but empty/],
    ["white space", "   ", /white space/],
    ["two words", "sentinel one", /white space or a line break/],
    ["one with a line break", "sentinel\n", /white space or a line break/],
    ["one that would add a header", "sentinel\r\nX-Evil: 1", /white space or a line break/],
    ["not ASCII", "sentinelö", /characters that a bearer token cannot have/],
    ["one with a control character", "sentinel\u0007", /characters that a bearer token cannot have/],
  ];
  for (const [what, value, reason] of bad) {
    it(`cannot be ${what}, wherever it comes from, and is not repeated`, () => {
      const sources: readonly (readonly [setting: string, tokens: TokenSource])[] = [
        ["stack configuration konnect:token", tokensOf({ "konnect:token": value }, env)],
        ["KONNECT_SPAT", tokensOf({}, { ...env, KONNECT_SPAT: value })],
        ["KONNECT_TOKEN", tokensOf({}, { KONNECT_TOKEN: value })],
        ["KONNECT_TOKEN_FILE", tokensOf({}, { KONNECT_TOKEN_FILE: "/run/token" }, () => `${value}\n`)],
      ];
      for (const [setting, tokens] of sources) {
        const message = refusal(tokens);
        expect(message.startsWith(`${setting} `), message).to.equal(true);
        expect(message).to.match(reason);
        expect(message).not.to.contain("sentinel");
      }
    });
  }

  it("is not taken from a later place when the one before is empty", () => {
    expect(refusal(tokensOf({}, { ...env, KONNECT_SPAT: "" }))).to.match(/^KONNECT_SPAT is set but empty/);
  });
});

describe("the token file", () => {
  const file = { KONNECT_TOKEN_FILE: "/run/token" };

  for (const [what, text] of [
    ["as it is", "spat_file"],
    ["without its closing line break", "spat_file\n"],
    ["without its closing line break of Windows", "spat_file\r\n"],
  ] as const) {
    it(`is taken ${what}`, () => {
      expect(tokensOf({}, file, () => text).current().authorization).to.equal("Bearer spat_file");
    });
  }

  it("may end in one line break only", () => {
    for (const text of ["spat_file\n\n", "spat_\nfile", "spat_\nfile\n"]) {
      expect(refusal(tokensOf({}, file, () => text))).to.match(/line break/);
    }
  });

  it("is read where the setting says, each time a call needs it", () => {
    const paths: string[] = [];
    const tokens = tokensOf({}, file, (path) => `spat_${paths.push(path)}`);
    expect(paths, "not before").to.deep.equal([]);
    expect([tokens.current(), tokens.current()].map(({ authorization }) => authorization)).to.deep.equal([
      "Bearer spat_1",
      "Bearer spat_2",
    ]);
    expect(paths).to.deep.equal(["/run/token", "/run/token"]);
  });

  it("has to exist, and the error says why it cannot be read", () => {
    const missing = () => {
      throw Object.assign(new Error("no such file: /run/token"), { code: "ENOENT" });
    };
    expect(refusal(tokensOf({}, file, missing))).to.match(
      /^KONNECT_TOKEN_FILE names a file that cannot be read \(ENOENT\)/,
    );
  });

  for (const thrown of [new Error("no code"), "no error"]) {
    it(`cannot be read for a reason without a code: ${String(thrown)}`, () => {
      const failing = () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        throw thrown;
      };
      expect(refusal(tokensOf({}, file, failing))).to.match(
        /^KONNECT_TOKEN_FILE names a file that cannot be read \(unknown error\)/,
      );
    });
  }

  it("that has vanished by the time of a 401 gives no other token", () => {
    let there = true;
    const tokens = tokensOf({}, file, () => {
      if (there) return "spat_file";
      throw new Error("ENOENT");
    });
    const refused = tokens.current();
    there = false;
    expect(tokens.renewed(refused)).to.equal(undefined);
  });

  it("needs a path", () => {
    expect(refusal(tokensOf({}, { KONNECT_TOKEN_FILE: "" }))).to.match(
      /^KONNECT_TOKEN_FILE is set but empty/,
    );
  });

  it("is not a place for the token itself, which is not repeated either", () => {
    const message = refusal(tokensOf({}, { KONNECT_TOKEN_FILE: "plain-sentinel" }));
    expect(message).to.contain("cannot be read");
    expect(message).not.to.contain("sentinel");
  });

  it("renews a token that was refused, when it holds another one", () => {
    const texts = ["spat_old\n", "spat_new\n"];
    const tokens = tokensOf({}, file, () => texts.shift() ?? "spat_new\n");
    const old = tokens.current();
    const renewed = tokens.renewed(old);
    expect(renewed?.authorization).to.equal("Bearer spat_new");
    expect(renewed && tokens.renewed(renewed), "the same again").to.equal(undefined);
  });

  for (const [what, config, variables] of [
    ["stack configuration", { "konnect:token": "spat_config" }, file],
    ["KONNECT_SPAT", {}, { ...file, KONNECT_SPAT: "spat_env" }],
    ["KONNECT_TOKEN", {}, { ...file, KONNECT_TOKEN: "spat_env" }],
  ] as const) {
    it(`is not read to renew a token from ${what}`, () => {
      const tokens = tokensOf(config, variables, () => "spat_file");
      expect(tokens.renewed(tokens.current())).to.equal(undefined);
    });
  }
});

describe("the hints on a token", () => {
  it("say of a configured one that destroy uses the last up's, and which variables are not used", () => {
    const { hints } = tokensOf(
      { "konnect:token": "spat_config" },
      { KONNECT_SPAT: "spat_env", KONNECT_TOKEN_FILE: "/run/token" },
    );
    expect(hints).to.have.length(3);
    expect(hints[0]).to.match(/last up.*--run-program/);
    expect(hints.slice(1)).to.deep.equal([
      "KONNECT_SPAT is set, but not used: stack configuration goes first",
      "KONNECT_TOKEN_FILE is set, but not used: stack configuration goes first",
    ]);
  });

  it("are none for one from the environment", () => {
    expect(tokensOf({}, { KONNECT_TOKEN: "kpat_env" }).hints).to.deep.equal([]);
  });

  it("name what is set in the environment but goes after the one that is used", () => {
    expect(tokensOf({}, { KONNECT_SPAT: "spat_a", KONNECT_TOKEN: "kpat_b" }).hints).to.deep.equal([
      "KONNECT_TOKEN is set, but not used: KONNECT_SPAT goes first",
    ]);
  });
});
