import { expect } from "chai";
import { create } from "../../../provider/hooks/create.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { read } from "../../../provider/hooks/read.js";
import { SettingsError } from "../../../provider/service/errors.js";
import { errorOf, FakeContext, ID, outputs } from "./fake-context.js";

const bad = { "konnect:region": "eu", "konnect:maxAttempts": "many", "konnect:concurrency": "0" };

const first = 'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"';

describe("a limit that cannot be used", () => {
  const calls: readonly (readonly [
    what: string,
    outcome: string,
    run: (context: FakeContext) => Promise<unknown>,
  ])[] = [
    ["adopting", "was not adopted", (context) => create(context, { controlPlaneId: ID })],
    ["looking up", "was not found", (context) => read(context, ID, {})],
    ["reading", "could not be read", (context) => read(context, ID, { ...outputs })],
    ["deleting", "was not deleted", (context) => deleteResource(context, ID, { ...outputs })],
  ];
  for (const [what, outcome, run] of calls) {
    it(`fails ${what} before a request, instead of being passed over`, async () => {
      const context = new FakeContext(bad);
      const error = await errorOf(() => run(context));
      expect(error).to.be.instanceOf(SettingsError);
      expect(error).to.include({ subject: `control plane ${ID}`, summary: first });
      expect(error.message).to.equal(
        [
          `${first}: control plane ${ID} ${outcome}`,
          '  stack configuration konnect:concurrency must be a whole number from 1 to 100, not "0"',
          "",
          "  next      correct that, then run again; nothing was sent",
        ].join("\n"),
      );
      expect([...context.reads, ...context.deletes]).to.deep.equal([]);
      expect(context.memory.isHeld(ID), "nothing is held").to.equal(false);
    });
  }

  it("does not stand in the way of keeping what another resource declares", async () => {
    const context = new FakeContext(bad);
    context.memory.declare(ID);
    context.memory.claim(ID, "create");
    await deleteResource(context, ID, outputs);
    expect(context.lines[0]).to.match(/^kept: /);
  });
});
