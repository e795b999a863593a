import { countControlPlanes } from "../text/message.js";
import { ageMsAt } from "../service/operations/service-time.js";
import { mayHaveCreated } from "../state/deployment.js";
import { joinSafe, safe, safeName, type SafeText, safeText } from "../text/safe-text.js";
import { isBlocked, type Plan, type PlannedControlPlane, type PlannedOutcome } from "./make-plan.js";
import type { RemarkKind } from "./remarks.js";
import { describePending } from "./stack-state.js";

/** The columns of a plan. */
export const HEADINGS = ["name", "id", "region", "labels", "age", "nodes"] as const;

/** Returns the cells of a control plane, in the order of {@link HEADINGS}. Unknown values are empty or a question mark. */
export function cellsOf(controlPlane: PlannedControlPlane, madeAtMs: number): readonly SafeText[] {
  const { id, name, resource, region, labels, createdAtMs, nodes } = controlPlane;
  const isShown = labels !== undefined;
  const ageMs = ageMsAt(madeAtMs, createdAtMs);
  return [
    safeName(name ?? resource),
    id === undefined ? safe`?` : safeText(id, 36),
    region ?? safe`?`,
    labels === undefined ? safe`` : describeLabels(labels),
    ageMs === undefined ? safe`` : describeAge(ageMs),
    nodes === undefined ? (isShown ? safe`?` : safe``) : safe`${nodes.connected}`,
  ];
}

/** Describes how many control planes a plan is about, and what would happen to them. */
export function describeCounts({ controlPlanes }: Plan): SafeText {
  if (controlPlanes.length === 0) return safe`no control planes`;
  const parts = OUTCOMES.flatMap(([outcome, one, many]) => {
    const count = controlPlanes.filter((each) => each.outcome === outcome).length;
    return count === 0 ? [] : [count === 1 ? safe`1 ${one}` : safe`${count} ${many}`];
  });
  return safe`${countControlPlanes(controlPlanes.length)}: ${joinSafe(parts, ", ")}`;
}

const OUTCOMES: readonly (readonly [outcome: PlannedOutcome, one: SafeText, many: SafeText])[] = [
  ["delete", safe`would be deleted`, safe`would be deleted`],
  ["blocked", safe`has something in the way`, safe`have something in the way`],
  ["gone", safe`is gone already`, safe`are gone already`],
  ["keep", safe`is kept`, safe`are kept`],
];

/** The control planes of a plan with which the same happens. */
export interface PlanGroup {
  readonly outcome: PlannedOutcome;
  /** For example `Would be deleted (3)`. */
  readonly title: SafeText;
  readonly controlPlanes: readonly PlannedControlPlane[];
}

const TITLES: readonly (readonly [outcome: PlannedOutcome, title: SafeText])[] = [
  ["blocked", safe`Would stay, because something stands in the way`],
  ["delete", safe`Would be deleted`],
  ["keep", safe`Kept on purpose`],
  ["gone", safe`Gone already`],
];

/** Returns the groups of a plan that are not empty. What would stay comes first. */
export function groupsOf(plan: Pick<Plan, "controlPlanes">): readonly PlanGroup[] {
  return TITLES.flatMap(([outcome, title]) => {
    const controlPlanes = plan.controlPlanes.filter((each) => each.outcome === outcome);
    if (controlPlanes.length === 0) return [];
    return [{ outcome, title: safe`${title} (${controlPlanes.length})`, controlPlanes }];
  });
}

/** A remark in words. */
export interface Note {
  readonly isInTheWay: boolean;
  /** A few words. */
  readonly summary: SafeText;
  readonly detail: SafeText | undefined;
  /** The words with their detail. */
  readonly text: SafeText;
}

/** What is overridden, or what no guard asks about. */
const OVERRIDABLE: readonly RemarkKind[] = ["labels no longer match", "connected nodes", "not empty"];

/** Returns what is to say about a control plane besides its group. What stands in the way comes first. */
export function notesOf({ outcome, remarks }: PlannedControlPlane): readonly Note[] {
  return remarks
    .filter(({ kind, standsInTheWay }) => standsInTheWay || kind !== "gone already")
    .map(({ kind, text, detail, standsInTheWay: isInTheWay }) => {
      const isOverridden = outcome === "delete" && OVERRIDABLE.includes(kind);
      const summary = isOverridden ? safe`${text}, deleted anyway` : text;
      const whole = detail === undefined ? summary : safe`${summary}: ${detail}`;
      return { isInTheWay, summary, detail, text: whole };
    })
    .sort((a, b) => Number(b.isInTheWay) - Number(a.isInTheWay));
}

/** Describes how the plan ends: whether something stands in the way, and what the table does not show. */
export function describeEnd(plan: Plan): readonly SafeText[] {
  const { isForced, otherResources } = plan;
  const others = otherResources === 1 ? safe`1 other resource` : safe`${otherResources} other resources`;
  return [
    ...describeObstacles(plan),
    ...(isForced ? [safe`KONNECT_FORCE_DELETE=1 is set: guards do not count.`] : []),
    ...(otherResources > 0 ? [safe`The stack also has ${others}. A destroy deletes all resources.`] : []),
  ];
}

function describeObstacles(plan: Plan): readonly SafeText[] {
  const blocked = plan.controlPlanes.filter(({ outcome }) => outcome === "blocked").length;
  if (blocked === 0) return isBlocked(plan) ? [] : [safe`Nothing stands in the way.`];
  return [safe`Something stands in the way of ${countControlPlanes(blocked)}.`];
}

/** Describes the pending operations of the state with the next step, and what is unknown because of them. */
export function describePendingOperations({ pendingOperations }: Plan): readonly SafeText[] {
  if (pendingOperations.length === 0) return [];
  const creations = pendingOperations.filter(mayHaveCreated).length;
  const which = creations === 1 ? safe`it` : safe`they`;
  const unknown = safe`Nobody knows what ${which} made in the service, and this plan does not show it.`;
  return [safe`The state has ${describePending(pendingOperations)}.`, ...(creations === 0 ? [] : [unknown])];
}

/** Describes the stack of a plan: `stack "dev" of project "teardown"`. */
export function describeStack({ project, stack }: Plan): SafeText {
  if (stack === undefined) return safe`the stack`;
  const ofProject = project === undefined ? safe`` : safe` of project "${safeName(project, 60)}"`;
  return safe`stack "${safeName(stack, 60)}"${ofProject}`;
}

function describeLabels(labels: Readonly<Record<string, string>>): SafeText {
  const entries = Object.entries(labels).map(
    ([key, value]) => safe`${safeName(key, 64)}=${safeName(value, 64)}`,
  );
  return joinSafe(entries.sort(), ", ");
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Describes an age in one unit, rounded down: `45m`, `36h` up to two days, then `7d`. A negative age counts as 0. */
export function describeAge(ageMs: number): SafeText {
  const ms = Math.max(0, ageMs);
  if (ms < HOUR_MS) return safe`${Math.floor(ms / MINUTE_MS)}m`;
  return ms < 2 * DAY_MS ? safe`${Math.floor(ms / HOUR_MS)}h` : safe`${Math.floor(ms / DAY_MS)}d`;
}
