import { expect } from "chai";
import { check } from "../../../../provider/hooks/check.js";
import { createResource, diffResource, updateResource } from "../../../../provider/hooks/resource.js";
import { readResource } from "../../../../provider/hooks/read.js";
import type { Properties } from "../../../../provider/state/recorded-fields.js";
import { facts, ID } from "../fake-context.js";
import { contextWith, edge, foundEdge } from "./created-scene.js";

const [HYBRID, PLAIN, GROUP] = [
  "CLUSTER_TYPE_HYBRID",
  "CLUSTER_TYPE_CONTROL_PLANE",
  "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
];

/** What cannot be changed: what the program asks for, what the service says instead, and something else. */
const VALUES = [
  { argument: "clusterType", asked: HYBRID, said: PLAIN, other: GROUP },
  { argument: "cloudGateway", asked: true, said: false },
] as const;

for (const { argument, asked, said, ...more } of VALUES) {
  const saying = (value: unknown) => ({ [argument]: value });
  const inputs = { name: "edge" };
  const asking = (value: unknown, also: object = {}) => ({ ...inputs, [argument]: value, ...also });

  /** Creates it with what the program asks for, while the service says something else. */
  async function create(value: unknown): Promise<Properties> {
    return (await createResource(contextWith(saying(said)), asking(value))).outs;
  }

  /** Refreshes the state while the service says a value. Returns the state and the arguments that stand for it. */
  async function refresh(state: Properties, value: unknown) {
    const context = contextWith();
    context.reading = foundEdge(saying(value));
    const result = await readResource(context, ID, state);
    if (!("props" in result) || result.inputs === undefined) throw new Error("the refresh lost it");
    return { state: result.props, inputs: result.inputs };
  }

  /** Changes the description, with these arguments, while the service says a value. */
  async function update(state: Properties, news: Properties, value: unknown): Promise<Properties> {
    const context = contextWith();
    context.changes = [{ controlPlane: { ...edge, ...saying(value), description: "new" }, facts }];
    return (await updateResource(context, ID, state, { ...news, description: "new" })).outs;
  }

  /** Returns what the next preview replaces. */
  async function replacedBy(state: Properties, news: Properties) {
    const context = contextWith();
    check(context, { ...news });
    return (await diffResource(context, ID, state, { ...news })).replaces ?? [];
  }

  async function expectNoReplacement(state: Properties): Promise<void> {
    for (const value of [asked, said, undefined]) {
      expect(await replacedBy(state, asking(value)), `${argument}: ${value}`).to.deep.equal([]);
    }
  }

  describe(`a created control plane whose ${argument} the service calls something else`, () => {
    it("is not replaced after its creation, by what was asked for, by what the service says, or by neither", async () => {
      await expectNoReplacement(await create(asked));
    });

    it("is not replaced after a refresh", async () => {
      const { state, inputs: found } = await refresh(await create(asked), said);
      await expectNoReplacement(state);
      expect(await replacedBy(state, found)).to.deep.equal([]);
    });

    for (const [what, value] of [
      ["that asks for the same", asked],
      ["that asks for what the service says", said],
      ["that asks for nothing", undefined],
    ] as const) {
      it(`is not replaced after an update ${what}`, async () => {
        const state = await update(await create(asked), asking(value), said);
        await expectNoReplacement(state);
        const refreshed = await refresh(state, said);
        await expectNoReplacement(refreshed.state);
        expect(await replacedBy(refreshed.state, refreshed.inputs)).to.deep.equal([]);
      });
    }

    it("is not replaced when the service later says what was asked for, and then the other again", async () => {
      const renamed = await refresh(await create(asked), asked);
      await expectNoReplacement(renamed.state);
      expect(await replacedBy(renamed.state, renamed.inputs)).to.deep.equal([]);
      await expectNoReplacement((await refresh(renamed.state, said)).state);
      await expectNoReplacement(await update(renamed.state, asking(said), said));
      await expectNoReplacement(await update(await create(asked), asking(asked), asked));
    });

    it("is not replaced when the service says something else only after the creation", async () => {
      const created = await create(said);
      const { state, inputs: found } = await refresh(created, asked);
      await expectNoReplacement(state);
      expect(await replacedBy(state, found)).to.deep.equal([]);
      await expectNoReplacement(await update(created, asking(said), asked));
    });
  });

  describe(`a created control plane whose ${argument} is not what the program asks for`, () => {
    it("is replaced when that is neither what was asked for nor what the service says", async () => {
      const [value, state] =
        "other" in more ? [more.other, await create(asked)] : [true, await create(undefined)];
      expect(await replacedBy(state, asking(value))).to.deep.equal([argument]);
      expect(await replacedBy((await refresh(state, said)).state, asking(value))).to.deep.equal([argument]);
    });
  });
}
