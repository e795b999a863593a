import { expect } from "chai";
import { explainSet, type FailedMember } from "../../../../provider/hooks/set/set-failure.js";
import { settingsError } from "../../../../provider/service/failure/control-plane-error.js";
import { safe } from "../../../../provider/text/safe-text.js";
import { EU, failure } from "../fake-context.js";

const idOf = (n: number) => `${String(n).padStart(8, "0")}-0000-4000-8000-000000000000`;
const nameOf = (n: number) => `control plane "cp-${n}" (${idOf(n)})`;

const failed = (n: number, detail: string): FailedMember => ({
  controlPlane: { id: idOf(n), address: EU, name: `cp-${n}` },
  error: failure("forbidden", 403, "Permission denied", { detail }),
});
const range = (count: number) => Array.from({ length: count }, (_, n) => n);
const explain = (failures: readonly FailedMember[], total = failures.length) =>
  explainSet(total, failures as [FailedMember, ...FailedMember[]], "not deleted");

describe("the error of a set", () => {
  it("has a block for each cause, the one with the most members first", () => {
    const error = explain([failed(1, "No role."), failed(2, "In a group."), failed(3, "In a group.")], 120);
    expect(error.message.split("\n").filter((line) => /^\d|^ {2}\d/.test(line))).to.deep.equal([
      "3 of 120 control planes were not deleted",
      `  403 Permission denied: ${nameOf(2)}, ${nameOf(3)}`,
      `  403 Permission denied: ${nameOf(1)}`,
    ]);
    expect(error).to.include({ kind: "forbidden", subject: "the set" });
    expect(error.summary).to.equal("3 of 120 control planes were not deleted");
  });

  it("repeats for each cause what the first of its members met, with its blank lines", () => {
    const error = settingsError(safe`Refused: it was not deleted
  2 routes

  next      delete them`);
    const { controlPlane } = failed(1, "");
    expect(explain([{ controlPlane, error }], 1).message.split("\n")).to.deep.equal([
      "1 of 1 control plane was not deleted",
      "",
      `  Refused: it was not deleted: ${nameOf(1)}`,
      "    2 routes",
      "",
      "    next      delete them",
    ]);
  });

  it("names twenty members of a cause, and counts the others", () => {
    const [, , cause = ""] = explain(range(23).map((n) => failed(n, "No role."))).message.split("\n");
    expect(cause).to.contain(nameOf(19)).and.not.to.contain(nameOf(20));
    expect(cause).to.match(/, and 3 more$/);
    const [, , twenty = ""] = explain(range(20).map((n) => failed(n, "No role."))).message.split("\n");
    expect(twenty.endsWith(nameOf(19))).to.equal(true);
  });

  it("explains ten causes, and names the members of all others together", () => {
    const { message } = explain(range(13).map((n) => failed(n, `Reason ${n}.`)));
    const blocks = message.split("\n").filter((line) => /^ {2}\S/.test(line));
    expect(blocks).to.have.length(11);
    expect(blocks[10]).to.equal(`  3 other causes: ${nameOf(10)}, ${nameOf(11)}, ${nameOf(12)}`);
    const { message: eleven } = explain(range(11).map((n) => failed(n, `Reason ${n}.`)));
    expect(eleven).to.match(/\n\n {2}1 other cause: control plane "cp-10" \(\S+\)$/);
  });

  it("has one block for a cause whose detail names each control plane by its id or its name", () => {
    const { message } = explain([
      failed(1, `You may not delete cp-1 [${idOf(1)}].`),
      failed(2, `You may not delete cp-2 [${idOf(2).toUpperCase()}].`),
    ]);
    const blocks = message.split("\n").filter((line) => /^ {2}\S/.test(line));
    expect(blocks).to.deep.equal([`  403 Permission denied: ${nameOf(1)}, ${nameOf(2)}`]);
  });
});
