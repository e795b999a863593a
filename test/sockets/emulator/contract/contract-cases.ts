import { ENTITY_KINDS, entityPath, listOf } from "../../../../emulator/control-planes/entity-kind.js";
import { CHANGES } from "./contract-changes.js";
import { CONTROLS } from "./contract-controls.js";
import { forbidding, full, ofAll, ofOne, one, type Case } from "./contract-scene.js";

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

/** The cases of all operations. */
export const CASES: readonly Case[] = [
  ...CHANGES,
  ...CONTROLS,
  ...ofOne("delete-control-plane", "DELETE"),
  {
    answer: "delete-control-plane 204",
    when: "the control plane exists",
    sending: { method: "DELETE", path: one },
  },
  ...ofOne("get-control-plane", "GET"),
  { answer: "get-control-plane 200", when: "the control plane exists", sending: { path: one } },
  ...ofAll("list-control-planes", {}),
  { answer: "list-control-planes 200", when: "the role may read", sending: {} },
  ...[
    "",
    "?sort=created_at%20desc&filter[cloud_gateway]=true",
    "?sort=created_at%20asc,created_at%20desc",
    "?filter[cluster_type][oeq]=CLUSTER_TYPE_NEXT,CLUSTER_TYPE_CONTROL_PLANE",
  ].map((query) => ({
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
    "filter[cloud_gateway]=x",
    "filter[name][eq]=a&filter[name][neq]=b",
    "labels=",
    "sort=name",
    "sort=created_at,name",
    "sort=created_at%20up",
    "sort=",
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
  ...ENTITY_KINDS.flatMap((kind) => {
    const { operation, form = "core" } = listOf(kind);
    const [size, cursor] = form === "core" ? ["size", "offset"] : ["page[size]", "page[after]"];
    return ofPart(operation, entityPath(kind), size, cursor);
  }),
  { answer: "any-other-route 404", when: "the path is unknown", sending: { path: "/meshes" } },
  { answer: "any-other-route 405", when: "the method is PUT", sending: { method: "PUT", path: one } },
  {
    answer: "any-other-route 501",
    when: "the emulator does not serve the list",
    sending: { path: `${one}/dp-client-certificates` },
  },
  {
    answer: "any-other-route 501",
    when: "entities are to be created",
    sending: { method: "POST", path: `${one}/core-entities/services` },
  },
];
