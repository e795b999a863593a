import { safe, type SafeText } from "../../text/safe-text.js";
import type { Answer, NoReplyCause } from "../http/answer.js";
import type { CallEnd } from "../retry/call.js";
import type { CallFailureKind } from "../retry/policy.js";
import type { FailureKind } from "./control-plane-error.js";

/**
 * The purpose of a call. It selects the wording of an error. `check`: the control plane may be deleted only when this
 * call shows no obstacle.
 */
export type Purpose = "delete" | "adopt" | "create" | "update" | "read" | "look up" | "list" | "check";

/** The purposes that a hook can have. The others are steps on the way. */
export type HookPurpose = Exclude<Purpose, "list" | "check">;

/**
 * Returns what a failure means for the subject of a call, for the first line of a message.
 *
 * @param isMany whether the subject is more than one control plane
 */
export function outcomeFor(
  purpose: Purpose,
  kind: FailureKind,
  mayHaveWorked: boolean,
  isMany = false,
): SafeText {
  const was = isMany ? safe`were` : safe`was`;
  switch (purpose) {
    case "delete":
    case "check":
      return mayHaveWorked ? safe`may or may not have been deleted` : safe`${was} not deleted`;
    case "adopt":
      return safe`${was} not adopted`;
    case "create":
      return mayHaveWorked ? safe`may or may not have been created` : safe`was not created`;
    case "update":
      return mayHaveWorked ? safe`may or may not have been updated` : safe`was not updated`;
    case "read":
      return safe`could not be read`;
    case "list":
      return safe`could not be listed`;
    case "look up":
      return kind === "missing" ? safe`${was} not found` : safe`could not be read`;
  }
}

/** Returns what the reader of a failure does next. */
export function nextStep(
  kind: CallFailureKind,
  answer: Answer,
  stop: CallEnd<unknown>["stop"],
  purpose: Purpose,
): SafeText {
  if (stop === "Retry-After too long") {
    return safe`run again when that time is over, or allow a larger retryBudgetSeconds`;
  }
  const byPurpose = NEXT_BY_PURPOSE[purpose]?.[kind];
  if (byPurpose !== undefined) return byPurpose;
  if (kind === "forbidden" && purpose !== "delete" && purpose !== "update") {
    const what = purpose === "list" ? safe`control planes` : safe`this control plane`;
    return safe`give the system account a role that may read ${what}, then run again`;
  }
  const byCause =
    answer.kind === "no reply" && kind !== "interrupted" ? NEXT_BY_CAUSE[answer.cause] : undefined;
  if (byCause !== undefined) return byCause;
  return kind === "unavailable" && purpose === "delete"
    ? safe`${NEXT.unavailable}; what is deleted stays deleted`
    : NEXT[kind];
}

const NEXT: Readonly<Record<CallFailureKind, SafeText>> = {
  invalid: safe`correct what is named above, then run again`,
  unauthenticated: safe`use a token that is valid for this organization, then run again`,
  forbidden: safe`give the system account the Admin role on this control plane, then run again`,
  conflict: safe`remove what is in the way (a group's members go first), then run again`,
  missing: safe`correct the id or the address; a token of another organization gets the same answer`,
  foreign: safe`check the address, and any proxy on the way, then run again`,
  untrusted: safe`name the issuer's certificate file in NODE_EXTRA_CA_CERTS, or correct the address, then run again`,
  proxy: safe`correct HTTPS_PROXY (its address, its user and password), or name the host in NO_PROXY, then run again`,
  service: safe`run again; if it happens again, give the trace to the service's support`,
  unavailable: safe`run again when the service answers`,
  interrupted: safe`run again`,
};

/** The next step where the purpose says more than the kind. */
const NEXT_BY_PURPOSE: Readonly<Partial<Record<Purpose, Partial<Record<CallFailureKind, SafeText>>>>> = {
  create: {
    forbidden: safe`give the system account the Creator role for control planes, then run again`,
    conflict: safe`choose another name, or adopt the control plane that has it, then run again`,
    missing: safe`correct the address, then run again`,
  },
  list: { missing: safe`correct the address, then run again` },
  update: {
    conflict: safe`choose another name, then run again`,
    missing: safe`run pulumi refresh, which removes the missing control plane from the state; the next up creates it again`,
  },
};

/** The next step where the cause says more than the kind. */
const NEXT_BY_CAUSE: Readonly<Partial<Record<NoReplyCause, SafeText>>> = {
  "DNS lookup failed": safe`check the address, the DNS of this machine and any proxy, then run again`,
  "host unreachable": safe`check the address, and this machine's network, then run again`,
  "TLS handshake failed": safe`check the address, and any proxy on the way, then run again`,
  "proxy failed": safe`check the proxy, and whether it reaches the service, then run again`,
  "certificate of another host": safe`correct the address, or any proxy on the way, then run again`,
  "certificate expired": safe`check this machine's clock; otherwise the server's certificate must be renewed`,
  "certificate not yet valid": safe`check this machine's clock, then run again`,
};
