import { expect } from "chai";
import { storedProblem } from "../../../provider/hooks/outputs.js";
import { ForbiddenError } from "../../../provider/service/errors.js";
import { failure } from "./fake-context.js";

describe("a stored problem", () => {
  it("of an error that says nothing has a status and a title, and nothing else", () => {
    const facts = { subject: "it", summary: "403", kind: "forbidden", attempts: 1, elapsedMs: 0 } as const;
    expect(storedProblem(new ForbiddenError("403", facts))).to.deep.equal({ status: 0, title: "" });
  });

  it("keeps a detail that fills the 1,000 bytes, and shortens one that takes a byte more", () => {
    const stored = (detail: string) =>
      storedProblem(failure("forbidden", 403, "Permission denied", { detail }));
    const bytes = (problem: object) => Buffer.byteLength(JSON.stringify(problem));
    const room = 1_000 - bytes(stored(""));
    const filling = "漢".repeat(Math.floor(room / 3)) + "x".repeat(room % 3);
    expect(bytes(stored(filling))).to.equal(1_000);
    expect(stored(filling).detail).to.equal(filling);
    expect(stored(`${filling}x`).detail).to.match(/^漢{200}… /);
  });
});
