import { type MemberTerms, membersThatStay } from "../service/deletion.js";
import type { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { addedElsewhere, countMembers } from "../service/failure/explain-deletion.js";
import {
  type ControlPlaneNode,
  describeEntities,
  type EntityCounts,
  isConnected,
} from "../service/operations/contents.js";
import { type Labels, labelDifferences } from "../service/operations/control-plane-document.js";
import type { GroupMember } from "../service/operations/members.js";
import { ownersWord } from "../state/owner-labels.js";
import type { Guards } from "../state/recorded-fields.js";
import { describeDuration } from "../text/message.js";
import { safe, safeName, type SafeText, safeText } from "../text/safe-text.js";

/** What a resource records about the deletion of a control plane. */
export interface DeletionTerms {
  readonly guards: Guards;
  /** The ids that may be removed from the control plane when it is a group. With `detachMembers`, any may. */
  readonly detachable: ReadonlySet<string>;
}

/** What a look at a control plane found, or why it failed. */
export type Look<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: ControlPlaneError };

/** What an obstacle depends on besides the state and the service. */
export interface Circumstances {
  /** The present, in epoch milliseconds. */
  readonly nowMs: number;
  /** Whether guards are overridden (`KONNECT_FORCE_DELETE=1`). Members that must stay never are. */
  readonly isForced: boolean;
}

/** What the service shows of a control plane that exists. What was not looked at is missing. */
export interface Shown {
  readonly labels?: Look<Labels>;
  readonly nodes?: Look<readonly ControlPlaneNode[]>;
  readonly entities?: Look<EntityCounts>;
  /** Missing for a control plane that is not known to be a group. The service does not delete a group that has members. */
  readonly members?: Look<readonly GroupMember[]>;
}

/** The arguments that can forbid a deletion, and that KONNECT_FORCE_DELETE overrides. */
export type GuardName = Exclude<keyof Guards, "detachMembers">;

/** Something that forbids a deletion, or that is worth knowing before it. */
export interface Finding {
  readonly kind: FindingKind;
  /** A few words: `2 connected nodes`. */
  readonly summary: SafeText;
  /** What was found, with what is known about each. After a check that failed: what is not known. */
  readonly found: readonly SafeText[];
  /** The same in the fewest words. What has no name is left out. */
  readonly names: readonly SafeText[];
  /** Whether the control plane must not be deleted as long as this is so. */
  readonly standsInTheWay: boolean;
  /** The guard that this concerns. It forbids the deletion unless it is overridden. */
  readonly guard?: GuardName;
  /** Why the check failed. */
  readonly error?: ControlPlaneError;
}

export type FindingKind =
  | "labels no longer match"
  | "kept by its owner"
  | "connected nodes"
  | "not empty"
  | "members"
  | "not checked";

/**
 * Returns what forbids the deletion of a control plane, and what is worth knowing before it. A guard forbids the deletion
 * also when its check failed, or if it was not looked at.
 *
 */
export function findObstacles(
  { guards, detachable }: DeletionTerms,
  { labels, nodes, entities, members }: Shown,
  { isForced, nowMs }: Circumstances,
): readonly Finding[] {
  const { onlyIfLabels, deletionPolicy, detachMembers, keepLabel, deleteAfterLabel } = guards;
  const guarded = (guard: GuardName) => ({ guard, standsInTheWay: guardForbids(isForced) });
  const isFreeOfNodes = deletionPolicy === "no-connected-nodes" ? guarded("deletionPolicy") : undefined;
  const isEmpty = deletionPolicy === "empty" ? guarded("deletionPolicy") : undefined;
  const ownersGuard = keepLabel === undefined ? "deleteAfterLabel" : "keepLabel";
  const hasOwner = keepLabel !== undefined || deleteAfterLabel !== undefined;
  // One failed look at the labels is one finding.
  const asksOwner = hasOwner && (labels?.ok === true || onlyIfLabels === undefined);
  const terms = { detachesAll: detachMembers === true, detachable };
  return [
    ...judge(labels, onlyIfLabels && guarded("onlyIfLabels"), LABELS, (value) =>
      findLabels(onlyIfLabels ?? {}, value),
    ),
    ...(asksOwner
      ? judge(labels, guarded(ownersGuard), LABELS, (value) => findOwnersWord(guards, value, nowMs))
      : []),
    ...judge(nodes, isFreeOfNodes, NODES, findNodes),
    ...judge(entities, isEmpty, ENTITIES, findEntities),
    ...(members === undefined
      ? []
      : judge(members, { standsInTheWay: !terms.detachesAll }, MEMBERS, (value) =>
          findMembers(terms, value),
        )),
  ];
}

/** Whether a guard forbids a deletion that it does not allow. */
export function guardForbids(isForced: boolean): boolean {
  return !isForced;
}

/** The words for a check that failed. */
interface CheckWords {
  readonly notChecked: SafeText;
  readonly unknown: SafeText;
}

const LABELS = { notChecked: safe`labels not checked`, unknown: safe`its labels could not be read` };
const NODES = { notChecked: safe`nodes not checked`, unknown: safe`its nodes could not be read` };
const ENTITIES = { notChecked: safe`entities not checked`, unknown: safe`its entities could not be counted` };
const MEMBERS = { notChecked: safe`members not checked`, unknown: safe`its members could not be read` };

/** What was found, before it is known whether it forbids the deletion. */
type Found = Pick<Finding, "kind" | "summary" | "found" | "names"> &
  Partial<Pick<Finding, "standsInTheWay" | "guard">>;

/** What a finding means for the deletion. */
type Meaning = Pick<Finding, "standsInTheWay" | "guard">;

/** @param required what it means if the check finds something, or failed. Default: no check is required */
function judge<Value>(
  look: Look<Value> | undefined,
  required: Meaning | undefined,
  { notChecked: summary, unknown }: CheckWords,
  find: (value: Value) => Found | undefined,
): readonly Finding[] {
  if (look?.ok === true) {
    const found = find(look.value);
    return found === undefined ? [] : [{ ...(required ?? { standsInTheWay: false }), ...found }];
  }
  if (required === undefined) return [];
  const error = look === undefined ? {} : { error: look.error };
  return [{ kind: "not checked", summary, found: [unknown], names: [], ...required, ...error }];
}

/** Other labels than those of `onlyIfLabels` do not matter. */
function findLabels(wanted: Labels, labels: Labels): Found | undefined {
  const found = labelDifferences(wanted, labels);
  if (found.length === 0) return undefined;
  return { kind: "labels no longer match", summary: safe`labels no longer match`, found, names: found };
}

/** What the owner of a control plane said after it was selected counts, too. */
function findOwnersWord(guards: Guards, labels: Labels, nowMs: number): Found | undefined {
  const word = ownersWord(guards, labels, nowMs);
  if (word.says === "nothing" || word.says === "due") return undefined;
  const found = [safe`${safeText(word.label.key, 80)} is "${safeText(word.label.value, 80)}"`];
  const guard = word.says === "keep" ? "keepLabel" : "deleteAfterLabel";
  return { kind: "kept by its owner", summary: safe`kept by its owner`, found, names: found, guard };
}

function findNodes(nodes: readonly ControlPlaneNode[]): Found | undefined {
  const connected = nodes.filter(isConnected);
  if (connected.length === 0) return undefined;
  return {
    kind: "connected nodes",
    summary: connected.length === 1 ? safe`1 connected node` : safe`${connected.length} connected nodes`,
    found: connected.map(describeNode),
    names: connected.flatMap(({ hostname }) => (hostname === undefined ? [] : [safeName(hostname, 80)])),
  };
}

function describeNode({ hostname, silentForMs, saysConnected }: ControlPlaneNode): SafeText {
  const name = hostname === undefined ? safe`a node without a name` : safeName(hostname, 80);
  const state = saysConnected === true ? safe`connected, ` : safe``;
  if (silentForMs === undefined) return safe`${name} (${state}last heard from at an unknown time)`;
  // Of two clocks that disagree, the earlier one counts, so that no node looks as if it were gone.
  if (silentForMs < 0) return safe`${name} (${state}last heard from at a time in the future)`;
  return safe`${name} (${state}last heard from ${describeDuration(silentForMs)} ago)`;
}

function findEntities(counts: EntityCounts): Found | undefined {
  const found = describeEntities(counts);
  return found.length === 0
    ? undefined
    : { kind: "not empty", summary: safe`not empty`, found, names: found };
}

function findMembers(terms: MemberTerms, members: readonly GroupMember[]): Found | undefined {
  if (members.length === 0) return undefined;
  const staying = membersThatStay(terms, members);
  const standsInTheWay = staying.length > 0;
  const shown = standsInTheWay ? staying : members;
  const names = shown.map(({ name }) => safe`"${safeName(name, 64)}"`);
  const summary = standsInTheWay ? addedElsewhere(shown.length) : countMembers(shown.length);
  return { kind: "members", summary, found: names, names, standsInTheWay };
}
