import { ControlPlaneError } from "../../service/failure/control-plane-error.js";
import { type ControlPlaneRef, describeControlPlane } from "../../service/operations/control-planes.js";
import { joinFirst, linesOf, safe, safeLines, safeText, type SafeText } from "../../text/safe-text.js";

/** A member of a set for which an operation failed. */
export interface FailedMember {
  readonly controlPlane: ControlPlaneRef;
  readonly error: ControlPlaneError;
}

/** Each block names at most this many members. The report file has all of them. */
const NAMED = 20;

/** Explains at most this many causes, because a problem's detail may differ for each member. */
const EXPLAINED = 10;

/**
 * Creates the error of an operation that failed for some members of a set. It says how many, and has a block for each cause: the
 * message of its first member, and the names and ids of all.
 *
 * @param outcome what did not happen
 */
export function explainSet(
  total: number,
  failures: readonly [FailedMember, ...FailedMember[]],
  outcome: "not adopted" | "not deleted" | "not read",
): ControlPlaneError {
  const planes = total === 1 ? safe`control plane` : safe`control planes`;
  const verb = failures.length === 1 ? safe`was` : safe`were`;
  const summary = safe`${failures.length} of ${total} ${planes} ${verb} ${safeText(outcome, 20)}`;
  const causes = groupByCause(failures);
  const blocks = [
    ...causes.slice(0, EXPLAINED).map(describeCause),
    ...describeOthers(causes.slice(EXPLAINED)),
  ];
  const message = safeLines([summary, ...blocks.flatMap((block) => [safe``, ...block])]);
  const [[first]] = causes;
  return new ControlPlaneError(message, { kind: first.error.kind, subject: safe`the set`, summary });
}

type Cause = readonly [FailedMember, ...FailedMember[]];

/** Groups members whose errors say the same, apart from the name and id of each. The largest group comes first. */
function groupByCause(failures: Cause): readonly [Cause, ...Cause[]] {
  const causes = new Map<string, [FailedMember, ...FailedMember[]]>();
  for (const failure of failures) {
    const { summary, kind, problem, findings } = failure.error;
    const said = [problem?.detail ?? "", ...findings].map((text) =>
      withoutMember(text, failure.controlPlane),
    );
    const key = JSON.stringify([kind, summary, ...said]);
    const members = causes.get(key);
    if (members === undefined) causes.set(key, [failure]);
    else members.push(failure);
  }
  return [...causes.values()].sort((a, b) => b.length - a.length) as unknown as readonly [Cause, ...Cause[]];
}

/** The service names the control plane in the detail of its problems, which would make each detail another one. */
function withoutMember(detail: string, { id, name = id }: ControlPlaneRef): string {
  return detail.toLowerCase().replaceAll(id, "").replaceAll(name.toLowerCase(), "");
}

function describeCause(members: Cause): readonly SafeText[] {
  const [{ error }] = members;
  return [
    safe`  ${error.summary}: ${nameMembers(members)}`,
    ...linesOf(error.text)
      .slice(1)
      .map((line) => (line === "" ? line : safe`  ${line}`)),
  ];
}

function describeOthers(causes: readonly Cause[]): readonly (readonly SafeText[])[] {
  if (causes.length === 0) return [];
  const which = causes.length === 1 ? safe`1 other cause` : safe`${causes.length} other causes`;
  return [[safe`  ${which}: ${nameMembers(causes.flat())}`]];
}

function nameMembers(members: readonly FailedMember[]): SafeText {
  return joinFirst(
    members.map(({ controlPlane }) => describeControlPlane(controlPlane)),
    NAMED,
  );
}
