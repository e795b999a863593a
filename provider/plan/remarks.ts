import { labelDifferences } from "../service/operations/label-differences.js";
import { describeEntities } from "../service/operations/lists/list-entities.js";
import { isConnected } from "../service/operations/lists/list-nodes.js";
import { joinSafe, safe, safeName, safeText, type SafeText } from "../text/safe-text.js";
import type { Sighting } from "./look-up-all.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";

/** Something that the reader of a plan should know about a control plane. */
export interface Remark {
  readonly kind: RemarkKind;
  /** A few words, for the table. */
  readonly text: SafeText;
  /** What the words leave out. */
  readonly detail?: SafeText;
  /** Whether the control plane cannot be deleted, or nobody knows, as long as this is so. */
  readonly standsInTheWay: boolean;
}

export type RemarkKind =
  | "gone already"
  | "labels no longer match"
  | "connected nodes"
  | "not empty"
  | "members"
  | "dependent stays"
  | "group stays"
  | "not checked"
  | "may not be read"
  | "secret in the state"
  | "pending replacement"
  | "protected"
  | "kept: retainOnDelete"
  | "kept: deletedWith"
  | "external";

/** What the remarks depend on besides the state and the service. */
export interface Circumstances {
  /** The present, in epoch milliseconds. */
  readonly nowMs: number;
  /** Whether guards are overridden (`KONNECT_FORCE_DELETE=1`). */
  readonly isForced: boolean;
}

/** Returns the remarks about a control plane. What decides about its deletion comes first. */
export function remarksAbout(
  recorded: HeldControlPlane,
  sighting: Sighting,
  circumstances: Circumstances,
): readonly Remark[] {
  const isDeleted = !recorded.isExternal && recorded.droppedBy === undefined;
  const remarks = [
    ...sightingRemarks(recorded, sighting),
    ...(sighting.outcome === "gone" ? [] : secretGuardRemarks(recorded, circumstances)),
    ...labelRemarks(recorded, sighting, circumstances),
    ...nodeRemarks(recorded, sighting, circumstances),
    ...entityRemarks(sighting, circumstances),
    ...memberRemarks(recorded, sighting),
  ].map((remark) => ({ ...remark, standsInTheWay: remark.standsInTheWay && isDeleted }));
  return [...remarks, ...optionRemarks(recorded)];
}

function sightingRemarks({ id, address }: HeldControlPlane, sighting: Sighting): readonly Remark[] {
  switch (sighting.outcome) {
    case "found":
      return [];
    case "gone":
      return [{ kind: "gone already", text: safe`gone already`, standsInTheWay: false }];
    case "forbidden": {
      const { summary, problem } = sighting.error;
      const said = problem?.detail === undefined ? safe`` : safe`. ${safeText(problem.detail, 300)}`;
      const detail = safe`${summary}${said}`;
      return [{ kind: "may not be read", text: safe`may not be read`, detail, standsInTheWay: true }];
    }
    case "not asked":
      return [
        ...(id === undefined ? [secretRemark(safe`its id`)] : []),
        ...(address === undefined ? [secretRemark(safe`its baseUrl`)] : []),
      ];
  }
}

function secretGuardRemarks(
  { secretGuards }: HeldControlPlane,
  { isForced }: Circumstances,
): readonly Remark[] {
  return secretGuards.map((guard) => ({
    ...secretRemark(safeText(guard, 40)),
    standsInTheWay: !isForced,
  }));
}

function secretRemark(what: SafeText): Remark {
  const detail = safe`${what} is a secret in the state, which the plan does not read`;
  return {
    kind: "secret in the state",
    text: safe`unreadable: ${what} is secret`,
    detail,
    standsInTheWay: true,
  };
}

function labelRemarks(
  { guards }: HeldControlPlane,
  sighting: Sighting,
  { isForced }: Circumstances,
): readonly Remark[] {
  if (sighting.outcome !== "found") return [];
  const changed = labelDifferences(guards.onlyIfLabels ?? {}, sighting.controlPlane.labels);
  if (changed.length === 0) return [];
  const detail = joinSafe(changed, ", ");
  const text = safe`labels no longer match`;
  return [{ kind: "labels no longer match", text, detail, standsInTheWay: !isForced }];
}

function nodeRemarks(
  { guards }: HeldControlPlane,
  sighting: Sighting,
  { isForced }: Circumstances,
): readonly Remark[] {
  if (sighting.outcome !== "found") return [];
  const { nodes } = sighting;
  const isRequired = guards.deletionPolicy === "no-connected-nodes";
  const standsInTheWay = isRequired && !isForced;
  if (!nodes.ok) {
    if (!isRequired) return [];
    const detail = safe`its nodes could not be read: ${nodes.error.summary}`;
    return [{ kind: "not checked", text: safe`nodes not checked`, detail, standsInTheWay }];
  }
  const connected = nodes.value.filter(isConnected);
  if (connected.length === 0) return [];
  const text = connected.length === 1 ? safe`1 connected node` : safe`${connected.length} connected nodes`;
  const hosts = connected.flatMap(({ hostname }) => (hostname === undefined ? [] : [safeName(hostname, 64)]));
  const more = connected.length > 3 ? [safe`…`] : [];
  const detail = hosts.length === 0 ? {} : { detail: joinSafe([...hosts.slice(0, 3), ...more], ", ") };
  return [{ kind: "connected nodes", text, ...detail, standsInTheWay }];
}

function entityRemarks(sighting: Sighting, { isForced }: Circumstances): readonly Remark[] {
  if (sighting.outcome !== "found" || sighting.entities === undefined) return [];
  const { entities } = sighting;
  const standsInTheWay = !isForced;
  if (!entities.ok) {
    const detail = safe`its entities could not be counted: ${entities.error.summary}`;
    return [{ kind: "not checked", text: safe`entities not checked`, detail, standsInTheWay }];
  }
  const configured = describeEntities(entities.value);
  if (configured.length === 0) return [];
  return [{ kind: "not empty", text: safe`not empty`, detail: joinSafe(configured, ", "), standsInTheWay }];
}

/** A guard can be overridden, and a member that must stay cannot. */
function memberRemarks(
  { guards: { detachMembers = false }, detachable }: HeldControlPlane,
  sighting: Sighting,
): readonly Remark[] {
  if (sighting.outcome !== "found" || sighting.members === undefined) return [];
  const { members } = sighting;
  if (!members.ok) {
    const detail = safe`its members could not be read: ${members.error.summary}`;
    return [{ kind: "not checked", text: safe`members not checked`, detail, standsInTheWay: !detachMembers }];
  }
  if (members.value.length === 0) return [];
  const kept = detachMembers ? [] : members.value.filter(({ id }) => !detachable.includes(id));
  const shown = kept.length > 0 ? kept : members.value;
  const names = shown.slice(0, 3).map(({ name }) => safe`"${safeName(name, 64)}"`);
  const listed = joinSafe([...names, ...(shown.length > 3 ? [safe`…`] : [])], ", ");
  const count = shown.length === 1 ? safe`1 member` : safe`${shown.length} members`;
  return [
    kept.length > 0
      ? {
          kind: "members",
          text: safe`${count} added elsewhere`,
          detail: safe`${listed} must not be removed from the group; remove these members from it, or give detachMembers: true and run pulumi up`,
          standsInTheWay: true,
        }
      : {
          kind: "members",
          text: count,
          detail: safe`${listed}; removed from the group first`,
          standsInTheWay: false,
        },
  ];
}

/** Pulumi refuses to delete a protected resource, even one that it would only drop. */
function optionRemarks({ isProtected, droppedBy, isExternal }: HeldControlPlane): readonly Remark[] {
  return [
    ...(isProtected ? [remark("protected", true)] : []),
    ...(droppedBy === undefined ? [] : [remark(`kept: ${droppedBy}`, false)]),
    ...(isExternal ? [remark("external", false)] : []),
  ];
}

function remark(kind: RemarkKind, standsInTheWay: boolean): Remark {
  return { kind, text: safeText(kind, 40), standsInTheWay };
}
