import type { Gone } from "../service/gone.js";
import type { DeletionGuard } from "../service/deletion.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import type { ControlPlaneRef } from "../service/operations/control-plane-ref.js";
import type { HookContext } from "./context.js";
import { checkLabels, compareLabels, type ListedLabels } from "./guards/check-labels.js";
import { checkEntities, checkNodes } from "./guards/check-policy.js";
import { type Finding, type GuardName, type GuardScope, outdated, refusal } from "./guards/obstacle.js";
import { type Guards, isUnguarded } from "../state/recorded-fields.js";

/** A DELETE that starts later than this after a check is preceded by a new one. */
export const FRESH_MS = 10_000;

/** One guard of a control plane: how it is checked, and when that was done. */
interface Check {
  readonly guard: GuardName;
  readonly find: (scope: GuardScope) => Promise<Finding>;
  /** When it was found clear, in monotonic milliseconds. One that is overridden is not checked again. */
  clearMs: number;
}

/** What is known of a member of a set before its guards are checked. */
export interface GuardedMember {
  /** The labels that a list has shown. Default: they are read. */
  readonly listed?: ListedLabels | undefined;
}

/**
 * Creates the guard of a control plane's deletion. A guard that forbids the deletion rejects its check, and so does a
 * check that fails. With KONNECT_FORCE_DELETE, an event says what is overridden instead.
 *
 * @param member set for a member of a set
 * @returns undefined when there is nothing to check
 */
export function guardDeletion(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
  member?: GuardedMember,
): DeletionGuard | undefined {
  if (isUnguarded(guards)) return undefined;
  const isFresh = ({ clearMs }: Pick<Check, "clearMs">) => context.monotonicMs() - clearMs <= FRESH_MS;
  const checks = checksOf(controlPlane, guards, ({ answeredMs }) => isFresh({ clearMs: answeredMs }), member);
  const mostRounds = 2 * context.settings.limits.maxAttempts;
  let rounds = 0;
  return {
    isFresh: () => checks.every(isFresh),
    async check(mayHaveWorked) {
      rounds += 1;
      if (rounds > mostRounds) throw outdated(controlPlane, mostRounds, FRESH_MS, mayHaveWorked);
      for (const check of checks.filter((each) => !isFresh(each))) {
        const about = { isMember: member !== undefined, mayHaveWorked };
        const gone = await make(check, { ...context, mayHaveWorked }, controlPlane, about);
        if (gone !== undefined) return gone;
      }
      return undefined;
    },
  };
}

function checksOf(
  controlPlane: ControlPlaneRef,
  { onlyIfLabels, deletionPolicy = "always" }: Guards,
  isFresh: (listed: ListedLabels) => boolean,
  { listed }: GuardedMember = {},
): readonly Check[] {
  const checks: Check[] = [];
  const add = (guard: GuardName, find: Check["find"]) =>
    void checks.push({ guard, find, clearMs: -Infinity });
  if (onlyIfLabels !== undefined) {
    add("onlyIfLabels", async (scope) =>
      listed !== undefined && isFresh(listed)
        ? compareLabels(onlyIfLabels, listed)
        : checkLabels(scope, controlPlane, onlyIfLabels),
    );
  }
  switch (deletionPolicy) {
    case "always":
      break;
    case "no-connected-nodes":
      add("deletionPolicy", (scope) => checkNodes(scope, controlPlane));
      break;
    case "empty":
      add("deletionPolicy", (scope) => checkEntities(scope, controlPlane));
      break;
  }
  return checks;
}

/** Makes one check. Returns the proof that the control plane is gone, where the check meets it. */
async function make(
  check: Check,
  context: HookContext,
  controlPlane: ControlPlaneRef,
  about: Parameters<typeof refusal>[3],
): Promise<Gone | undefined> {
  const { guard, find } = check;
  try {
    const finding = await find(context);
    switch (finding.outcome) {
      case "gone":
        return finding;
      case "clear":
        check.clearMs = finding.answeredMs;
        return undefined;
      case "obstacle":
        throw refusal(controlPlane, guard, finding, about);
    }
  } catch (error) {
    const { forceDelete } = context.settings;
    if (!forceDelete || !(error instanceof ControlPlaneError) || error.kind === "interrupted") throw error;
    check.clearMs = Infinity;
    context.emit({ type: "guard overridden", controlPlane, guard, because: error.summary });
    return undefined;
  }
}
