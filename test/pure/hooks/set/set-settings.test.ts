import { expect } from "chai";
import { createSet, updateSet } from "../../../../provider/hooks/set/adopt-set.js";
import { deleteSet } from "../../../../provider/hooks/set/delete-set.js";
import { readSet } from "../../../../provider/hooks/set/read-set.js";
import type { OutcomeEvent } from "../../../../provider/report/outcome-event.js";
import { errorOf, EU, failure, FakeContext, ID, OTHER_ID } from "../fake-context.js";

const recorded = { baseUrl: EU, controlPlanes: [{ id: ID, name: "edge" }] };
const inputs = { controlPlaneIds: [OTHER_ID], region: "eu" };

/** Each hook that sends something, with the words for what it did not do. */
const HOOKS: readonly {
  readonly name: string;
  readonly run: (context: FakeContext) => Promise<unknown>;
  readonly purpose: string;
  readonly ids: readonly string[];
  readonly undone: string;
}[] = [
  {
    ...{ name: "create", run: (context) => createSet(context, inputs), purpose: "adopt", ids: [OTHER_ID] },
    undone: "were not adopted",
  },
  {
    ...{ name: "read", run: (context) => readSet(context, "set", recorded), purpose: "read", ids: [ID] },
    undone: "could not be read",
  },
  {
    ...{ name: "update", run: (context) => updateSet(context, recorded, inputs), purpose: "adopt" },
    ...{ ids: [ID, OTHER_ID], undone: "were not adopted" },
  },
  {
    ...{ name: "delete", run: (context) => deleteSet(context, recorded), purpose: "delete", ids: [ID] },
    undone: "were not deleted",
  },
];

/** Returns for what each control plane failed, its id and address, and the message. */
const failuresOf = ({ events }: FakeContext) =>
  events
    .filter((event): event is OutcomeEvent & { type: "failed" } => event.type === "failed")
    .map(({ purpose, controlPlane: { id, address }, error }) => [purpose, id, address, error.message]);

describe("a hook of a set", () => {
  for (const { name, run, purpose, ids, undone } of HOOKS) {
    it(`fails when a setting is unusable, names it, and sends nothing (${name})`, async () => {
      const context = new FakeContext({ "konnect:region": "eu", "konnect:maxAttempts": "many" });
      const { message } = await errorOf(() => run(context));
      expect(message.split("\n")[0]).to.equal(
        `the control planes at ${EU} ${undone}: ` +
          'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"',
      );
      expect([context.deletes, context.reads]).to.deep.equal([[], []]);
      expect(failuresOf(context)).to.deep.equal([[purpose, ids.at(-1), EU, message]]);
    });

    it(`says for what and with which control planes it begins and ends (${name})`, async () => {
      const context = new FakeContext();
      await run(context);
      const set = { purpose, ids: new Set(ids) };
      expect(context.events[0]).to.deep.equal({ type: "set started", set });
      expect(context.events.at(-1)).to.deep.equal({ type: "set ended", set });
    });

    it(`says for what a control plane failed (${name})`, async () => {
      const error = failure("unavailable", 503, "Service Unavailable");
      const context = Object.assign(new FakeContext(), { reading: error, deletion: error });
      await errorOf(() => run(context));
      expect(failuresOf(context)).to.deep.equal([[purpose, ids.at(-1), EU, error.message]]);
    });

    it(`passes on a defect of this package as it is (${name})`, async () => {
      const defect = new TypeError("x is not a function");
      const context = Object.assign(new FakeContext(), { reading: defect, deletion: defect });
      expect(await errorOf(() => run(context))).to.equal(defect);
    });
  }
});
