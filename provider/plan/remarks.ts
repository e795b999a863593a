import {
  type Circumstances,
  type Finding,
  type FindingKind,
  findObstacles,
  guardForbids,
} from "../hooks/obstacles.js";
import { joinSafe, safe, safeText, type SafeText } from "../text/safe-text.js";
import type { Sighting } from "./look-up-all.js";
import type { HeldControlPlane } from "../state/held-control-planes.js";

/** Something that the reader of a plan should know about a control plane. */
export interface Remark {
  readonly kind: RemarkKind;
  /** A few words, for the table. */
  readonly text: SafeText;
  /** What the words leave out. */
  readonly detail?: SafeText;
  /** Whether the control plane cannot be deleted, or it is unknown whether it can, as long as this is so. */
  readonly standsInTheWay: boolean;
}

export type RemarkKind =
  | FindingKind
  | "gone already"
  | "dependent stays"
  | "group stays"
  | "cloud gateways"
  | "may not be read"
  | "not asked"
  | "secret in the state"
  | "pending replacement"
  | "protected"
  | "kept: retainOnDelete"
  | "kept: deletedWith"
  | "external"
  | "only imported";

const ONLY_IMPORTED: Remark = {
  kind: "only imported",
  text: safe`only imported`,
  detail: safe`no pulumi up has said yet whether the program manages it; run one, then destroy`,
  standsInTheWay: true,
};

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
    ...obstacleRemarks(recorded, sighting, circumstances),
    ...(recorded.origin === "external" ? [ONLY_IMPORTED] : []),
    ...(isDeleted ? gatewayRemarks(sighting) : []),
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
    case "address not allowed": {
      const where = safeText(address ?? "", 200);
      const detail = safe`the token is not sent to ${where}, which is no region and not in the settings; if it may be, add --allow-address ${where}`;
      return [{ kind: "not asked", text: safe`not asked`, detail, standsInTheWay: true }];
    }
  }
}

function secretGuardRemarks(
  { secretGuards }: HeldControlPlane,
  { isForced }: Circumstances,
): readonly Remark[] {
  return secretGuards.map((guard) => ({
    ...secretRemark(safeText(guard, 40)),
    standsInTheWay: guardForbids(isForced),
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

function obstacleRemarks(
  recorded: HeldControlPlane,
  sighting: Sighting,
  circumstances: Circumstances,
): readonly Remark[] {
  if (sighting.outcome !== "found") return [];
  const { controlPlane, nodes, entities, members } = sighting;
  const shown = {
    labels: { ok: true, value: controlPlane.labels } as const,
    nodes,
    ...(entities !== undefined && { entities }),
    ...(members !== undefined && { members }),
  };
  return findObstacles(recorded, shown, circumstances).map(toRemark);
}

/**
 * No public source says that the deletion of a control plane stops the gateways that run in the cloud for it. A serverless one
 * has such gateways, too, also where it does not say so.
 */
function gatewayRemarks(sighting: Sighting): readonly Remark[] {
  if (sighting.outcome !== "found") return [];
  const { cloudGateway, clusterType = "" } = sighting.controlPlane;
  if (cloudGateway !== true && !clusterType.startsWith("CLUSTER_TYPE_SERVERLESS")) return [];
  const detail = safe`deleting the control plane is not known to stop its gateways, which may cost money; remove them first`;
  return [{ kind: "cloud gateways", text: safe`cloud gateways may stay`, detail, standsInTheWay: false }];
}

/** Shows a finding: its words in the table, and what they leave out. */
function toRemark({ kind, summary: text, found, names, standsInTheWay, error }: Finding): Remark {
  switch (kind) {
    case "labels no longer match":
    case "kept by its owner":
    case "not empty":
      return { kind, text, detail: joinSafe(names, ", "), standsInTheWay };
    case "connected nodes":
      return { kind, text, ...(names.length > 0 && { detail: firstThree(names, found) }), standsInTheWay };
    case "members": {
      const detail = safe`${firstThree(names, found)}${standsInTheWay ? MUST_STAY : safe`; removed from the group first`}`;
      return { kind, text, detail, standsInTheWay };
    }
    case "not checked": {
      const because = error === undefined ? [] : [error.summary];
      const unknown = joinSafe([...found, ...because], ": ");
      return { kind, text, detail: joinSafe([unknown, ...(error?.findings ?? [])], ". "), standsInTheWay };
    }
  }
}

const MUST_STAY = safe` must not be removed from the group; remove these members from it, or set detachMembers: true and run pulumi up`;

/** Joins the first three names. Dots stand for others of what was found. */
function firstThree(names: readonly SafeText[], found: readonly SafeText[]): SafeText {
  return joinSafe([...names.slice(0, 3), ...(found.length > 3 ? [safe`…`] : [])], ", ");
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
