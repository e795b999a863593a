import { createResource } from "../../../provider/hooks/resource.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import type { Messages } from "../../runbook-page.js";
import { deleted, problemReply, reply } from "../../pure/service/answers.js";
import { destroyed, ID, Night, OTHER_ID, PAYMENTS } from "./night.js";

const GROUP = "CLUSTER_TYPE_CONTROL_PLANE_GROUP";
const GROUP_ID = "e3107b9c-48a6-4d5f-92c1-7fb6a05d8e24";
const ORDERS = { id: OTHER_ID, name: "orders" };
const ALL = { id: GROUP_ID, name: "all", config: { cluster_type: GROUP } };

/** What the state records of a group that its resource created. */
const CREATED = { ...PAYMENTS, clusterType: GROUP, __origin: "created" };

const conflict = (detail: string) => problemReply(409, "Conflict", { detail });
const noGroup = problemReply(400, "Bad Request");
const members = (...data: readonly object[]): Answer => reply(200, { meta: { page: { next: null } }, data });
const list = (...data: readonly object[]): Answer =>
  reply(200, { data, meta: { page: { number: 1, size: 100, total: data.length } } });

/** What the runbook quotes about groups and their members. */
export const GROUP_MESSAGES: Messages = {
  "409: a group has members": [
    () => destroyed([conflict("The group has members."), members(ORDERS)]),
    () => destroyed([members(ORDERS)], {}, CREATED),
  ],
  "409: a member of a group": [
    () =>
      destroyed([
        ...[conflict("The control plane is a member of a group."), noGroup],
        ...[list(ALL), members({ id: ID, name: "payments" })],
      ]),
  ],
  "409: something is in the way": [
    () => destroyed([conflict("The control plane is in use."), noGroup, list()]),
  ],
  "409: the name is taken": [
    () => {
      const night = new Night([conflict("The name is not free."), list({ id: GROUP_ID, name: "all" })]);
      return night.read((context) =>
        createResource(context, { name: "all", clusterType: GROUP, region: "eu" }),
      );
    },
  ],
  "Members were removed from a group": [
    () => destroyed([members(ORDERS), reply(204), deleted], {}, { ...CREATED, detachMembers: true }),
    () =>
      destroyed(
        [members(ORDERS), reply(204), problemReply(403, "Forbidden")],
        {},
        { ...CREATED, members: [OTHER_ID] },
      ),
  ],
  "400: a member is refused": [
    () => {
      const refused = problemReply(400, "Bad Request", {
        invalid_parameters: [
          { field: "members[0].id", reason: "the control plane does not exist", rule: "missing_reference" },
        ],
      });
      const inputs = { name: "all", clusterType: GROUP, members: [OTHER_ID], region: "eu" };
      const night = new Night([reply(201, ALL), members(), refused]);
      return night.read(async (context) => {
        throw (await createResource(context, inputs)).unfinished ?? new Error("nothing failed");
      });
    },
  ],
};
