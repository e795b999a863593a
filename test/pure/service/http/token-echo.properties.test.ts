import { expect } from "chai";
import fc from "fast-check";
import { createEchoDetector } from "../../../../provider/service/http/token-echo.js";
import { anyText } from "../../../dangerous-text.js";
import { TOKEN_ENCODINGS } from "./token-encodings.js";

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 200);
const holds = <T>(property: fc.IProperty<T>): void => fc.assert(property, { numRuns: RUNS });

/** RFC 6750 section 2.1. */
const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/";
const token = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...Array.from(CHARACTERS)), minLength: 8, maxLength: 80 }),
    fc.constantFrom("", "=", "=="),
  )
  .map(([text, end]) => text + end);

const ONE_ROUND = [
  "as it is",
  "in upper case",
  "in a URL",
  "in a URL, every character encoded",
  "in HTML, by decimal numbers",
  "in HTML, by hexadecimal numbers",
  "in JSON",
  "in JSON within JSON",
  "in JSON, every character escaped",
];
/** Not what another encoding makes four rounds, nor characters beyond ASCII, which a URL spells as several bytes. */
const innerEncoding = fc.constantFrom(
  ...TOKEN_ENCODINGS.filter(([how]) => !/URL within a URL within|zero-width/.test(how)),
);
const outerEncoding = fc.constantFrom(...TOKEN_ENCODINGS.filter(([how]) => ONE_ROUND.includes(how)));
/** Ends a run of characters, as what stands around an echoed token does. */
const around = anyText(4).map((text) => [`${text}<`, `>${text}`] as const);

describe(`createEchoDetector, for any token (${RUNS} runs each)`, () => {
  it("finds the token in every encoding within another one, whatever stands around it", () => {
    holds(
      fc.property(
        token,
        innerEncoding,
        outerEncoding,
        around,
        (value, [inner, encode], [outer, again], text) => {
          const echo = text[0] + again(encode(value)) + text[1];
          expect(createEchoDetector(value)(echo), `${inner}, then ${outer}`).to.equal(true);
        },
      ),
    );
  });

  it("finds the token where the text breaks off in it after 8 characters or more", () => {
    holds(
      fc.property(token, anyText(4), fc.nat(100), (value, text, cut) => {
        const length = 8 + (cut % (value.length - 7));
        expect(createEchoDetector(value)(`${text} ${value.slice(0, length)}`)).to.equal(true);
      }),
    );
  });

  it("finds 16 characters of the token within a text", () => {
    holds(
      fc.property(token, fc.nat(100), around, (value, start, [before, after]) => {
        const at = start % Math.max(1, value.length - 15);
        const echo = before + value.slice(at, at + 16) + after;
        expect(createEchoDetector(value)(echo)).to.equal(true);
      }),
    );
  });

  it("does not find it in an ordinary answer", () => {
    const answers = [
      '{"status":403,"title":"Permission denied","instance":"konnect:trace:2287285207635123011"}',
      '{"id":"9524ec7d-36d9-465d-a8c5-83a3c9390458","name":"edge","labels":{"team":"payments"}}',
      "<html><head><title>503 Service Temporarily Unavailable</title></head><hr>nginx</html>",
    ];
    const varied = token.filter((value) => new Set(value).size >= 6);
    holds(
      fc.property(varied, fc.constantFrom(...answers), (value, answer) => {
        expect(createEchoDetector(value)(answer)).to.equal(false);
      }),
    );
  });
});
