import { expect } from "chai";
import { adoptedTwice, stillDeclared } from "../../../provider/hooks/declared-elsewhere.js";
import { ID, recordedRef, ref } from "./fake-context.js";

describe("the error of a control plane that is declared elsewhere", () => {
  it("names a control plane that is adopted twice, and both reasons for it", () => {
    const { message, subject, summary } = adoptedTwice(recordedRef);
    expect([subject, summary]).to.deep.equal([`control plane "edge" (${ID})`, "adopted twice"]);
    expect(message.split("\n")).to.deep.equal([
      `Adopted twice: control plane "edge" (${ID}) was not adopted again`,
      "  Another resource has already adopted it. Remove one of the two resources. (With --replace, the old resource still holds it.)",
    ]);
  });

  it("names a control plane that is still declared, and both reasons for it", () => {
    const { message, subject, summary } = stillDeclared(ref);
    expect([subject, summary]).to.deep.equal([
      `control plane ${ID}`,
      "still declared by the program, not deleted",
    ]);
    expect(message.split("\n")).to.deep.equal([
      `Still declared: control plane ${ID} was not deleted`,
      "  The program still declares it. Either the new resource could not adopt it or names another address, or this resource is being replaced. Pulumi keeps the old resource.",
    ]);
  });
});
