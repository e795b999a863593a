import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { NOT_DELETED } from "../service/failure/explain-call.js";
import { withoutMark } from "../service/operations/control-plane-document.js";
import {
  type ControlPlaneRef,
  describeControlPlane,
  describeSubject,
  type NewControlPlaneRef,
} from "../service/operations/control-planes.js";
import { nameInUrn } from "../state/deployment.js";
import { renderMessage } from "../text/message.js";
import { joinFirst, safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import type { HookContext } from "./context.js";
import type { Fate, Rival, SetFate } from "./ledger.js";

// The words for what the ledger answers, and for what a change would delete.

/** Names at most this many control planes. */
const LISTED = 10;

/** Describes a resource of the program by its name: `resource "edge"`. @param owner its URN, or its name */
export function describeResource(owner: string | undefined): SafeText {
  if (owner === undefined) return safe`another resource`;
  return safe`resource "${safeName(owner.startsWith("urn:") ? nameInUrn(owner) : owner, 60)}"`;
}

function describeEnding(urn: string | undefined, unknown: SafeText): SafeText {
  return urn === undefined ? unknown : describeResource(urn);
}

/** Describes what is wrong with a resource that declares what other resources declare. For a failure of `check`. */
export function describeRivals(
  resource: string | undefined,
  rivals: readonly [Rival, ...Rival[]],
  name?: string,
): SafeText {
  const found = rivals.map(({ id, by }) => {
    const which =
      id === undefined ? safe`control plane "${safeName(name ?? "", 60)}"` : describeControlPlane({ id });
    return safe`${which} is declared by ${describeResource(resource)} and by ${describeResource(by)}`;
  });
  return safe`Declared twice: ${joinFirst(found, LISTED)}. A control plane may be declared once: remove it from one of the two`;
}

/** Creates the error of a control plane that another resource of the program declares, too. */
export function declaredTwice(
  controlPlane: ControlPlaneRef | NewControlPlaneRef,
  urn: string | undefined,
  by: string | undefined,
): ControlPlaneError {
  const subject = describeSubject(controlPlane);
  const next = safe`remove it from one of the two, then run again`;
  const message = renderMessage({
    headline: safe`Declared twice: ${subject} is declared by ${describeEnding(urn, safe`this resource`)} and by ${describeResource(by)}`,
    explanation: [
      safe`A control plane may be declared once: created, adopted, or in a set. Otherwise the deletion of one resource would delete it for the other one, too.`,
    ],
    rows: [[safe`next`, next]],
  });
  return settingsError(message, {
    subject,
    summary: safe`declared twice, also by ${describeResource(by)}`,
    next,
  });
}

type Refusal = Extract<Fate, { outcome: "refused" }>;

/** Creates the error of a control plane that must be neither deleted nor dropped when its resource ends. */
export function refuseToEnd(
  controlPlane: ControlPlaneRef,
  urn: string | undefined,
  { because, by }: Refusal,
): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const [ending, other] = [describeEnding(urn, safe`its resource`), describeResource(by)];
  const drop = dropIt(urn);
  switch (because) {
    case "declared":
      return refuse(subject, {
        summary: safe`Still declared`,
        why: safe`Pulumi removes ${ending}, but the program still declares this control plane: ${other} has not taken it over. That resource could not adopt or create it, or it names another address.`,
        next: safe`correct ${by === undefined ? safe`the other resource` : other}, then run again; to let go of the control plane instead, run ${drop}`,
      });
    case "referred to":
      return refuse(subject, {
        summary: safe`Still referred to`,
        why: safe`Pulumi removes ${ending}, but the program still refers to this control plane with ControlPlane.get${by === undefined ? safe`` : safe` (${other})`}. A reference does not manage it, so no later run would delete it.`,
        next: safe`to delete it, remove the reference, or run pulumi destroy without --run-program; to keep it, run ${drop}`,
      });
    case "replaced":
      return refuse(subject, {
        summary: safe`Still declared`,
        why: safe`Pulumi replaces ${ending} by deleting it first, and the program still declares this control plane.`,
        next: safe`take deleteBeforeReplace out of the options of the resource, then run again`,
      });
  }
}

/** Creates the error of a control plane whose resource is to have another one, without a comparison of the two. */
export function refuseToReplaceByImport(
  controlPlane: ControlPlaneRef,
  urn: string | undefined,
): ControlPlaneError {
  return refuse(describeControlPlane(controlPlane), {
    summary: safe`Refused`,
    why: safe`Pulumi replaces ${describeEnding(urn, safe`its resource`)} by another control plane, because of the option import or a changed id. That would delete this one.`,
    next: safe`to keep it, declare it under another resource name; to let it go, run ${dropIt(urn)}; to delete it, remove its resource from the program in an up of its own`,
  });
}

/** Creates the error of an imported control plane that is to be deleted before the program has said what it is. */
export function refuseToDeleteImported(
  controlPlane: ControlPlaneRef,
  urn: string | undefined,
): ControlPlaneError {
  return refuse(describeControlPlane(controlPlane), {
    summary: safe`Only imported`,
    why: safe`An import records a control plane before the program says whether it manages it. No pulumi up has succeeded with it since.`,
    next: safe`to delete it, declare it with the arguments of the import and run pulumi up first; to let it go, run ${dropIt(urn)}`,
  });
}

/** Creates the error of a control plane that would be deleted in a run that deletes none. */
export function refuseInThisRun(controlPlane: ControlPlaneRef): ControlPlaneError {
  return refuse(describeControlPlane(controlPlane), {
    summary: safe`Refused`,
    why: safe`KONNECT_NO_DELETE forbids deletions in this run. The commands night and close set it for their up, which comes before the plan.`,
    next: safe`to delete it, run Pulumi yourself without the variable; to keep it, declare it again as before`,
  });
}

/** Creates the error of a set that must be neither deleted nor dropped. */
export function refuseToEndSet(
  members: readonly ControlPlaneRef[],
  urn: string | undefined,
  { because, by }: Extract<SetFate, { outcome: "refused" }>,
): ControlPlaneError {
  const subject = safe`the set`;
  const ending = describeEnding(urn, safe`the set`);
  const other = by === undefined ? safe`another set` : describeResource(by);
  const planes = members.length === 1 ? safe`1 control plane` : safe`${members.length} control planes`;
  const headline = safe`${planes} of ${ending}`;
  const list = joinFirst(members.map(describeControlPlane), LISTED);
  switch (because) {
    case "replaced":
      return refuse(subject, {
        summary: safe`Still declared`,
        headline,
        isOne: members.length === 1,
        why: safe`Pulumi replaces ${ending} by deleting it first, and the program still declares it. It has ${list}.`,
        next: safe`take deleteBeforeReplace out of the options of the set, then run again`,
      });
    case "unclear":
      return refuse(subject, {
        summary: safe`Renamed or removed`,
        headline,
        isOne: members.length === 1,
        why: safe`The set has ${list}. The program no longer declares it, but it declares ${other}, which is new and has none of them. It is unclear whether that is the same set under a new name.`,
        next: safe`if it is the same set, add to ${other} the option aliases: [{ name: "${safeName(urn === undefined ? "<old name>" : nameInUrn(urn), 60)}" }]; if it is another set, remove ${ending} in an up before it is added`,
      });
  }
}

function refuse(
  subject: SafeText,
  {
    summary,
    headline = subject,
    isOne = true,
    why,
    next,
  }: {
    readonly summary: SafeText;
    readonly headline?: SafeText;
    readonly isOne?: boolean;
    readonly why: SafeText;
    readonly next: SafeText;
  },
): ControlPlaneError {
  const message = renderMessage({
    headline: safe`${summary}: ${headline} ${isOne ? safe`was` : safe`were`} not deleted`,
    explanation: [why],
    rows: [
      [safe`state`, NOT_DELETED],
      [safe`next`, next],
    ],
  });
  return settingsError(message, { subject, summary, next });
}

function dropIt(urn: string | undefined): SafeText {
  return urn === undefined ? safe`pulumi state delete` : safe`pulumi state delete '${safeText(urn, 300)}'`;
}

/** Reading what would be lost must not hold up a preview. */
const READ_LIMIT_MS = 5_000;

/** Describes the control plane that would be lost, or what the service says about it. Makes one attempt. */
export async function describeLoss(
  context: HookContext,
  lost: ControlPlaneRef,
): Promise<readonly SafeText[]> {
  try {
    const reading = await context.client.readControlPlane(lost, context, { onceWithinMs: READ_LIMIT_MS });
    if (reading.outcome === "gone") return [safe`The service says that it does not exist.`];
    const { name, labels } = reading.controlPlane;
    const pairs = Object.entries(withoutMark(labels)).map(([label, value]) => `${label}=${value}`);
    const labeled = pairs.length === 0 ? "It has no labels" : `Its labels are ${pairs.join(", ")}`;
    return [safe`It is "${safeName(name)}". ${safeText(labeled, 400)}.`];
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    if (context.signal.aborted) return [safe`The run was stopped before the service was asked about it.`];
    if (error.kind === "interrupted") return [safe`The service was not reached within five seconds.`];
    const { problem, kind, summary } = error;
    if (problem === undefined || kind === "foreign") return [safe`It could not be read: ${summary}.`];
    const detail = problem.detail === undefined ? safe`` : safe` ${safeText(problem.detail, 300)}`;
    return [safe`When asked about it, the service says: ${summary}.${detail}`];
  }
}
