import type { EmulatorOptions, Fault } from "../../../../emulator/index.js";
import { ENTITY_KINDS } from "../../../../emulator/control-planes/entity-kind.js";
import type { Sending } from "../send-request.js";

/** The id of the control plane that exists in every case. */
export const known = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
/** An id that no control plane has. */
export const unknown = "00000000-0000-4000-8000-000000000000";
/** The id of the group in `grouped`. */
export const group = "6f1c0b0e-0d5c-4f64-9a53-2f3a5f1d7c11";
/** The id of the other member in `grouped`. */
export const second = "c1a7be0f-2f43-4d0a-8b62-6c1f2f7d9e22";
/** The path of the control plane that exists in every case. */
export const one = `/control-planes/${known}`;
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

/** A token that may do nothing. */
export const forbidding: EmulatorOptions = {
  tokens: { [token]: { name: "nobody", read: false, create: false, edit: false, delete: false } },
};

/** Returns the body and header that send JSON. */
export const json = (body: string) => ({ body, headers: { "content-type": "application/json" } });

/** Returns the cases that every operation has. */
export const ofAll = (operation: string, sending: Sending): Case[] => [
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

/** Returns the cases that every operation on one control plane has. */
export const ofOne = (operation: string, method: string, part = "", body?: string): Case[] => {
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

/** A control plane with all that a seed describes. */
export const full: EmulatorOptions = {
  controlPlanes: [
    {
      id: known,
      name: "edge",
      createdAt: "2026-01-05T10:00:00+02:00",
      clusterType: "CLUSTER_TYPE_SERVERLESS_V1",
      cloudGateway: true,
      nodes: [
        { hostname: "dp-1", lastPingSecondsAgo: 30, connected: true },
        { hostname: "dp-2", lastPingSecondsAgo: 86_400, type: "ingress-controller", version: "3.4.0" },
      ],
      entities: Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, 2])),
    },
  ],
};

/** A control plane, a group that has it and another member, and the token. */
export const grouped: EmulatorOptions = {
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
