import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { type ControlPlaneRef, describeControlPlane } from "../service/operations/control-plane-ref.js";
import { ENTITY_KINDS, type EntityCount } from "../service/operations/list-entities.js";
import { type ControlPlaneNode, isConnected } from "../service/operations/list-nodes.js";
import { describeDuration } from "../text/duration.js";
import { renderMessage } from "../text/message.js";
import { joinSafe, safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import type { HookContext } from "./context.js";
import type { Guards } from "./state/recorded-guards.js";

/** Names at most this many of what stands in the way. */
const LISTED = 10;

type Guard = "onlyIfLabels" | "deletionPolicy";

/** What stands in the way of a deletion. */
interface Obstacle {
  readonly summary: SafeText;
  readonly explanation: SafeText;
}

/**
 * Checks the guards of a control plane right before its deletion. One that is gone has nothing to guard. With
 * KONNECT_FORCE_DELETE an event says what is overridden.
 *
 * @param member set for a member of a set, with the labels that a list has just shown; default: they are read
 * @throws ControlPlaneError when a guard forbids the deletion, or when a check fails
 */
export async function requireDeletable(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
  member?: { readonly labels: Readonly<Record<string, string>> | undefined },
): Promise<void> {
  const { forceDelete } = context.settings;
  for (const [guard, findObstacle] of [
    ["onlyIfLabels", () => findLabelObstacle(context, controlPlane, guards, member?.labels)],
    ["deletionPolicy", () => findPolicyObstacle(context, controlPlane, guards)],
  ] as const) {
    try {
      const obstacle = await findObstacle();
      if (obstacle !== undefined) throw refusal(controlPlane, guard, obstacle, member !== undefined);
    } catch (error) {
      if (!forceDelete || !(error instanceof ControlPlaneError) || error.kind === "interrupted") throw error;
      context.emit({ type: "guard overridden", controlPlane, guard, because: error.summary });
    }
  }
}

async function findLabelObstacle(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { onlyIfLabels }: Guards,
  listed: Readonly<Record<string, string>> | undefined,
): Promise<Obstacle | undefined> {
  if (onlyIfLabels === undefined) return undefined;
  const labels = listed ?? (await readLabels(context, controlPlane));
  if (labels === undefined) return undefined;
  const differences = Object.entries(onlyIfLabels).flatMap(([label, wanted]) => {
    const now = Object.hasOwn(labels, label) ? labels[label] : undefined;
    if (now === wanted) return [];
    const name = safeName(label, 80);
    return now === undefined
      ? [safe`${name} is missing (wanted "${safeName(wanted, 80)}")`]
      : [safe`${name} is "${safeName(now, 80)}", not "${safeName(wanted, 80)}"`];
  });
  if (differences.length === 0) return undefined;
  return {
    summary: safe`Labels no longer match`,
    explanation: safe`${joinSafe(differences.slice(0, LISTED), ", ")}.`,
  };
}

async function readLabels(
  { client, ...context }: HookContext,
  controlPlane: ControlPlaneRef,
): Promise<Readonly<Record<string, string>> | undefined> {
  const check = safe`Its labels could not be read, so nobody knows whether they still match.`;
  const reading = await client.readControlPlane(controlPlane, context, { check });
  return reading.outcome === "gone" ? undefined : reading.controlPlane.labels;
}

async function findPolicyObstacle(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  { deletionPolicy = "always" }: Guards,
): Promise<Obstacle | undefined> {
  switch (deletionPolicy) {
    case "always":
      return undefined;
    case "no-connected-nodes":
      return findConnectedNodes(context, controlPlane);
    case "empty":
      return findEntities(context, controlPlane);
  }
}

async function findConnectedNodes(
  { client, ...context }: HookContext,
  controlPlane: ControlPlaneRef,
): Promise<Obstacle | undefined> {
  const nodes = (await client.readNodes(controlPlane, context)) ?? [];
  const connected = nodes.filter(isConnected);
  if (connected.length === 0) return undefined;
  const named = connected.slice(0, LISTED).map(describeNode);
  return {
    summary: count(connected.length, safe`connected node`),
    explanation: safe`${joinSafe([...named, ...more(connected.length)], ", ")}.`,
  };
}

function describeNode({ hostname, silentForMs }: ControlPlaneNode): SafeText {
  const name = hostname === undefined ? safe`a node without a name` : safeName(hostname, 80);
  if (silentForMs === undefined) return safe`${name} (last heard of at an unknown time)`;
  return safe`${name} (last heard of ${describeDuration(Math.max(0, silentForMs))} ago)`;
}

async function findEntities(
  { client, ...context }: HookContext,
  controlPlane: ControlPlaneRef,
): Promise<Obstacle | undefined> {
  const counts = await Promise.all(
    ENTITY_KINDS.map(async (kind) => {
      const found = await client.countEntities(controlPlane, kind, context);
      if (found === undefined || (found.count === 0 && !found.hasMore)) return [];
      return [safe`${describeCount(found)} ${safeText(kind, 20)}`];
    }),
  );
  const found = counts.flat();
  if (found.length === 0) return undefined;
  return {
    summary: safe`Not empty`,
    explanation: safe`It has ${joinSafe(found, ", ")}.`,
  };
}

/** A page can be empty although others follow. */
function describeCount({ count, hasMore }: EntityCount): SafeText {
  if (count === 0) return safe`an unknown number of`;
  return hasMore ? safe`${count} or more` : safe`${count}`;
}

function count(number: number, noun: SafeText): SafeText {
  return number === 1 ? safe`1 ${noun}` : safe`${number} ${noun}s`;
}

function more(total: number): readonly SafeText[] {
  return total > LISTED ? [safe`and ${total - LISTED} more`] : [];
}

function refusal(
  controlPlane: ControlPlaneRef,
  guard: Guard,
  { summary, explanation }: Obstacle,
  isMember: boolean,
): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const message = renderMessage({
    headline: safe`${summary}: ${subject} was not deleted`,
    explanation: [explanation],
    rows: [
      [safe`guard`, safe`${safeText(guard, 20)} of the resource`],
      [safe`state`, safe`the control plane still exists; Pulumi keeps the resource`],
      [safe`next`, safe`${nextOf(guard, isMember)}, or set KONNECT_FORCE_DELETE=1 to delete it anyway`],
    ],
  });
  return new ControlPlaneError(message, { kind: "guarded", subject, summary });
}

function nextOf(guard: Guard, isMember: boolean): SafeText {
  if (guard === "deletionPolicy") return safe`remove what stands in the way, then run again`;
  return isMember
    ? safe`keep it: take it out of the list and run pulumi up; or correct its labels`
    : safe`keep it with pulumi state delete, or correct its labels`;
}
