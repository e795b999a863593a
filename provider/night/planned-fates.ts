import type { EndedDestroy, Fate } from "../automation/unreported.js";
import { notesOf } from "../plan/describe-plan.js";
import type { Plan, PlannedControlPlane } from "../plan/make-plan.js";
import type { ReportLine } from "../report/line-model.js";
import { joinFirst, safe, safeName } from "../text/safe-text.js";

/** Returns a function that says what a destroy would do with a control plane. */
export function fateByPlan(plan: Plan | undefined): NonNullable<EndedDestroy["untried"]> {
  const planned = new Map(plan?.controlPlanes.map((each) => [keyOf(each), each]));
  return ({ id, address, urn }) => {
    const found = planned.get(keyOf({ id, address, urn }));
    return found === undefined ? NOT_PLANNED : fateOf(found);
  };
}

const NOT_PLANNED: Fate = {
  outcome: "would-stay",
  error: { kind: "unplanned", summary: "The plan does not name it" },
};

function fateOf(planned: PlannedControlPlane): Fate {
  switch (planned.outcome) {
    case "delete":
      return { outcome: "would-be-deleted" };
    case "gone":
      return { outcome: "already-gone" };
    case "keep":
      return { outcome: "kept" };
    case "blocked": {
      const notes = notesOf(planned);
      const [first] = notes;
      const summary = first?.summary ?? "something stands in the way";
      const details = notes.slice(1).map(({ text }) => text);
      const findings = [...(first?.detail === undefined ? [] : [first.detail]), ...details];
      return {
        outcome: "would-stay",
        error: { kind: "in-the-way", summary, ...(findings.length > 0 && { findings }) },
      };
    }
  }
}

function keyOf({ id, address, urn }: Pick<PlannedControlPlane, "id" | "address" | "urn">): string {
  return id === undefined ? urn : `${address ?? ""} ${id}`;
}

/** Names at most this many. */
const LISTED = 10;

/** Describes which control planes were deleted although the plan had found connected nodes. */
export function describeOverridden(
  plan: Plan | undefined,
  reported: readonly ReportLine[],
): readonly string[] {
  const deleted = new Set(
    reported
      .filter(({ outcome }) => outcome === "deleted")
      .map(({ controlPlane: { id, address } }) => keyOf({ id, address, urn: "" })),
  );
  const overridden = (plan?.controlPlanes ?? []).flatMap((each) => {
    const { nodes, name, resource } = each;
    if (nodes === undefined || nodes.connected === 0 || !deleted.has(keyOf(each))) return [];
    return [safe`"${safeName(name ?? resource, 100)}" (${nodes.connected})`];
  });
  if (overridden.length === 0) return [];
  const why = plan?.isForced === true ? safe` (KONNECT_FORCE_DELETE=1)` : safe``;
  return [safe`deleted although nodes were connected${why}: ${joinFirst(overridden, LISTED)}`];
}
