import { expect } from "chai";
import fc from "fast-check";
import { Token } from "../../../provider/service/token.js";

const VALUE = "abc/def+X.~z-0123456789==";

/** RFC 6750 section 2.1. */
const BEARER_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";

/** Spells every character as its number, the way HTML, JSON or a URL does. */
const spell = (text: string, one: (code: number) => string) =>
  Array.from(text, (character) => one(character.charCodeAt(0))).join("");
const htmlEscape = (text: string) =>
  text.replace(/[&<>"'/+=]/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`);

describe("a token that an answer echoes", () => {
  const encodings: readonly (readonly [how: string, encode: (text: string) => string])[] = [
    ["as it is", (text) => text],
    ["in capitals", (text) => text.toUpperCase()],
    ["in a URL", encodeURIComponent],
    ["in a URL, all of it encoded, in lower case", (text) => spell(text, (code) => `%${code.toString(16)}`)],
    ["in a URL within a URL", (text) => encodeURIComponent(encodeURIComponent(text))],
    ["in HTML, by decimal numbers", (text) => text.replace(/\W/g, (c) => `&#${c.charCodeAt(0)};`)],
    ["in HTML, by padded decimal numbers", (text) => text.replace(/\W/g, (c) => `&#00${c.charCodeAt(0)};`)],
    ["in HTML, by hexadecimal numbers", htmlEscape],
    ["in HTML within HTML", (text) => htmlEscape(text).replace(/&/g, "&amp;")],
    ["in JSON", (text) => JSON.stringify(text)],
    ["in JSON, all of it escaped", (text) => spell(text, (code) => `\\u00${code.toString(16)}`)],
    ["in JSON within JSON", (text) => JSON.stringify(JSON.stringify(text))],
    ["in JSON within JSON, with escaped slashes", (text) => text.replace(/[/"]/g, String.raw`\\\$&`)],
  ];
  for (const [how, encode] of encodings) {
    it(`is removed ${how}`, () => {
      const clean = new Token(VALUE, "a").redactFrom(`got ${encode(VALUE)} from you`);
      expect(clean).to.contain("[removed]");
      expect(clean).to.match(/^got "?(\\")?\[removed\](\\")?"? from you$/);
    });
  }

  for (const before of ["", ":", "u:", "user:", "Bearer ", "xy"]) {
    for (const encoding of ["base64", "base64url"] as const) {
      it(`is removed in ${encoding}, as the end of "${before}…"`, () => {
        const whole = Buffer.from(`${before}${VALUE}`).toString(encoding);
        const clean = new Token(VALUE, "a").redactFrom(`got ${whole}`);
        const left = clean.replace(/^got /, "").split("[removed]");
        expect(left).to.have.length(2);
        const core = (text: string) => Buffer.from(text, encoding).toString("latin1");
        expect(core(left[0] ?? "").length, "what stood before it").to.be.at.most(before.length + 1);
        expect((left[1] ?? "").replace(/=/g, "").length, "its last characters").to.be.at.most(2);
      });
    }
  }

  it("is removed in base64 but for the characters that what stands around it has a part in", () => {
    for (const before of ["", "u", "us"]) {
      for (const after of ["", ":", " in the header"]) {
        const whole = Buffer.from(`${before}spat_abcdef${after}`).toString("base64");
        const [left = "", right = ""] = new Token("spat_abcdef", "a").redactFrom(whole).split("[removed]");
        const characters = Math.floor((8 * (before.length + 11)) / 6) - Math.ceil((8 * before.length) / 6);
        expect(whole.length - left.length - right.length).to.equal(characters);
      }
    }
  });

  it("is removed in base64 from eight characters on: shorter ones stand in ordinary words", () => {
    const encoded = (value: string) => Buffer.from(value).toString("base64").replace(/=/g, "");
    expect(new Token("abcdef", "a").redactFrom(encoded("abcdef"))).to.equal("[removed]");
    expect(new Token("abcde", "a").redactFrom(encoded("abcde"))).to.equal(encoded("abcde"));
  });

  it("is removed in base64 whose slashes are escaped", () => {
    const value = "spat_???>>>???>>>???>>>";
    const clean = new Token(value, "a").redactFrom(
      Buffer.from(value).toString("base64").replace(/\//g, "\\/"),
    );
    expect(clean).to.match(/^\[removed\].{0,2}$/);
  });

  it("leaves JSON that repeats it readable", () => {
    for (const encode of [(text: string) => text, encodeURIComponent, htmlEscape]) {
      const body = JSON.stringify({ status: 404, title: `t ${encode(VALUE)}`, instance: encode(VALUE) });
      const clean = new Token(VALUE, "a").redactFrom(body);
      expect(JSON.parse(clean)).to.deep.equal({ status: 404, title: "t [removed]", instance: "[removed]" });
    }
  });

  it("is removed where the answer breaks off within it, but for its first three characters", () => {
    const token = new Token(VALUE, "a");
    for (let length = 4; length <= VALUE.length; length += 1) {
      expect(token.redactFrom(`got ${VALUE.slice(0, length)}`)).to.equal("got [removed]");
    }
    expect(token.redactFrom(`got ${VALUE.slice(0, 3)}`)).to.equal(`got ${VALUE.slice(0, 3)}`);
    expect(token.redactFrom(VALUE.toUpperCase().slice(0, 9))).to.equal("[removed]");
  });

  it("leaves no piece of eight characters, whatever the token and wherever it is cut (500 runs)", () => {
    const character = fc.constantFrom(...Array.from(BEARER_CHARACTERS));
    const value = fc.string({ unit: character, minLength: 12, maxLength: 60 });
    fc.assert(
      fc.property(
        value.filter((text) => new Set(text).size > 6),
        fc.nat(40),
        fc.constantFrom(...encodings.map(([, encode]) => encode)),
        (text, cut, encode) => {
          const token = new Token(text, "a");
          expect(token.redactFrom(`<< ${encode(text)} >>`)).not.to.contain(text.slice(2, 10));
          const broken = `<< ${text.slice(0, 4 + (cut % text.length))}`;
          expect(token.redactFrom(broken)).to.match(/\[removed\]$/);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("is looked for in no more than a moment", () => {
    const token = new Token("spat_SENTINELsentinelSENTINELsentinel", "a");
    const began = performance.now();
    for (const piece of ["a", "\\", "%25", "&amp;", "&#0", "\\\\u00", "spat_SENTINEL", "c3BhdF9TRU5U"]) {
      token.redactFrom(piece.repeat(65_536 / piece.length));
    }
    expect(performance.now() - began).to.be.lessThan(2_000);
  });
});
