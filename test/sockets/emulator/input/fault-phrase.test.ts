import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { parseFaultPhrase } from "../../../../emulator/input/fault-phrase.js";

const id = "9524ec7d-36d9-465d-a8c5-83a3c9390458";

describe("a fault in words", () => {
  const valid: readonly (readonly [phrase: string, route: object, fault: object])[] = [
    ["DELETE 503", { method: "DELETE" }, { status: 503 }],
    ["DELETE 503 x2", { method: "DELETE" }, { status: 503, times: 2 }],
    ["  GET   200   x1000000  ", { method: "GET" }, { status: 200, times: 1_000_000 }],
    ["POST reset", { method: "POST" }, { reset: "before" }],
    ["POST reset-after", { method: "POST" }, { reset: "after" }],
    ["PUT hang", { method: "PUT" }, { hang: true }],
    ["PATCH edge 599", { method: "PATCH", name: "edge" }, { status: 599 }],
    [`DELETE ${id} 409`, { method: "DELETE", id }, { status: 409 }],
    ["POST 'new edge' reset-after x3", { method: "POST", name: "new edge" }, { reset: "after", times: 3 }],
    ['POST "it\'s" 500', { method: "POST", name: "it's" }, { status: 500 }],
    ["DELETE 503 503", { method: "DELETE", name: "503" }, { status: 503 }],
    ["DELETE hang reset", { method: "DELETE", name: "hang" }, { reset: "before" }],
    ["DELETE x2 503 x2", { method: "DELETE", name: "x2" }, { status: 503, times: 2 }],
    ["DELETE 503 after 2s", { method: "DELETE" }, { status: 503, delayMs: 2_000 }],
    [
      "DELETE edge 503 x2 after 500ms",
      { method: "DELETE", name: "edge" },
      { status: 503, times: 2, delayMs: 500 },
    ],
    ["DELETE 503 after 600s", { method: "DELETE" }, { status: 503, delayMs: 600_000 }],
    ["DELETE 503 after 0s", { method: "DELETE" }, { status: 503, delayMs: 0 }],
  ];
  for (const [phrase, route, fault] of valid) {
    it(`may be ${phrase}`, () => {
      expect(parseFaultPhrase(phrase)).to.deep.equal({ route, fault });
    });
  }

  it("may be any of those in docs/internals/emulator.md", () => {
    const page = readFileSync(path.resolve(__dirname, "../../../../docs/internals/emulator.md"), "utf8");
    const phrases = [...page.matchAll(/--fault "([^"]*)"/g)].map(([, phrase = ""]) => phrase);
    expect(phrases).to.have.length.above(1);
    for (const phrase of phrases) expect(() => parseFaultPhrase(phrase), phrase).not.to.throw();
  });

  const methods = "it must begin with GET, POST, PUT, PATCH or DELETE";
  const outcomes = "a status from 200 to 599, reset, reset-after or hang";
  const times = "must be x1 to x1000000";
  const delay = "after must be followed by a time up to 600s, such as 2s or 500ms";
  const invalid: readonly (readonly [phrase: string, mistake: string])[] = [
    ["", `${methods}, not ""`],
    ["503", `${methods}, not "503"`],
    ["delete 503", `${methods}, not "delete"`],
    ["DELETE", `it needs ${outcomes}`],
    ["DELETE 199", `"199" must be ${outcomes}`],
    ["DELETE 600", `"600" must be ${outcomes}`],
    ["DELETE edge", `"edge" must be ${outcomes}`],
    ["DELETE edge 5033", `"5033" must be ${outcomes}`],
    ["DELETE new edge 503", `"edge" must be ${outcomes}`],
    ["DELETE edge x2", `"x2" must be ${outcomes}`],
    ["DELETE toString 503x", `"503x" must be ${outcomes}`],
    ["DELETE 503 x0", `"x0" ${times}`],
    ["DELETE 503 x1000001", `"x1000001" ${times}`],
    ["DELETE 503 2", '"2" must be xN or after Ns, in this order'],
    ["DELETE 503 after 2s x2", 'unexpected "x2"'],
    ["DELETE 503 x2 x2", '"x2" must be xN or after Ns, in this order'],
    ["DELETE 503 after", `${delay}, not ""`],
    ["DELETE 503 after 2", `${delay}, not "2"`],
    ["DELETE 503 after 2m", `${delay}, not "2m"`],
    ["DELETE 503 after 601s", `${delay}, not "601s"`],
    ["DELETE 503 after -1s", `${delay}, not "-1s"`],
    ["DELETE \u001b[31m", `"\\u001b[31m" must be ${outcomes}`],
  ];
  for (const [phrase, mistake] of invalid) {
    it(`must not be ${JSON.stringify(phrase)}`, () => {
      expect(() => parseFaultPhrase(phrase)).to.throw(
        Error,
        new RegExp(
          `^${escape(`--fault ${JSON.stringify(phrase)}: ${mistake}; the form is `)}` +
            `${escape("METHOD [name or id] STATUS|reset|reset-after|hang [xN] [after Ns]")}$`,
        ),
      );
    });
  }
});

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
