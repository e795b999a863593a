import type { EmulatorOptions, Fault } from "../../../emulator/index.js";
import { LIST_OPERATIONS } from "../../../emulator/control-planes/entity-kind.js";
import type { Sending } from "./send-request.js";

/** The id of the control plane that exists in every case. */
export const known = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
const unknown = "00000000-0000-4000-8000-000000000000";
const group = "6f1c0b0e-0d5c-4f64-9a53-2f3a5f1d7c11";
const second = "c1a7be0f-2f43-4d0a-8b62-6c1f2f7d9e22";
const one = `/control-planes/${known}`;
/** The token of every case that names no other. */
export const token = "spat_contract";

/** A request that makes the emulator send a described answer. Every request has the token unless it says otherwise. */
export interface Case {
  /** An operation identifier and a status. */
  readonly answer: string;
  readonly when: string;
  readonly sending: Sending;
  readonly options?: EmulatorOptions;
  readonly script?: Fault;
}

const forbidding: EmulatorOptions = {
  tokens: { [token]: { name: "nobody", read: false, create: false, edit: false, delete: false } },
};

const json = (body: string) => ({ body, headers: { "content-type": "application/json" } });

const ofAll = (operation: string, sending: Sending): Case[] => [
  {
    answer: `${operation} 401`,
    when: "the request has no token",
    sending: { ...sending, token: undefined },
  },
  { answer: `${operation} 401`, when: "the token is unknown", sending: { ...sending, token: "spat_other" } },
  {
    answer: `${operation} 429`,
    when: "the requests of a minute are used up",
    sending,
    options: { requestsPerMinute: 0 },
  },
  {
    answer: `${operation} 429`,
    when: "the connections are used up",
    sending,
    options: { maxConnections: 0 },
  },
  ...[403, 429, 500, 503].map((status) => ({
    answer: `${operation} ${status}`,
    when: "a fault scripts the status",
    sending,
    script: { status },
  })),
];

const ofOne = (operation: string, method: string, part = "", body?: string): Case[] => {
  const at = (id: string, query = ""): Sending => ({
    method,
    path: `/control-planes/${id}${part}${query}`,
    ...(body !== undefined && json(body)),
  });
  return [
    ...ofAll(operation, at(known)),
    { answer: `${operation} 400`, when: "the id is not a UUID", sending: at("nope") },
    { answer: `${operation} 400`, when: "the query is unknown", sending: at(known, "?force=true") },
    {
      answer: `${operation} 400`,
      when: "the request has a JSON body with an unknown property",
      sending: { ...at(known), ...json('{"force":1}') },
    },
    {
      answer: `${operation} 400`,
      when: "the request has a body that is not JSON",
      sending: { ...at(known), ...json("force") },
    },
    {
      answer: `${operation} 403`,
      when: "the role does not allow it",
      sending: at(known),
      options: forbidding,
    },
    { answer: `${operation} 404`, when: "the control plane does not exist", sending: at(unknown) },
  ];
};

const full: EmulatorOptions = {
  controlPlanes: [
    {
      id: known,
      name: "edge",
      createdAt: "2026-01-05T10:00:00+02:00",
      clusterType: "CLUSTER_TYPE_SERVERLESS_V1",
      cloudGateway: true,
      nodes: [
        { hostname: "dp-1", lastPingSecondsAgo: 30 },
        { hostname: "dp-2", lastPingSecondsAgo: 86_400, type: "ingress-controller", version: "3.4.0" },
      ],
      entities: { services: 2, routes: 2, plugins: 2, consumers: 2, upstreams: 2, certificates: 2 },
    },
  ],
};

const ofPart = (operation: string, part: string, size: string, cursor: string): Case[] => [
  ...ofOne(operation, "GET", part),
  ...[`${size}=0`, `${size}=1001`, `${size}=x`, `${cursor}=x`, `${size}=1&${size}=1`].map((query) => ({
    answer: `${operation} 400`,
    when: `the query is ${query}`,
    sending: { path: `${one}${part}?${query}` },
  })),
  { answer: `${operation} 200`, when: "the list is empty", sending: { path: `${one}${part}` } },
  {
    answer: `${operation} 200`,
    when: "one page is enough",
    sending: { path: `${one}${part}` },
    options: full,
  },
  {
    answer: `${operation} 200`,
    when: "a page follows",
    sending: { path: `${one}${part}?${size}=1` },
    options: full,
  },
];

/** A control plane, a group that has it and another member, and the token. */
const grouped: EmulatorOptions = {
  controlPlanes: [
    { id: known, name: "edge" },
    { id: second, name: "core" },
    {
      id: group,
      name: "all",
      clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP",
      members: [known, second],
    },
  ],
};

const ofMembers = (operation: string, method: string, call: string, body?: object): Case[] => [
  ...ofOne(operation, method, `/group-memberships${call}`, body && JSON.stringify(body)),
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
  labels: { env: "test", team: null },
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

/** The cases of all operations. */
export const CASES: readonly Case[] = [
  ...ofOne("delete-control-plane", "DELETE"),
  {
    answer: "delete-control-plane 204",
    when: "the control plane exists",
    sending: { method: "DELETE", path: one },
  },
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
  ...ofOne("get-control-plane", "GET"),
  { answer: "get-control-plane 200", when: "the control plane exists", sending: { path: one } },
  ...ofAll("list-control-planes", {}),
  { answer: "list-control-planes 200", when: "the role may read", sending: {} },
  ...["", "?sort=created_at%20desc&filter[cloud_gateway]=true"].map((query) => ({
    answer: "list-control-planes 200",
    when: `a control plane has all that a seed describes and the query is "${query}"`,
    sending: { path: `/control-planes${query}` },
    options: full,
  })),
  {
    answer: "list-control-planes 200",
    when: "the role may read nothing",
    sending: {},
    options: forbidding,
  },
  ...[
    "page[size]=0",
    "page[size]=101",
    "page[number]=x",
    "filter[id][eq]=x",
    "filter[id][oeq]=x",
    "filter[cluster_type][eq]=x",
    "filter[cluster_type][oeq]=x",
    "filter[cloud_gateway]=x",
    "filter[name][eq]=a&filter[name][neq]=b",
    "labels=",
    "sort=name",
    "page[size]=1&page[size]=2",
  ].map((query) => ({
    answer: "list-control-planes 400",
    when: `the query is ${query}`,
    sending: { path: `/control-planes?${query}` },
  })),
  {
    answer: "list-control-planes 400",
    when: "the request has a body",
    sending: { body: "{}" },
  },
  ...ofPart("list-dataplane-nodes", "/nodes", "page[size]", "page[after]"),
  ...Object.entries(LIST_OPERATIONS).flatMap(([kind, operation]) =>
    ofPart(operation, `/core-entities/${kind}`, "size", "offset"),
  ),
  { answer: "any-other-route 501", when: "the path is unknown", sending: { path: "/meshes" } },
  { answer: "any-other-route 501", when: "the method is PUT", sending: { method: "PUT", path: one } },
];
