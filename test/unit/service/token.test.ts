import { expect } from "chai";
import { inspect } from "node:util";
import { refuseToken, Token } from "../../../provider/service/token.js";

describe("a token", () => {
  for (const [value, description] of [
    ["spat_abc", "system account token from KONNECT_SPAT"],
    ["kpat_abc", "personal access token from KONNECT_SPAT"],
    ["abc", "token from KONNECT_SPAT"],
  ] as const) {
    it(`with the value ${value} is described as "${description}"`, () => {
      expect(new Token(value, "KONNECT_SPAT").describe()).to.equal(description);
    });
  }

  it("goes into the header as a bearer token", () => {
    expect(new Token("spat_abc", "a").authorization).to.equal("Bearer spat_abc");
  });

  it("equals another one by its value, wherever that came from", () => {
    expect(new Token("x", "a").equals(new Token("x", "b"))).to.equal(true);
    expect(new Token("x", "a").equals(new Token("y", "a"))).to.equal(false);
  });

  it("takes its value out of a text that repeats it", () => {
    expect(new Token("sentinel", "a").redactFrom("sentinel, x-sentinel-y")).to.equal(
      "[removed], x-[removed]-y",
    );
  });

  for (const [what, text] of [
    ["as it is", '{"detail":"abc/def+X"}'],
    ["with an escaped slash", String.raw`{"detail":"abc\/def+X"}`],
    ["with a letter as its code", String.raw`{"detail":"\u0061bc/def+X"}`],
    ["with every kind of escape", String.raw`{"a":["\u0061bc\/de\u0066\u002BX"]}`],
    ["as a member's name", String.raw`{"abc\/def+X":1}`],
    ["as a bare JSON text", String.raw`"abc\/def+X"`],
  ] as const) {
    it(`takes its value out of JSON that repeats it ${what}`, () => {
      const clean = new Token("abc/def+X", "a").redactFrom(text);
      expect(clean).to.contain("[removed]");
      expect(JSON.stringify(JSON.parse(clean))).not.to.contain("def");
    });
  }

  it("takes a value out of JSON that has to escape it", () => {
    const value = String.raw`ab"c\d`;
    const clean = new Token(value, "a").redactFrom(JSON.stringify({ detail: `x ${value} y` }));
    expect(clean).to.equal('{"detail":"x [removed] y"}');
  });

  it("leaves a text that does not repeat it as it is", () => {
    for (const text of ["", "plain", String.raw`no JSON: \u0061`, '{ "spaced":  1 }']) {
      expect(new Token("sentinel", "a").redactFrom(text)).to.equal(text);
    }
  });

  it("shows its value in no serialised form", () => {
    const token = new Token("sentinel", "KONNECT_SPAT");
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
    it(`cannot be ${JSON.stringify(value)}`, () => expect(refuseToken(value)).to.match(reason));
  }

  it("can be what RFC 6750 allows", () => expect(refuseToken("spat_aZ09-._~+/==")).to.equal(undefined));
});
