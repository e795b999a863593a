import type { MessageRow } from "../../text/message.js";
import { joinSafe, safe, safeName, safeText, type SafeText } from "../../text/safe-text.js";
import { type ControlPlaneDocument, MARK_LABEL } from "../operations/control-plane-document.js";
import { describeControlPlane } from "../operations/control-planes.js";
import type { Problem } from "../problem/problem.js";
import type { CallEnd } from "../retry/call.js";
import type { ControlPlaneError } from "./control-plane-error.js";
import { describeAnswer, explainCall, type FailedCall } from "./explain-call.js";

/**
 * Creates the error of a control plane that was not created, or that may or may not have been created.
 *
 * @param lookUp how the look-up of its name ended. Default: none was needed
 */
export function explainCreation(
  failed: FailedCall,
  lookUp?: CallEnd<ControlPlaneDocument>,
): ControlPlaneError {
  const { judgment } = failed.end;
  if (judgment.verdict === "gone") return explainCall({ ...failed, kind: "missing" });
  if (isUsageLimit(judgment.problem)) {
    const next = safe`delete control planes that nobody needs, or ask for a larger allowance, then run again`;
    return explainCall({ ...failed, next });
  }
  if (lookUp === undefined) return explainCall(failed);
  const found = lookUp.judgment.verdict === "done" ? lookUp.judgment.result : undefined;
  if (found !== undefined) {
    const findings = [
      safe`A control plane has this name: ${describeFound(found)}.`,
      safe`It does not carry the label ${safeText(MARK_LABEL, 40)} of this run, so it is unknown whether this run created it.`,
    ];
    const next = safe`adopt it if it is yours, or choose another name, then run again`;
    return explainCall({ ...failed, findings, next, moreRows: adoptRow(found) });
  }
  const { awaits, problem } = lookUp.judgment;
  const finding =
    awaits === "creation"
      ? safe`No control plane with this name is listed, after ${looks(lookUp.attempts)}.`
      : safe`Could not check whether a control plane has this name: ${describeAnswer(lookUp.answer, problem)}.`;
  const next = safe`run again: if it was created after all, the error then names its id`;
  return explainCall({ ...failed, findings: [finding], next });
}

/**
 * Creates the error of a name that another control plane has.
 *
 * @param lookUp how the look-up of the name ended
 */
export function explainTaken(failed: FailedCall, lookUp: CallEnd<ControlPlaneDocument>): ControlPlaneError {
  const { judgment, answer } = lookUp;
  if (judgment.verdict !== "done") {
    const finding =
      judgment.awaits === "creation"
        ? safe`This token cannot see the control plane that has the name.`
        : safe`Could not find out which control plane has the name: ${describeAnswer(answer, judgment.problem)}.`;
    return explainCall({ ...failed, findings: [finding], next: safe`choose another name, then run again` });
  }
  const found = judgment.result;
  const findings = [safe`The name is taken by ${describeFound(found)}.`];
  if (failed.purpose === "update") return explainCall({ ...failed, findings });
  const renamed = safe`if you renamed the resource, tell Pulumi so with aliases: [{ name: "<old name>" }]`;
  return explainCall({ ...failed, findings, moreRows: [...adoptRow(found), [safe`renamed`, renamed]] });
}

/** The line that adopts a control plane, to be copied into the program. */
function adoptRow({ id }: ControlPlaneDocument): readonly MessageRow[] {
  return [[safe`adopt`, safe`controlPlaneId: "${safeText(id, 60)}" instead of name and what belongs to it`]];
}

function describeFound(found: ControlPlaneDocument): SafeText {
  const since = found.createdAt === undefined ? safe`` : safe`, created ${safeText(found.createdAt, 40)}`;
  const pairs = Object.entries(found.labels).map(([label, value]) => safeName(`${label}=${value}`, 130));
  const labels =
    pairs.length === 0 ? safe`without labels` : safe`labels ${joinSafe(pairs.slice(0, 10), ", ")}`;
  return safe`${describeControlPlane(found)}${since}, ${labels}`;
}

function looks(count: number): SafeText {
  return count === 1 ? safe`1 look` : safe`${count} looks`;
}

/** The allowance of an organization is used up. Source: Control Planes API v2, `400UsageLimitsReachedExample`. */
function isUsageLimit({ status, detail = "", invalidParameters }: Problem): boolean {
  const texts = [detail, ...invalidParameters.map(({ reason = "" }) => reason)];
  return status === 400 && texts.some((text) => /usage limit/i.test(text));
}
