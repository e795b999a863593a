import type { DeletionGuard } from "../service/deletion.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { MAY_HAVE_WORKED, NOT_DELETED, STILL_EXISTS } from "../service/failure/explain-call.js";
import { outcomeFor } from "../service/failure/purpose.js";
import type { Gone } from "../service/reading.js";
import { type ControlPlaneRef, describeControlPlane } from "../service/operations/control-planes.js";
import type { Labels } from "../service/operations/control-plane-document.js";
import { renderMessage } from "../text/message.js";
import { joinFirst, joinSafe, safe, type SafeText, safeText } from "../text/safe-text.js";
import type { HookContext } from "./context.js";
import { type Finding, findObstacles, type GuardName, type Look, type Shown } from "./obstacles.js";
import { type Guards, isUnguarded, needsLabels } from "../state/recorded-fields.js";

/** A DELETE that starts later than this after a check is preceded by a new one. */
export const FRESH_MS = 10_000;

/** Names at most this many of what stands in the way. */
const LISTED = 10;

/** Labels that a list has shown. */
export interface ListedLabels {
  readonly labels: Labels;
  /** When they were listed, in monotonic milliseconds. */
  readonly answeredMs: number;
}

/** What is known of a member of a set before its guards are checked. */
export interface GuardedMember {
  /** The labels that a list has shown. Default: they are read. */
  readonly listed?: ListedLabels | undefined;
}

/** One guard of a control plane: how it is checked, and when that was done. */
interface Check {
  /** The guard alone, so that nothing else has to be known. */
  readonly guards: Guards;
  readonly look: (scope: HookContext) => Promise<Seen | Gone>;
  /** Returns what is shown when the look fails. */
  readonly shownAs: (failed: Look<never>) => Shown;
  /** When it was found clear, in monotonic milliseconds. One that is overridden is not checked again. */
  clearMs: number;
}

/** What a check has seen of a control plane. */
interface Seen {
  readonly outcome: "seen";
  readonly shown: Shown;
  /** When the service said so, in monotonic milliseconds. After several answers: when the first one arrived. */
  readonly answeredMs: number;
}

/** What the error of a guard has to know. */
interface About {
  readonly controlPlane: ControlPlaneRef;
  /** Whether the control plane is a member of a set. */
  readonly isMember: boolean;
  /** Whether a DELETE that was sent before may have worked. */
  readonly mayHaveWorked: boolean;
}

/**
 * Creates the guard of a control plane's deletion. A guard that forbids the deletion rejects its check, and so does a
 * check that fails. With KONNECT_FORCE_DELETE, an event says what is overridden instead.
 *
 * @param member set for a member of a set
 * @returns undefined if there is nothing to check
 */
export function guardDeletion(
  context: HookContext,
  controlPlane: ControlPlaneRef,
  guards: Guards,
  member?: GuardedMember,
): DeletionGuard | undefined {
  if (isUnguarded(guards)) return undefined;
  const isRecent = (ms: number) => context.monotonicMs() - ms <= FRESH_MS;
  const checks = checksOf(controlPlane, guards, ({ answeredMs }) => isRecent(answeredMs), member);
  const mostRounds = 2 * context.settings.limits.maxAttempts;
  let rounds = 0;
  let sent = 0;
  return {
    isFresh: () => checks.every(({ clearMs }) => isRecent(clearMs)),
    async check(mayHaveWorked, attempts = 0) {
      // Counts the checks since the last DELETE.
      rounds = attempts > sent ? 1 : rounds + 1;
      sent = attempts;
      const about = { controlPlane, isMember: member !== undefined, mayHaveWorked };
      if (rounds > mostRounds) throw outdated(about, mostRounds);
      for (const check of checks.filter(({ clearMs }) => !isRecent(clearMs))) {
        const gone = await make(check, { ...context, mayHaveWorked }, about);
        if (gone !== undefined) return gone;
      }
      return undefined;
    },
  };
}

function checksOf(
  controlPlane: ControlPlaneRef,
  guards: Guards,
  isFresh: (listed: ListedLabels) => boolean,
  { listed }: GuardedMember = {},
): readonly Check[] {
  const { onlyIfLabels, keepLabel, deleteAfterLabel, deletionPolicy = "always" } = guards;
  const checks: Check[] = [];
  const add = (check: Omit<Check, "clearMs">) => void checks.push({ ...check, clearMs: -Infinity });
  if (needsLabels(guards)) {
    add({
      guards: {
        ...(onlyIfLabels !== undefined && { onlyIfLabels }),
        ...(keepLabel !== undefined && { keepLabel }),
        ...(deleteAfterLabel !== undefined && { deleteAfterLabel }),
      },
      look: async (scope) =>
        listed !== undefined && isFresh(listed) ? seenLabels(listed) : readLabels(scope, controlPlane),
      shownAs: (labels) => ({ labels }),
    });
  }
  switch (deletionPolicy) {
    case "always":
      break;
    case "no-connected-nodes":
      add({
        guards: { deletionPolicy },
        async look({ client, ...scope }) {
          const reading = await client.readNodes(controlPlane, scope);
          if (reading.outcome === "gone") return reading;
          const { nodes, answeredMs } = reading;
          return { outcome: "seen", shown: { nodes: { ok: true, value: nodes } }, answeredMs };
        },
        shownAs: (nodes) => ({ nodes }),
      });
      break;
    case "empty":
      add({
        guards: { deletionPolicy },
        async look({ client, ...scope }) {
          const counting = await client.countEntities(controlPlane, scope);
          if (counting.outcome === "gone") return counting;
          const { counts, answeredMs } = counting;
          return { outcome: "seen", shown: { entities: { ok: true, value: counts } }, answeredMs };
        },
        shownAs: (entities) => ({ entities }),
      });
      break;
  }
  return checks;
}

async function readLabels(
  { client, monotonicMs, ...scope }: HookContext,
  controlPlane: ControlPlaneRef,
): Promise<Seen | Gone> {
  const check = safe`Its labels could not be read, so it is unknown whether they still match.`;
  const reading = await client.readControlPlane(controlPlane, scope, { check });
  if (reading.outcome === "gone") return reading;
  return seenLabels({ labels: reading.controlPlane.labels, answeredMs: monotonicMs() });
}

function seenLabels({ labels, answeredMs }: ListedLabels): Seen {
  return { outcome: "seen", shown: { labels: { ok: true, value: labels } }, answeredMs };
}

/** Makes one check. Returns the proof that the control plane is gone, where the check meets it. */
async function make(check: Check, context: HookContext, about: About): Promise<Gone | undefined> {
  const seen = await lookOrFail(check, context);
  if (seen.outcome === "gone") return seen;
  const terms = { guards: check.guards, detachable: new Set<string>() };
  const circumstances = { isForced: context.settings.forceDelete, nowMs: context.epochMs() };
  check.clearMs = seen.answeredMs;
  for (const finding of findObstacles(terms, seen.shown, circumstances)) {
    const { guard } = finding;
    if (guard === undefined) continue;
    const error = finding.error ?? refusal(finding, guard, about);
    if (finding.standsInTheWay) throw error;
    check.clearMs = Infinity;
    const { controlPlane } = about;
    context.emit({ type: "guard overridden", controlPlane, guard, because: error.summary });
  }
  return undefined;
}

/** A look that fails is something to judge, too. The end of the run is not. */
async function lookOrFail({ look, shownAs }: Check, context: HookContext): Promise<Seen | Gone> {
  try {
    return await look(context);
  } catch (error) {
    if (!(error instanceof ControlPlaneError) || error.kind === "interrupted") throw error;
    return { outcome: "seen", shown: shownAs({ ok: false, error }), answeredMs: -Infinity };
  }
}

/** Time for the look at the nodes of a control plane that is being adopted. */
const LOOK_LIMIT_MS = 5_000;

/**
 * Warns of control planes that were adopted just now, and that their guards would not let go. Labels are known by then. The
 * nodes are looked at for a single one alone, in one attempt. A failed look is no reason to fail.
 */
export async function warnOfGuards(
  context: HookContext,
  guards: Guards,
  adopted: readonly { readonly controlPlane: ControlPlaneRef; readonly labels: Labels }[],
): Promise<void> {
  const [only, ...others] = adopted;
  const looksAtNodes = guards.deletionPolicy === "no-connected-nodes" && others.length === 0;
  const nodes =
    only === undefined || !looksAtNodes ? undefined : await lookAtNodes(context, only.controlPlane);
  const circumstances = { isForced: context.settings.forceDelete, nowMs: context.epochMs() };
  const terms = { guards, detachable: new Set<string>() };
  const controlPlanes = adopted.flatMap(({ controlPlane, labels }) => {
    const shown = { labels: { ok: true, value: labels } as const, ...(nodes && { nodes }) };
    const found = findObstacles(terms, shown, circumstances).filter(
      ({ standsInTheWay, kind, guard }) => standsInTheWay && guard !== undefined && kind !== "not checked",
    );
    const because = found.map(({ summary, names }) =>
      names.length === 0 ? summary : safe`${summary}: ${joinFirst(names, LISTED)}`,
    );
    return found.length === 0 ? [] : [{ controlPlane, because: joinSafe(because, "; ") }];
  });
  if (controlPlanes.length > 0) context.emit({ type: "forbidden already", controlPlanes });
}

async function lookAtNodes(
  { client, ...scope }: HookContext,
  controlPlane: ControlPlaneRef,
): Promise<Shown["nodes"]> {
  try {
    const reading = await client.readNodes(controlPlane, scope, { onceWithinMs: LOOK_LIMIT_MS });
    return reading.outcome === "gone" ? undefined : { ok: true, value: reading.nodes };
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    return undefined;
  }
}

/** Creates the error of a deletion that a guard forbids. */
function refusal(
  { kind, summary: words, found }: Finding,
  guard: GuardName,
  { controlPlane, isMember, mayHaveWorked }: About,
): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const summary = safeText(words.charAt(0).toUpperCase() + words.slice(1), 80);
  const listed = joinFirst(found, LISTED);
  const next = nextOf(guard, isMember);
  const message = renderMessage({
    headline: safe`${summary}: ${subject} ${outcomeFor("check", "guarded", mayHaveWorked)}`,
    explanation: [kind === "not empty" ? safe`It has ${listed}.` : safe`${listed}.`],
    rows: [
      [safe`guard`, safe`${safeText(guard, 20)} of the resource`],
      [safe`state`, mayHaveWorked ? MAY_HAVE_WORKED : STILL_EXISTS],
      [safe`next`, next],
    ],
  });
  return new ControlPlaneError(message, { kind: "guarded", subject, summary, next });
}

/**
 * Names KONNECT_FORCE_DELETE only for the policy, which the reader's own program sets. The labels of a control plane may be
 * those of another team, which decides about them.
 */
function nextOf(guard: GuardName, isMember: boolean): SafeText {
  if (guard === "deletionPolicy") {
    return safe`remove what stands in the way, then run again, or set KONNECT_FORCE_DELETE=1 to delete it anyway`;
  }
  const how = guard === "onlyIfLabels" ? safe`correct its labels` : safe`change that label`;
  return isMember
    ? safe`keep it: take it out of the list and run pulumi up; or ${how}`
    : safe`keep it with pulumi state delete, or ${how}`;
}

/** Creates the error of a deletion whose guards were outdated each time that a DELETE could start. */
function outdated({ controlPlane, mayHaveWorked }: About, checks: number): ControlPlaneError {
  const subject = describeControlPlane(controlPlane);
  const summary = safe`Guards outdated`;
  const next = safe`run again when the service answers faster, or with fewer control planes at a time`;
  const message = renderMessage({
    headline: safe`${summary}: ${subject} ${outcomeFor("check", "unavailable", mayHaveWorked)}`,
    explanation: [
      safe`Its guards were checked ${checks} times in a row. Each time, a DELETE could not start within ${FRESH_MS / 1_000} s after the check.`,
    ],
    rows: [
      [safe`state`, mayHaveWorked ? MAY_HAVE_WORKED : NOT_DELETED],
      [safe`next`, next],
    ],
  });
  return new ControlPlaneError(message, { kind: "unavailable", subject, summary, next });
}
