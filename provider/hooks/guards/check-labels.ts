import type { ControlPlaneRef } from "../../service/operations/control-plane-ref.js";
import { type Labels, labelDifferences } from "../../service/operations/label-differences.js";
import { joinFirst, safe } from "../../text/safe-text.js";
import { type Finding, type GuardScope, LISTED } from "./obstacle.js";

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
  const check = safe`Its labels could not be read, so it is unknown whether they still match.`;
  const reading = await client.readControlPlane(controlPlane, scope, { check });
  if (reading.outcome === "gone") return reading;
  return compareLabels(wanted, { labels: reading.controlPlane.labels, answeredMs: monotonicMs() });
}

/** Compares labels with those of `onlyIfLabels`. Other labels do not matter. */
export function compareLabels(wanted: Labels, { labels, answeredMs }: ListedLabels): Finding {
  const differences = labelDifferences(wanted, labels);
  if (differences.length === 0) return { outcome: "clear", answeredMs };
  return {
    outcome: "obstacle",
    summary: safe`Labels no longer match`,
    explanation: safe`${joinFirst(differences, LISTED)}.`,
  };
}
