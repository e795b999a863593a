import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { joinSafe, safe, safeName, type SafeText } from "../../text/safe-text.js";
import { type Finding, type GuardScope, LISTED } from "./obstacle.js";

/** Labels by their keys. */
export type Labels = Readonly<Record<string, string>>;

/** Labels that a list has shown. */
export interface ListedLabels {
  readonly labels: Labels;
  /** When they were listed, in monotonic milliseconds. */
  readonly answeredMs: number;
}

/** Reads the labels of a control plane, and compares them with those of `onlyIfLabels`. @throws ControlPlaneError on any doubt */
export async function checkLabels(
  { client, monotonicMs, ...scope }: GuardScope,
  controlPlane: ControlPlaneRef,
  wanted: Labels,
): Promise<Finding> {
  const check = safe`Its labels could not be read, so nobody knows whether they still match.`;
  const reading = await client.readControlPlane(controlPlane, scope, { check });
  if (reading.outcome === "gone") return reading;
  return compareLabels(wanted, { labels: reading.controlPlane.labels, answeredMs: monotonicMs() });
}

/** Compares labels with those of `onlyIfLabels`. Other labels do not matter. */
export function compareLabels(wanted: Labels, { labels, answeredMs }: ListedLabels): Finding {
  const differences = Object.entries(wanted).flatMap(([label, value]) => {
    const now = Object.hasOwn(labels, label) ? labels[label] : undefined;
    return now === value ? [] : [describeDifference(label, value, now)];
  });
  if (differences.length === 0) return { outcome: "clear", answeredMs };
  return {
    outcome: "obstacle",
    summary: safe`Labels no longer match`,
    explanation: safe`${joinSafe(differences.slice(0, LISTED), ", ")}.`,
  };
}

function describeDifference(label: string, wanted: string, now: string | undefined): SafeText {
  const name = safeName(label, 80);
  return now === undefined
    ? safe`${name} is missing (wanted "${safeName(wanted, 80)}")`
    : safe`${name} is "${safeName(now, 80)}", not "${safeName(wanted, 80)}"`;
}
