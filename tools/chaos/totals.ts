import { KILL_ALL, STRIKES } from "./plan.js";
import type { Creates, Outcome } from "./chaos-run.js";

/** Returns one line about the outcome of a run. */
export function describeRun(name: string, outcome: Outcome): string {
  const { sets, pairs, ups, creates, strikes, faults, destroys, requests, elapsedMs, violations } = outcome;
  const counts = [
    ...(sets > 0 ? [`${sets} ${sets === 1 ? "set" : "sets"}`] : []),
    ...(creates === undefined
      ? []
      : [
          `creates ${creates.planes}, ${creates.groups} of them groups`,
          `${creates.adopted} adopted and ${creates.deleted} deleted by hand`,
          `${creates.detached} members of others removed`,
        ]),
    ...(pairs > 0 ? [`${pairs} pairs`] : []),
    ...(ups > 0 ? [`${ups} ups`] : []),
    `${strikes.length} kills`,
    `${faults} faults`,
    `${destroys} destroys`,
    `${requests} requests`,
    `${seconds(elapsedMs)} s`,
  ].join(", ");
  return `${name}: ${counts}, ${violations.length === 0 ? "converged" : "FAILED"}`;
}

/** Returns the sums over all runs, as lines. */
export function describeTotals(outcomes: ReadonlyMap<number, Outcome>, seed: number): string {
  const all = [...outcomes.values()];
  const sum = (of: (outcome: Outcome) => number) => all.reduce((total, outcome) => total + of(outcome), 0);
  const strikes = all.flatMap((outcome) => outcome.strikes);
  const kinds = [...STRIKES, KILL_ALL].map(
    (kind) => `${kind} ${strikes.filter((strike) => strike === kind).length}`,
  );
  const [slowest, { elapsedMs }] = [...outcomes].sort(([, a], [, b]) => b.elapsedMs - a.elapsedMs)[0] ?? [
    0,
    { elapsedMs: 0 },
  ];
  const failed = all.filter(({ violations }) => violations.length > 0).length;
  const sumOf = (count: keyof Creates) => sum(({ creates }) => creates?.[count] ?? 0);
  const creating = all.filter(({ creates }) => creates !== undefined).length;
  return [
    `ups ${sum(({ ups }) => ups)}, control planes left over by a kill: ${sumOf("adopted")} adopted and ${sumOf("deleted")} deleted by hand; pending operations cleared by a refresh: ${sum(({ cleared }) => cleared)}`,
    `groups ${sumOf("groups")}, members of others removed by hand: ${sumOf("detached")}; control planes declared twice: ${sum(({ pairs }) => pairs)}`,
    `destroys ${sum(({ destroys }) => destroys)}, requests ${sum(({ requests }) => requests)}, faults ${sum(({ faults }) => faults)}`,
    `kills ${strikes.length}: ${kinds.join(", ")}`,
    `commands that were stopped and ended with exit code 0 although something was left: ${sum(({ falseSuccesses }) => falseSuccesses)}`,
    `empty files of attributes removed after a SIGKILL: ${sum(({ emptyAttributes }) => emptyAttributes)}`,
    `states cut off by a full disk and put back: ${sum(({ ruinedStates }) => ruinedStates)}`,
    `time ${seconds(sum((outcome) => outcome.elapsedMs))} s, slowest run ${slowest} with ${seconds(elapsedMs)} s`,
    `${all.length - failed} passed, ${failed} failed, ${all.filter(({ sets }) => sets > 0).length} of them with sets, ${creating} that created, ${all.filter(({ pairs }) => pairs > 0).length} with pairs, seed ${seed}`,
  ].join("\n");
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
