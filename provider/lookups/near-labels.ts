import type { ControlPlaneDocument, Labels } from "../service/operations/control-plane-document.js";
import { withoutMark } from "../service/operations/control-plane-document.js";
import { joinFirst, safe, type SafeText, safeText } from "../text/safe-text.js";

/** Names at most this many labels, values or keys. */
const LISTED = 5;

/**
 * Describes which labels of an organization come near to one that no control plane has: another case, a letter more or
 * less, two letters in the wrong order, or other values of the same label.
 */
export function describeNearLabels(
  [key, value]: readonly [key: string, value: string],
  controlPlanes: readonly Pick<ControlPlaneDocument, "labels">[],
): SafeText {
  const asked = describeLabel(key, value);
  const labels = countBy(
    controlPlanes.flatMap(({ labels: carried }) => Object.entries(withoutMark(carried))),
  );
  const near = labels.filter(({ item }) => isNear(item[0], key) && isNear(item[1], value));
  if (near.length > 0) return safe`${asked}: near it ${list(near, ([k, v]) => describeLabel(k, v))}`;
  const sameKey = labels.filter(({ item }) => item[0] === key);
  if (sameKey.length > 0) {
    return safe`${asked}: the label ${safeText(key, 80)} has other values, ${list(sameKey, (label) => safeText(label[1], 80))}`;
  }
  const keys = countBy(
    labels.flatMap(({ item, count }) => Array.from({ length: count }, () => [item[0]] as const)),
  );
  const nearKeys = keys.filter(({ item }) => isNear(item[0], key));
  if (nearKeys.length > 0) {
    return safe`${asked}: there is no label ${safeText(key, 80)}; near it ${list(nearKeys, (one) => safeText(one[0], 80))}`;
  }
  if (keys.length === 0) return safe`${asked}: no control plane has any label`;
  return safe`${asked}: there is no label ${safeText(key, 80)}; there are ${list(keys, (one) => safeText(one[0], 80))}`;
}

/** Describes labels as a filter has them: `env=preview, team=a`. */
export function describeLabels(labels: Labels): SafeText {
  return joinFirst(
    Object.entries(labels).map(([key, value]) => describeLabel(key, value)),
    10,
  );
}

function describeLabel(key: string, value: string): SafeText {
  return safe`${safeText(key, 80)}=${safeText(value, 80)}`;
}

interface Counted<Item> {
  readonly item: Item;
  readonly count: number;
}

/** Counts equal items. The most frequent ones come first. */
function countBy<Item extends readonly string[]>(items: readonly Item[]): readonly Counted<Item>[] {
  const counts = new Map<string, { readonly item: Item; count: number }>();
  for (const item of items) {
    const known = counts.get(JSON.stringify(item));
    if (known === undefined) counts.set(JSON.stringify(item), { item, count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count || (String(a.item) < String(b.item) ? -1 : 1));
}

function list<Item>(counted: readonly Counted<Item>[], describe: (item: Item) => SafeText): SafeText {
  return joinFirst(
    counted.map(({ item, count }) => safe`${describe(item)} (${count})`),
    LISTED,
  );
}

/** Whether two strings differ by case, by one letter, by two letters when they are long, or by a beginning of three letters. */
export function isNear(a: string, b: string): boolean {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  if (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) return true;
  // Label keys and values have 63 characters at most. Longer strings are no slips.
  if (Math.max(one.length, other.length) > 80) return false;
  return editDistance(one, other) <= (shorter >= 8 ? 2 : shorter >= 3 ? 1 : 0);
}

/** Counts insertions, deletions, substitutions and swaps of neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
