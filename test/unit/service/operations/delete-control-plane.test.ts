import { expect } from "chai";
import { deleteControlPlane } from "../../../../provider/service/operations/delete-control-plane.js";
import { found, ref, reply } from "../answers.js";

describe("deleteControlPlane", () => {
  const operation = deleteControlPlane(ref.id);

  it("is a DELETE of the control plane, which may be repeated", () => {
    expect(operation).to.include({
      name: "delete-control-plane",
      method: "DELETE",
      path: "/control-planes/9524ec7d-36d9-465d-a8c5-83a3c9390458",
      idempotent: true,
    });
    expect(operation).not.to.have.any.keys("body", "query");
  });

  it("treats a 204 as a deletion", () => {
    expect(operation.parse(reply(204))).to.deep.equal({ kind: "result", result: "deleted" });
  });

  for (const [what, answer] of [
    ["200 without a body", reply(200)],
    ["200 with a captive portal's JSON", reply(200, { captive: true })],
    ["200 with the control plane", found],
    ["202", reply(202, { status: "queued" })],
    ["207 with a 403 inside", reply(207, { items: [{ status: 403 }] })],
    ["200 with a page", reply(200, "<html>")],
    ["200 with a body that was cut", reply(200, " ".repeat(9), { bodyEnd: "too large" })],
    ["205", reply(205)],
    ["299", reply(299)],
  ] as const) {
    it(`treats ${what} as unproven`, () => {
      expect(operation.parse(answer)).to.deep.equal({ kind: "unproven" });
    });
  }
});
