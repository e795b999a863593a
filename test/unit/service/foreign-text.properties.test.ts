import { expect } from "chai";
import fc from "fast-check";
import { harmless, redact } from "../../../provider/service/foreign-text.js";
import { anyText, dangerIn, DANGEROUS_PIECES } from "../../dangerous-text.js";

const RUNS = 1_000;

/** The words that say how much is missing, with up to seven digits. */
const NOTICE = "… (1234567 more characters)".length;

describe(`any text made harmless (${RUNS} runs each)`, () => {
  const holds = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: RUNS });
  const lengths = fc.oneof(fc.nat(30), fc.nat(1_000));

  it("has nothing dangerous in it, wherever it is cut", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(dangerIn(harmless(text, length))).to.equal(undefined);
      }),
    );
  });

  it("is bounded", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(harmless(text, length).length).to.be.at.most(length + NOTICE);
      }),
    );
  });

  it("says how much is missing when it is cut, and nothing when it is not", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        const whole = harmless(text, Infinity);
        const cut = harmless(text, length);
        const [, missing] = /… \((\d+) more characters\)$/.exec(cut.slice(Math.max(0, length - 1))) ?? [];
        if (whole.length <= length) expect(cut).to.equal(whole);
        else expect(whole.length - Number(missing)).to.be.oneOf([length, length - 1]);
      }),
    );
  });

  it("stays as it is when it is made harmless again", () => {
    holds(
      fc.property(anyText(), (text) => {
        const once = harmless(text, Infinity);
        expect(harmless(once, Infinity)).to.equal(once);
      }),
    );
  });

  it("can always be sent: it is whole characters", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(() => encodeURI(harmless(text, length))).not.to.throw();
      }),
    );
  });

  it("is as safe between other text as alone, where a space is between", () => {
    holds(
      fc.property(anyText(), lengths, (text, length) => {
        expect(dangerIn(`500 ${harmless(text, length)} (${harmless(text, length)}) `)).to.equal(undefined);
      }),
    );
  });

  it("has no secret in it, wherever it is cut", () => {
    const secrets = ["Bearer hunter2", "spat_hunter2", "KPAT_hunter2", "Authorization: Basic hunter2"];
    holds(
      fc.property(anyText(5), lengths, (text, length) => {
        for (const secret of [...secrets, "//user:hunter2@"]) {
          expect(harmless(`${text} and ${secret} ${text}`, length)).not.to.match(/hunter2|user/);
        }
      }),
    );
  });
});

describe("every two dangerous pieces", () => {
  it("are harmless together, and with a harmless character between", () => {
    for (const a of DANGEROUS_PIECES) {
      for (const b of DANGEROUS_PIECES) {
        for (const text of [a + b, `${a} ${b}`, `${a}:${b}`, `${a}spat_x${b}`]) {
          expect(dangerIn(harmless(text, 1_000)), JSON.stringify(text)).to.equal(undefined);
        }
      }
    }
  });
});

describe("what is removed as a secret", () => {
  it(`is removed for good: nothing is left to remove (${RUNS} runs)`, () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(redact(redact(text))).to.equal(redact(text));
      }),
      { numRuns: RUNS },
    );
  });
});
