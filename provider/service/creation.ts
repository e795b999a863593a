import type { Caller, CallOptions, Ended } from "./caller.js";
import { explainCall } from "./failure/explain-call.js";
import { explainCreation, explainTaken } from "./failure/explain-creation.js";
import {
  carriesMark,
  type ControlPlaneChanges,
  type ControlPlaneDocument,
  markLabels,
  type NewControlPlane,
} from "./operations/control-plane-document.js";
import {
  type ControlPlaneRef,
  createControlPlane,
  findNamed,
  type NewControlPlaneRef,
  updateControlPlane,
} from "./operations/control-planes.js";
import {
  answeredAtMs,
  type CallEnd,
  type CallFacts,
  type CallScope,
  factsOf,
  joinFacts,
} from "./retry/call.js";
import type { Limits } from "./retry/judge.js";

/** A control plane that this run created. Everything else is an error. */
export interface Creation {
  readonly controlPlane: ControlPlaneDocument;
  /** Whether the answer to the POST did not show it, and its ownership mark did. */
  readonly isFoundByMark: boolean;
  /**
   * When it was created as this run saw it, in epoch milliseconds, by the clock that later answers are measured with. Set
   * where the service's own time is missing, or does not agree with that clock.
   */
  readonly seenAtMs?: number;
  readonly facts: CallFacts;
}

/** A control plane that was changed. */
export interface Change {
  readonly controlPlane: ControlPlaneDocument;
  readonly facts: CallFacts;
}

/** The answer to a POST shows that the name is taken, so the list is asked only a few times which one has it. */
const CONFLICT_LOOK_UPS = 3;

/** A POST that used up the budget is still confirmed, if one GET can do it in this time. */
const SHORTEST_LOOK_UP_MS = 1_000;

/**
 * Creates a control plane. When the answer does not show whether that worked, or the name is taken, the control plane
 * that has the name is looked up. It counts as created only when it carries the mark of this request.
 *
 * @param mark a random value that no other request has
 * @throws ControlPlaneError if it is not proven to be created
 */
export async function create(
  caller: Caller,
  address: string,
  wanted: NewControlPlane,
  mark: string,
  scope: CallScope,
): Promise<Creation> {
  const subject: NewControlPlaneRef = { address, name: wanted.name };
  const labels = markLabels(wanted.labels, mark);
  const operation = createControlPlane(labels === undefined ? wanted : { ...wanted, labels });
  const ended = await caller.call(operation, subject, scope, { purpose: "create" });
  const { end, failed } = ended;
  const { judgment } = end;
  if (judgment.verdict === "done") {
    const { result } = judgment;
    return { controlPlane: result, isFoundByMark: false, ...seen(result, end), facts: factsOf(end) };
  }
  const isTaken = judgment.row.failure === "conflict";
  if (!isTaken && !end.mayHaveWorked) throw explainCreation(failed);
  const lookUp = await lookUpName(caller, ended, wanted.name, isTaken, scope);
  const found = lookUp.end.judgment.verdict === "done" ? lookUp.end.judgment.result : undefined;
  if (found !== undefined && carriesMark(found.labels, mark)) {
    const facts = joinFacts(factsOf(end), factsOf(lookUp.end));
    return { controlPlane: found, isFoundByMark: true, ...seen(found, lookUp.end), facts };
  }
  throw isTaken ? explainTaken(failed, lookUp.end) : explainCreation(failed, lookUp.end);
}

/** Clocks that differ by less than this agree. */
const AGREEMENT_MS = 10_000;

function seen({ createdAtMs }: ControlPlaneDocument, end: CallEnd<unknown>): Pick<Creation, "seenAtMs"> {
  const seenAtMs = answeredAtMs(end.answer, end.startedAtMs + end.durationMs);
  const agrees = createdAtMs !== undefined && Math.abs(seenAtMs - createdAtMs) < AGREEMENT_MS;
  return agrees ? {} : { seenAtMs };
}

function lookUpName(
  caller: Caller,
  { end, failed }: Ended<unknown>,
  name: string,
  isTaken: boolean,
  scope: CallScope,
): Promise<Ended<ControlPlaneDocument>> {
  const budgetMs = Math.max(SHORTEST_LOOK_UP_MS, failed.limits.budgetMs - end.spentMs);
  const maxAttempts = isTaken
    ? Math.min(CONFLICT_LOOK_UPS, failed.limits.maxAttempts)
    : failed.limits.maxAttempts;
  const limits: Limits = { ...failed.limits, budgetMs, maxAttempts };
  const options: CallOptions = { purpose: "create", token: end.token, limits };
  return caller.call(findNamed(name), failed.subject, scope, options);
}

/** Changes a control plane. @throws ControlPlaneError if it is not proven to be changed */
export async function update(
  caller: Caller,
  controlPlane: ControlPlaneRef,
  changes: ControlPlaneChanges,
  scope: CallScope,
): Promise<Change> {
  const operation = updateControlPlane(controlPlane.id, changes);
  const { end, failed } = await caller.call(operation, controlPlane, scope, { purpose: "update" });
  const { judgment } = end;
  switch (judgment.verdict) {
    case "done":
      return { controlPlane: judgment.result, facts: factsOf(end) };
    case "gone":
      throw explainCall({ ...failed, kind: "missing" });
    case "retry":
    case "confirm":
    case "stop":
      if (judgment.row.failure === "conflict" && changes.name !== undefined) {
        const lookUp = await lookUpName(caller, { end, failed }, changes.name, true, scope);
        throw explainTaken(failed, lookUp.end);
      }
      throw explainCall(failed);
  }
}
