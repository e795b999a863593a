import { expect } from "chai";
import fc from "fast-check";
import { isHarmless, joinSafe, safe, safeName, safeText } from "../../../provider/text/safe-text.js";
import { anyText, dangerIn, DANGEROUS_PIECES } from "../../dangerous-text.js";

const RUNS = Number(process.env.FAST_CHECK_RUNS ?? 300);

/** The words that a cut adds, with a number of up to seven digits. */
const NOTICE = "… (1234567 more characters)".length;

const holds = <T>(property: fc.IProperty<T>): void => fc.assert(property, { numRuns: RUNS });
const lengths = fc.oneof(fc.nat(30), fc.nat(1_000));

describe(`safeText, for any text (${RUNS} runs each)`, () => {
  it("returns nothing dangerous, wherever it cuts", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(dangerIn(safeText(text, length))).to.equal(undefined);
        expect(dangerIn(safeName(text, length))).to.equal(undefined);
      }),
    );
  });

  it("is bounded", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(safeText(text, length).length).to.be.at.most(length + NOTICE);
      }),
    );
  });

  it("says how much is missing if and only if it cuts", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        const whole = safeText(text, Infinity);
        const cut = safeText(text, length);
        const [, missing] = /… \((\d+) more characters\)$/.exec(cut.slice(Math.max(0, length - 1))) ?? [];
        if (whole.length <= length) expect(cut).to.equal(whole);
        else expect(whole.length - Number(missing)).to.be.oneOf([length, length - 1]);
      }),
    );
  });

  it("changes nothing when it is applied again", () => {
    holds(
      fc.property(anyText(), (text) => {
        const once = safeText(text, Infinity);
        expect(safeText(once, Infinity)).to.equal(once);
        expect(isHarmless(once)).to.equal(true);
      }),
    );
  });

  it("returns whole characters, which can always be encoded", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(() => encodeURI(safeText(text, length))).not.to.throw();
      }),
    );
  });

  it("holds no secret, wherever it cuts", () => {
    const secrets = ["Bearer hunter2", "spat_hunter2", "KPAT_hunter2", "Authorization: Basic hunter2"];
    holds(
      fc.property(anyText(5), lengths, (text, length) => {
        for (const secret of [...secrets, "//user:hunter2@"]) {
          expect(safeText(`${text} and ${secret} ${text}`, length)).not.to.match(/hunter2|user/);
        }
      }),
    );
  });
});

describe(`joined safe texts (${RUNS} runs)`, () => {
  it("hold nothing dangerous, wherever they meet", () => {
    holds(
      fc.property(anyText(6), anyText(6), lengths, (one, other, length) => {
        const [a, b] = [safeText(one, length), safeName(other, length)];
        for (const joined of [safe`${a}${b}`, safe`500 ${a} (${b}): ${a}`, joinSafe([a, b, a], "")]) {
          expect(dangerIn(joined)).to.equal(undefined);
          expect(isHarmless(joined)).to.equal(true);
        }
      }),
    );
  });
});

describe("every two dangerous pieces", () => {
  it("are safe together, apart, and with another character between them", () => {
    for (const a of DANGEROUS_PIECES) {
      for (const b of DANGEROUS_PIECES) {
        for (const text of [a + b, `${a} ${b}`, `${a}:${b}`, `${a}spat_x${b}`]) {
          expect(dangerIn(safeText(text, 1_000)), JSON.stringify(text)).to.equal(undefined);
        }
      }
    }
  });
});
