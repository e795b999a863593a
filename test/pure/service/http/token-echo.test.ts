import { expect } from "chai";
import { createEchoDetector } from "../../../../provider/service/http/token-echo.js";
import { TOKEN_ENCODINGS } from "./token-encodings.js";

const TOKEN = "abc/def+X.~z-0123456789==";
const isEcho = createEchoDetector(TOKEN);

describe("createEchoDetector", () => {
  for (const [how, encode] of TOKEN_ENCODINGS) {
    it(`finds a token ${how}`, () => {
      expect(isEcho(encode(TOKEN))).to.equal(true);
      expect(isEcho(`got ${encode(TOKEN)} from you`)).to.equal(true);
      expect(isEcho(JSON.stringify({ status: 404, title: `got ${encode(TOKEN)}`, detail: 1 }))).to.equal(
        true,
      );
    });

    it(`finds a part of at least 16 characters from the middle of a token ${how}`, () => {
      const token = "spat_1234567890abcdefghijklmnopqrstuvwxyz";
      const part = token.slice(9, 30);
      expect(createEchoDetector(token)(`got ${encode(part)} from you`)).to.equal(true);
    });
  }

  it("finds a part of 16 characters and no shorter one within a text", () => {
    const token = "spat_1234567890abcdefghijklmnopqrstuvwxyz";
    for (let at = 0; at + 16 <= token.length; at += 1) {
      expect(createEchoDetector(token)(`<${token.slice(at, at + 16)}>`), `at ${at}`).to.equal(true);
      expect(createEchoDetector(token)(`<${token.slice(at, at + 15)}>`), `at ${at}`).to.equal(false);
    }
  });

  for (const before of ["", "u", "u:", "user", "user:", "Bearer "]) {
    for (const encoding of ["base64", "base64url"] as const) {
      it(`finds a token after "${before}" in ${encoding}`, () => {
        for (const after of ["", ":", ":x", ":x-oauth"]) {
          const encoded = Buffer.from(`${before}${TOKEN}${after}`).toString(encoding);
          expect(isEcho(`got ${encoded} from you`), after).to.equal(true);
        }
      });
    }
  }

  it("knows both alphabets of base64", () => {
    const token = "~".repeat(24);
    expect(Buffer.from(token).toString("base64")).to.match(/^(fn5\+){8}$/);
    expect(createEchoDetector(token)("fn5+".repeat(8))).to.equal(true);
    expect(createEchoDetector(token)("fn5-".repeat(8))).to.equal(true);
  });

  it("finds a token that the text breaks off in, from the eighth character on, in clear", () => {
    for (let length = 8; length <= TOKEN.length; length += 1) {
      expect(isEcho(`got ${TOKEN.slice(0, length)}`), `${length} characters`).to.equal(true);
      expect(isEcho(`got ${TOKEN.slice(0, length).toUpperCase()}`), `${length} characters`).to.equal(true);
    }
    expect(isEcho(`got ${TOKEN.slice(0, 7)}`)).to.equal(false);
  });

  for (const [how, encode] of TOKEN_ENCODINGS) {
    it(`finds a token ${how} that the text breaks off in, within an escape, too`, () => {
      const encoded = encode(TOKEN);
      // Half of the token is 12 characters. Fewer than 8 characters are not looked for.
      for (let length = encoded.length >> 1; length <= encoded.length; length += 1) {
        expect(isEcho(`got ${encoded.slice(0, length)}`), encoded.slice(0, length)).to.equal(true);
      }
    });
  }

  it("finds a token that is broken up by any invisible character", () => {
    for (const code of [
      0xad, 0x34f, 0x115f, 0x17b4, 0x180b, 0x200b, 0x2060, 0x3164, 0xfe0f, 0xffa0, 0xe0100,
    ]) {
      const broken = TOKEN.split("").join(String.fromCodePoint(code));
      expect(isEcho(`got ${broken} back`), code.toString(16)).to.equal(true);
    }
  });

  it("accepts ordinary texts, also where the token is made of ordinary words", () => {
    const wordy = createEchoDetector("control-plane-token");
    for (const text of [
      "",
      "0",
      "120",
      "Wed, 21 Oct 2026 07:28:00 GMT",
      "The control plane token is not valid. Use another control-plane token.",
      '{"status":404,"title":"Not Found","instance":"konnect:trace:1","detail":"No control-plane here."}',
      '{"type":"about:blank","title":"Not Found","status":404,"instance":"/v2/control-planes/9524ec7d"}',
      "<html><head><title>502 Bad Gateway</title></head><body>control%2Dplane</body></html>",
      "spat_another0987654321 and kpat_another0987654321",
      Buffer.from("user:another-password").toString("base64"),
    ]) {
      expect(wordy(text), text).to.equal(false);
      expect(isEcho(text), text).to.equal(false);
    }
  });

  it("accepts any text when the token is shorter than 8 characters, because words contain it", () => {
    expect(createEchoDetector("abcdefg")("abcdefg")).to.equal(false);
    expect(createEchoDetector("abcdefgh")("abcdefgh")).to.equal(true);
  });

  it("decides in a fraction of a second about a list of 2 MiB, whatever its encoding is", () => {
    const token = `spat_${"AbCdEfGhIjKlMnOpQrStUvWxYz0123456789".repeat(2)}`;
    const isEchoOf = createEchoDetector(token);
    const bytes = 2 * 1024 * 1024;
    const planes = Array.from({ length: bytes / 1_024 }, (_, n) => ({
      id: `9524ec7d-36d9-465d-a8c5-${String(n).padStart(12, "0")}`,
      name: `plane "${n}"\n`,
      labels: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`label-${at}`, `${n}-${at}`])),
    }));
    const list = JSON.stringify({ data: planes }).slice(0, bytes);
    const texts = {
      list,
      "a list with indents": JSON.stringify({ data: planes }, undefined, 2).slice(0, bytes),
      "an encoded list": encodeURIComponent(list).slice(0, bytes),
      "percent signs": "%41".repeat(bytes / 3),
      "parts of the token": token.slice(0, 15).repeat(bytes / 15),
    };
    for (const [what, text] of Object.entries(texts)) {
      const before = process.cpuUsage();
      expect(isEchoOf(`${text}}`), what).to.equal(false);
      // A tenth of a second of work. It is several times as much when each character makes a string.
      expect(process.cpuUsage(before).user / 1_000_000, `${what}, in seconds`).to.be.lessThan(0.3);
    }
    expect(isEchoOf(`${list} ${token} `)).to.equal(true);
  }).timeout(60_000);

  it("decides within a second about 64 KiB of anything, for a token of 8 KiB", () => {
    const characters = Array.from({ length: 8_187 }, (_, at) => ((at * at) % 36).toString(36)).join("");
    const createdMs = performance.now();
    const isLongEcho = createEchoDetector(`spat_${characters}`);
    expect(performance.now() - createdMs, "to derive what it looks for").to.be.lessThan(1_000);
    const pieces = [
      "a",
      "\\",
      "%",
      "%25",
      "&",
      "&amp;",
      "&#0",
      "&#x0",
      "\\u00",
      "\\\\u00",
      "\\x",
      " ",
      "\u0000",
    ];
    for (const piece of [...pieces, "spat_SENT", "c3BhdF9TRU5U", "737061745f"]) {
      const text = piece.repeat(Math.ceil((64 * 1024) / piece.length));
      for (const end of ["", "x", "%2", "\\u00"]) {
        const startMs = performance.now();
        isLongEcho(text + end);
        expect(performance.now() - startMs, JSON.stringify(piece + end)).to.be.lessThan(1_000);
      }
    }
  });
});
