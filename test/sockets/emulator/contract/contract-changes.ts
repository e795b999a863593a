import {
  forbidding,
  group,
  grouped,
  json,
  known,
  ofAll,
  ofOne,
  one,
  unknown,
  type Case,
} from "./contract-scene.js";
import type { Sending } from "../send-request.js";

const ofMembers = (operation: string, method: string, call: string, body?: object): Case[] => [
  ...ofOne(operation, method, `/group-memberships${call}`, body && JSON.stringify(body)),
  ...(body === undefined
    ? []
    : [asText(operation, { method, path: `${one}/group-memberships${call}`, body: JSON.stringify(body) })]),
  {
    answer: `${operation} ${body ? 204 : 200}`,
    when: "the control plane is a group",
    sending: {
      method,
      path: `/control-planes/${group}/group-memberships${call}`,
      ...(body && json(JSON.stringify(body))),
    },
    options: grouped,
  },
  {
    answer: `${operation} 400`,
    when: "the control plane is not a group",
    sending: {
      method,
      path: `${one}/group-memberships${call}`,
      ...(body && json(JSON.stringify(body))),
    },
  },
];

const creating: Sending = {
  method: "POST",
  ...json(
    JSON.stringify({
      name: "new",
      description: "x",
      cluster_type: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
      auth_type: "pki_client_certs",
      cloud_gateway: true,
      proxy_urls: [{ host: "example.com", port: 443, protocol: "https" }],
      labels: { env: "test" },
    }),
  ),
};
const changed = JSON.stringify({
  name: "new",
  description: "",
  auth_type: "pki_client_certs",
  proxy_urls: [],
  labels: { env: "test" },
});
const broken = JSON.stringify({
  name: "x",
  description: "x".repeat(2_049),
  auth_type: "password",
  cloud_gateway: "yes",
  proxy_urls: [{ host: "", port: 0, protocol: "x".repeat(33), path: "/" }, 7],
  labels: { "kong-x": "y", team: "-", stage: "" },
  id: known,
});

/** Returns the case of a body that is not sent as JSON. */
const asText = (operation: string, sending: Sending): Case => ({
  answer: `${operation} 415`,
  when: "the body is not sent as JSON",
  sending: { ...sending, headers: { "content-type": "text/plain" } },
});

/** The cases of the operations that create and change control planes and groups, and of refused deletions. */
export const CHANGES: readonly Case[] = [
  {
    answer: "delete-control-plane 409",
    when: "the control plane is a group with members",
    sending: { method: "DELETE", path: `/control-planes/${group}` },
    options: grouped,
  },
  {
    answer: "delete-control-plane 409",
    when: "the control plane is a member",
    sending: { method: "DELETE", path: one },
    options: grouped,
  },
  ...ofAll("create-control-plane", creating),
  asText("create-control-plane", creating),
  asText("update-control-plane", { method: "PATCH", path: one, body: changed }),
  { answer: "create-control-plane 201", when: "the body has all properties", sending: creating },
  {
    answer: "create-control-plane 400",
    when: "the body breaks every rule",
    sending: { ...creating, ...json(broken) },
  },
  { answer: "create-control-plane 400", when: "there is no body", sending: { method: "POST" } },
  {
    answer: "create-control-plane 400",
    when: "the usage limit is reached",
    sending: creating,
    options: { maxControlPlanes: 1 },
  },
  {
    answer: "create-control-plane 403",
    when: "the role does not allow it",
    sending: creating,
    options: forbidding,
  },
  {
    answer: "create-control-plane 409",
    when: "the name is taken",
    sending: { method: "POST", ...json('{"name":"edge"}') },
  },
  ...ofOne("update-control-plane", "PATCH", "", '{"description":"x"}'),
  {
    answer: "update-control-plane 200",
    when: "the body has all properties",
    sending: { method: "PATCH", path: one, ...json(changed) },
  },
  {
    answer: "update-control-plane 400",
    when: "the body breaks every rule",
    sending: { method: "PATCH", path: one, ...json(broken) },
  },
  {
    answer: "update-control-plane 409",
    when: "the new name is taken",
    sending: { method: "PATCH", path: one, ...json('{"name":"all"}') },
    options: grouped,
  },
  ...ofMembers("get-control-planes-id-group-memberships", "GET", ""),
  ...["page[size]=0", "page[size]=101", "page[after]=x"].map((query) => ({
    answer: "get-control-planes-id-group-memberships 400",
    when: `the query is ${query}`,
    sending: { path: `${one}/group-memberships?${query}` },
  })),
  ...["", "?page[size]=1"].map((query) => ({
    answer: "get-control-planes-id-group-memberships 200",
    when: `the group has two members and the query is "${query}"`,
    sending: { path: `/control-planes/${group}/group-memberships${query}` },
    options: grouped,
  })),
  ...ofMembers("put-control-planes-id-group-memberships", "PUT", "", { members: [{ id: known }] }),
  ...ofMembers("post-control-planes-id-group-memberships-add", "POST", "/add", { members: [{ id: known }] }),
  ...ofMembers("post-control-planes-id-group-memberships-remove", "POST", "/remove", {
    members: [{ id: known }],
  }),
  ...["/add", ""].map((call) => ({
    answer: `${call === "" ? "put" : "post"}-control-planes-id-group-memberships${call.replace("/", "-")} 400`,
    when: "no member may join",
    sending: {
      method: call === "" ? "PUT" : "POST",
      path: `/control-planes/${group}/group-memberships${call}`,
      ...json(JSON.stringify({ members: [{ id: group }, { id: unknown }] })),
    },
    options: grouped,
  })),
  ...ofOne("get-control-planes-id-group-status", "GET", "/group-status"),
  {
    answer: "get-control-planes-id-group-status 200",
    when: "the control plane is a group",
    sending: { path: `/control-planes/${group}/group-status` },
    options: grouped,
  },
  {
    answer: "get-control-planes-id-group-status 400",
    when: "the control plane is not a group",
    sending: { path: `${one}/group-status` },
  },
  ...ofOne("get-control-planes-id-group-member-status", "GET", "/group-member-status"),
  {
    answer: "get-control-planes-id-group-member-status 200",
    when: "the control plane exists",
    sending: { path: `${one}/group-member-status` },
  },
];
