import { adoptControlPlane } from "../../../provider/hooks/adopted.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { createSet, updateSet } from "../../../provider/hooks/set/adopt-set.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import type { Messages } from "../../runbook-page.js";
import { deleted, gone, problemReply, reply } from "../../pure/service/answers.js";
import type { Step } from "../../pure/service/fake-service.js";
import { always, destroyed, ID, Night, OTHER_ID, PAYMENTS, SET, setDestroyed } from "./night.js";

const DENIED = problemReply(403, "Permission denied", {
  detail: "The role-set of [sa-ci] does not allow this action.",
});
const PROD = { id: ID, name: "payments", labels: { env: "prod" } };
const ORDERS = { id: OTHER_ID, name: "orders", labels: { env: "preview" } };
const ONLY_PREVIEWS = { ...PAYMENTS, onlyIfLabels: { env: "preview" } };
const UNCONNECTED = { ...PAYMENTS, deletionPolicy: "no-connected-nodes" };
const EMPTY = { ...PAYMENTS, deletionPolicy: "empty" };

/** One page of the nodes of a control plane: one node that was heard from 41 seconds ago. */
const ONE_NODE = reply(200, {
  items: [{ hostname: "dp-1", last_ping: Date.UTC(2026, 0, 1) / 1_000 - 41 }],
  page: { total_count: 1 },
});

/** Two services, five routes, and nothing else. */
const entities: Step = ({ url }) => {
  const count = url.includes("/services") ? 2 : url.includes("/routes") ? 5 : 0;
  return reply(200, { data: Array.from({ length: count }, (_, n) => ({ id: `entity-${n}` })), offset: null });
};

/** What the runbook quotes about guards. */
export const GUARD_MESSAGES: Messages = {
  "The labels no longer match": [
    () => destroyed([reply(200, PROD)], {}, ONLY_PREVIEWS),
    () => setDestroyed([page(PROD, ORDERS), deleted], { ...SET, onlyIfLabels: { env: "preview" } }),
  ],
  "Its owner keeps it": [
    () =>
      destroyed([reply(200, { ...PROD, labels: { keep: "true" } })], {}, { ...PAYMENTS, keepLabel: "keep" }),
  ],
  "Nodes are connected": [() => destroyed([ONE_NODE], {}, UNCONNECTED)],
  "It is not empty": [
    () =>
      destroyed(
        Array.from({ length: 25 }, () => entities),
        {},
        EMPTY,
      ),
  ],
  "A guard could not be checked": [
    () => destroyed([DENIED], {}, UNCONNECTED),
    () =>
      new Night(always(reply(200, { ...PROD, labels: { env: "preview" } }))).read((context) => {
        // Eleven seconds pass between a check and the DELETE after it.
        let nowMs = 0;
        return deleteResource({ ...context, monotonicMs: () => (nowMs += 11_000) }, ID, ONLY_PREVIEWS);
      }),
  ],
  "A guard is not known to this release": [
    () => destroyed([], {}, { ...PAYMENTS, deletionPolicy: "no-traffic" }),
  ],
  "A warning about a guard during `up`": [
    () =>
      new Night([reply(200, PROD)]).read((context) =>
        adoptControlPlane(context, { controlPlaneId: ID, region: "eu", onlyIfLabels: { env: "preview" } }),
      ),
  ],
  "KONNECT_FORCE_DELETE overrides a guard": [
    () => destroyed([reply(200, PROD), deleted], { env: { KONNECT_FORCE_DELETE: "1" } }, ONLY_PREVIEWS),
  ],
};

/** What the runbook quotes about sets. */
export const SET_MESSAGES: Messages = {
  "Some members of a set are left": [() => setDestroyed([forOne(DENIED, deleted), forOne(DENIED, deleted)])],
  "Members of a set were not adopted": [
    () => {
      const night = new Night([page(PROD), gone]);
      return night.read((context) => createSet(context, { controlPlaneIds: [ID, OTHER_ID], region: "eu" }));
    },
  ],
  "Kept, and no longer in the state": [
    () => {
      const inputs = { controlPlaneIds: [OTHER_ID], region: "eu" };
      return new Night([]).read((context) => updateSet(context, SET, inputs));
    },
  ],
};

/** A page of the list of control planes. */
function page(...data: readonly object[]): Answer {
  return reply(200, { data, meta: { page: { number: 1, size: 100, total: data.length } } });
}

/** Answers the request about "payments" in one way, and every other in another. */
function forOne(answer: Answer, others: Answer): Step {
  return ({ url }) => (url.includes(ID) ? answer : others);
}
