import { type ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { NOT_DELETED } from "../service/failure/explain-call.js";
import {
  type ControlPlaneRef,
  describeControlPlane,
  describeSubject,
  type NewControlPlaneRef,
} from "../service/operations/control-planes.js";
import { nameInUrn } from "../state/deployment.js";
import { renderMessage } from "../text/message.js";
import { joinFirst, safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import type { Fate, Rival, SetFate } from "./ledger.js";

// The words for what the ledger answers.

/** Names at most this many control planes. */
const LISTED = 10;

/** Describes a resource of the program by its name: `resource "edge"`. */
export function describeResource(name: string | undefined): SafeText {
  return name === undefined ? safe`another resource` : safe`resource "${safeName(name, 60)}"`;
}

function describeEnding(urn: string | undefined, unknown: SafeText): SafeText {
  return urn === undefined ? unknown : describeResource(nameInUrn(urn));
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
    return safe`${which} by ${describeResource(by)}`;
  });
  return safe`Declared twice: by ${describeResource(resource)}, and ${joinFirst(found, LISTED)}. Declare each control plane once: remove it from one of the two`;
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
      safe`A control plane may be declared once: created, adopted, or in a set. The end of one of the two would delete it for both.`,
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
  const [ending, other] = [
    describeEnding(urn, safe`its resource`),
    describeResource(by),
  ];
  const drop = dropIt(urn);
  switch (because) {
    case "declared":
      return refuse(subject, {
        summary: safe`Still declared`,
        why: safe`It would be lost, because ${ending} ends, and ${other} declares it but does not hold it. That resource could not adopt or create it, or it names another address.`,
        next: safe`correct ${other}, then run again; or let it go with ${drop}`,
      });
    case "referred to":
      return refuse(subject, {
        summary: safe`Still referred to`,
        why: safe`It would be lost, because ${ending} ends, and the program still refers to it with ControlPlane.get${by === undefined ? safe`` : safe` (${other})`}. A reference holds nothing.`,
        next: safe`to delete it, remove the reference, or run pulumi destroy without --run-program; to keep it, ${drop}`,
      });
    case "replaced":
      return refuse(subject, {
        summary: safe`Still declared`,
        why: safe`It would be lost, because Pulumi replaces ${ending} and deletes it before it creates it again. The program still declares its control plane.`,
        next: safe`take deleteBeforeReplace out of the options of the resource, then run again`,
      });
  }
}

/** Creates the error of a set that must be neither deleted nor dropped. */
export function refuseToEndSet(
  members: readonly ControlPlaneRef[],
  urn: string | undefined,
  { because, by }: Extract<SetFate, { outcome: "refused" }>,
): ControlPlaneError {
  const subject = safe`the set`;
  const [ending, other] = [describeEnding(urn, safe`a set`), describeResource(by)];
  const planes = members.length === 1 ? safe`1 control plane` : safe`${members.length} control planes`;
  const headline = safe`${planes} of ${ending}`;
  const list = joinFirst(members.map(describeControlPlane), LISTED);
  switch (because) {
    case "replaced":
      return refuse(subject, {
        summary: safe`Still declared`,
        headline,
        why: safe`They would be lost, because Pulumi replaces ${ending} and deletes it before it creates it again: ${list}.`,
        next: safe`take deleteBeforeReplace out of the options of the set, then run again`,
      });
    case "unclear":
      return refuse(subject, {
        summary: safe`Renamed or removed`,
        headline,
        why: safe`They are ${list}. It is unclear whether ${other}, which is new and has none of them, is the same set under a new name.`,
        next: safe`for a new name, give ${other} aliases: [{ name: "${safeName(urn === undefined ? "<old name>" : nameInUrn(urn), 60)}" }]; for another set, remove ${ending} in an up of its own`,
      });
  }
}

function refuse(
  subject: SafeText,
  {
    summary,
    headline = subject,
    why,
    next,
  }: {
    readonly summary: SafeText;
    readonly headline?: SafeText;
    readonly why: SafeText;
    readonly next: SafeText;
  },
): ControlPlaneError {
  const message = renderMessage({
    headline: safe`${summary}: ${headline} ${headline === subject ? safe`was` : safe`were`} not deleted`,
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
