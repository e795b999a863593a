import { withoutMark } from "../../service/operations/ownership-mark.js";
import type { LaterStep } from "./later-steps.js";

/**
 * Sends the labels once more when the service dropped one at the creation, or kept one that was to go. Null removes a
 * label in a service that merges labels, and is sent only to one that does: docs/decisions/create.md.
 */
export const settleLabels: LaterStep = async (context, { controlPlane, wanted: { labels }, document }) => {
  if (labels === undefined) return document;
  const present = withoutMark(document.labels);
  const missing = Object.entries(labels).filter(([label, value]) => present[label] !== value);
  const surplus = Object.keys(present).filter((label) => !Object.hasOwn(labels, label));
  if (missing.length === 0 && surplus.length === 0) return document;
  const removed = Object.fromEntries(surplus.map((label) => [label, null]));
  const change = await context.client.updateControlPlane(
    controlPlane,
    { labels: { ...labels, ...removed } },
    context,
  );
  return change.controlPlane;
};
