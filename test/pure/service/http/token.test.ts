import { inspect } from "node:util";
import { expect } from "chai";
import sinon from "sinon";
import { refuseToken, Token } from "../../../../provider/service/http/token.js";
import { safe } from "../../../../provider/text/safe-text.js";

const source = safe`KONNECT_SPAT`;

describe("Token", () => {
  for (const [value, description] of [
    ["spat_abc", "system account token from KONNECT_SPAT"],
    ["kpat_abc", "personal access token from KONNECT_SPAT"],
    ["abc", "token from KONNECT_SPAT"],
  ] as const) {
    it(`describes the value ${value} as "${description}"`, () => {
      expect(new Token(value, source).describe()).to.equal(description);
    });
  }

  it("is sent as a bearer token", () => {
    expect(new Token("spat_abc", source).authorization).to.equal("Bearer spat_abc");
  });

  it("equals a token with the same value from another source, and no other token", () => {
    expect(new Token("x", safe`a`).equals(new Token("x", safe`b`))).to.equal(true);
    expect(new Token("x", safe`a`).equals(new Token("y", safe`a`))).to.equal(false);
  });

  it("shows its value in no serialized form", () => {
    const token = new Token("sentinel", source);
    token.isRepeatedIn("a text");
    const forms = [
      JSON.stringify({ token }),
      inspect(token, { showHidden: true, depth: 9 }),
      JSON.stringify(Object.entries(token)),
    ];
    for (const form of forms) {
      expect(form).to.contain("KONNECT_SPAT");
      expect(form).not.to.contain("sentinel");
    }
  });

  it("finds its value in a text", () => {
    const token = new Token("spat_sentinel0123456789", source);
    expect(token.isRepeatedIn("Authorization: Bearer spat_sentinel0123456789")).to.equal(true);
    expect(token.isRepeatedIn("Authorization: Bearer spat_another9876543210")).to.equal(false);
  });

  it("derives what it looks for once, and only when it is asked", () => {
    const encode = sinon.spy(Buffer, "from");
    try {
      const token = new Token("spat_sentinel0123456789", source);
      expect(encode.callCount, "before the first text").to.equal(0);
      token.isRepeatedIn("a text");
      const first = encode.callCount;
      expect(first, "with the first text").to.be.greaterThan(0);
      for (let count = 0; count < 100; count += 1) token.isRepeatedIn(`text ${count}`);
      expect(encode.callCount, "with a hundred more").to.equal(first);
    } finally {
      encode.restore();
    }
  });
});

describe("refuseToken", () => {
  const refused = [
    ["", /set but empty/],
    [" ", /white space/],
    ["a b", /white space/],
    ["abc\n", /line break/],
    ["abc\r\nX-Evil: 1", /line break/],
    ["tab\tbed", /white space/],
    ["größe", /characters/],
    ["abc\u0000", /characters/],
    ["abc\u007f", /characters/],
    ["“abc”", /characters/],
    ['"abc"', /characters/],
    ["a\\b", /characters/],
    ["a=b", /characters/],
    ["=", /characters/],
  ] as const;
  for (const [value, reason] of refused) {
    it(`refuses ${JSON.stringify(value)}`, () => expect(refuseToken(value)).to.match(reason));
  }

  it("accepts what RFC 6750 allows", () => expect(refuseToken("spat_aZ09-._~+/==")).to.equal(undefined));

  it("accepts 8 KiB and refuses one character more", () => {
    expect(refuseToken("x".repeat(8 * 1024))).to.equal(undefined);
    expect(refuseToken("x".repeat(8 * 1024 + 1))).to.equal(
      "is longer than 8 KiB; it must hold the token alone",
    );
  });

  it("never repeats the value", () => {
    for (const value of ["hunter2 x", "hunter2\n", "hunter2ü", `hunter2${"x".repeat(9_000)}`]) {
      expect(refuseToken(value)).to.be.a("string").and.not.to.contain("hunter2");
    }
  });
});
