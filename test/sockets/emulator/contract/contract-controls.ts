import { json, known, type Case } from "./contract-scene.js";
import type { Sending } from "../send-request.js";

/** An operation of the control, a request that it accepts, and the status of its answer. */
const OPERATIONS: readonly (readonly [operation: string, status: number, sending: Sending])[] = [
  ["control-count-faults", 200, { path: "/__control/faults" }],
  [
    "control-add-faults",
    201,
    { method: "POST", path: "/__control/faults", ...json('{"faults":[{"status":503,"times":"forever"}]}') },
  ],
  ["control-clear-faults", 204, { method: "DELETE", path: "/__control/faults" }],
  ["control-list-requests", 200, { path: "/__control/requests" }],
  ["control-reset", 204, { method: "POST", path: "/__control/reset" }],
  ["control-list-control-planes", 200, { path: "/__control/control-planes" }],
  [
    "control-add-control-plane",
    201,
    { method: "POST", path: "/__control/control-planes", ...json('{"name":"added"}') },
  ],
  [
    "control-change-control-plane",
    200,
    { method: "PATCH", path: `/__control/control-planes/${known}`, ...json('{"description":"x"}') },
  ],
  ["control-remove-control-plane", 204, { method: "DELETE", path: `/__control/control-planes/${known}` }],
];

const ofOperation = ([operation, status, sending]: (typeof OPERATIONS)[number]): Case[] => [
  { answer: `${operation} ${status}`, when: "the request is valid", sending },
  {
    answer: `${operation} 400`,
    when: "there is a query",
    sending: { ...sending, path: `${sending.path ?? ""}?all=true` },
  },
  {
    answer: `${operation} 400`,
    when: "the body has an unknown field, or there should be no body",
    sending: { ...sending, ...json('{"force":true}') },
  },
  {
    answer: `${operation} 403`,
    when: "the Host header names another machine",
    sending: { ...sending, headers: { ...sending.headers, host: "emulator.example" } },
  },
];

/** The cases of the control. */
export const CONTROLS: readonly Case[] = [
  ...OPERATIONS.flatMap(ofOperation).map((each) => ({ ...each, options: { control: true } })),
  ...["change", "remove"].map((verb) => ({
    answer: `control-${verb}-control-plane 404`,
    when: "no control plane has the id",
    sending: {
      method: verb === "change" ? "PATCH" : "DELETE",
      path: "/__control/control-planes/nope",
      ...(verb === "change" && json("{}")),
    },
    options: { control: true },
  })),
  {
    answer: "any-other-control-route 404",
    when: "the path is unknown",
    sending: { path: "/__control/tokens" },
    options: { control: true },
  },
  {
    answer: "any-other-control-route 405",
    when: "the path takes other methods",
    sending: { method: "PUT", path: "/__control/faults" },
    options: { control: true },
  },
  {
    answer: "any-other-route 404",
    when: "the control is off",
    sending: { path: "/__control/faults" },
  },
];
