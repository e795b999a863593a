import { expect } from "chai";
import {
  keepSameProblem,
  type StoredProblem,
  toStoredProblem,
} from "../../../provider/state/recorded-fields.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Problem } from "../../../provider/service/problem/problem.js";
import { safe } from "../../../provider/text/safe-text.js";
import { failure } from "../hooks/fake-context.js";

const store = (title: string, problem: Partial<Problem> = {}) =>
  toStoredProblem(failure("forbidden", 403, title, problem));
const bytesOf = (problem: object) => Buffer.byteLength(JSON.stringify(problem));

describe("a stored problem", () => {
  it("has the status of the answer, and the members of the problem document", () => {
    const type = "https://kongapi.info/x";
    expect(store("Permission denied", { detail: "No role.", type })).to.deep.equal({
      status: 403,
      title: "Permission denied",
      detail: "No role.",
      type,
      instance: "konnect:trace:403",
    });
  });

  it("has a status and a title, and nothing else, when the error has no facts", () => {
    const about = { kind: "forbidden", subject: safe`it`, summary: safe`403` } as const;
    expect(toStoredProblem(new ControlPlaneError(safe`403`, about))).to.deep.equal({ status: 0, title: "" });
  });

  it("keeps what the service sent, without secrets and in a safe form", () => {
    expect(store("No", { detail: "team::edge", instance: "konnect:trace:1" })).to.include({
      detail: "team::edge",
    });
    expect(store("No", { detail: "Bearer hunter2\n::error::" })).to.include({
      detail: "Bearer [removed] : :error::",
    });
  });

  it("keeps a detail that fills the 1,000 bytes, and shortens one that takes a byte more", () => {
    const stored = (detail: string) => store("Permission denied", { detail });
    const room = 1_000 - bytesOf(stored(""));
    const filling = "漢".repeat(Math.floor(room / 3)) + "x".repeat(room % 3);
    expect(bytesOf(stored(filling))).to.equal(1_000);
    expect(stored(filling).detail).to.equal(filling);
    expect(stored(`${filling}x`).detail).to.match(/^漢{200}… /);
  });

  it("keeps a shorter detail rather than none", () => {
    const { detail } = store("権限がありません", { detail: "漢".repeat(500) });
    expect(detail).to.match(/^漢{200}… \(300 more characters\)$/);
  });

  const pieces = [
    ["letters", "x"],
    ["wide characters", "漢"],
    ["emoji", "🦍"],
    ["quotation marks", '"'],
    ["backslashes", "\\"],
    ["control characters", "\u001b"],
  ] as const;
  for (const [what, piece] of pieces) {
    it(`takes at most 1,000 bytes of JSON when its members are full of ${what}`, () => {
      for (const length of [40, 60, 100, 300, 50_000]) {
        const long = piece.repeat(length);
        const stored = store(long, { detail: long, type: long, instance: long });
        expect(bytesOf(stored), `length ${length}`).to.be.within(100, 1_000);
        expect(stored).to.include.keys("status", "title", "type", "instance");
      }
    });
  }
});

describe("a problem that is read again", () => {
  const before: StoredProblem = { status: 403, title: "No", detail: "No role.", instance: "konnect:trace:1" };

  it("stays as it is when only its trace differs, whatever the order of its members", () => {
    const again = { instance: "konnect:trace:2", detail: "No role.", title: "No", status: 403 };
    expect(keepSameProblem(again, before)).to.equal(before);
    const untraced = { status: 403, title: "No", detail: "No role." };
    expect(keepSameProblem(untraced, before)).to.equal(before);
  });

  it("is replaced when anything else differs", () => {
    for (const other of [
      { ...before, status: 401 },
      { ...before, title: "Not" },
      { ...before, detail: "Another reason." },
      { ...before, type: "https://kongapi.info/x" },
    ]) {
      expect(keepSameProblem(other, before)).to.equal(other);
    }
  });

  it("is the new one when there was none, and none when there is none any more", () => {
    expect(keepSameProblem(before, undefined)).to.equal(before);
    expect(keepSameProblem(undefined, before)).to.equal(undefined);
  });
});
