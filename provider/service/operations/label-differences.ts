import { safe, safeName, type SafeText } from "../../text/safe-text.js";

/** Labels by their keys. */
export type Labels = Readonly<Record<string, string>>;

/** Describes each wanted label that is missing or has another value: `env is "prod", not "preview"`. */
export function labelDifferences(wanted: Labels, labels: Labels): readonly SafeText[] {
  return Object.entries(wanted).flatMap(([label, value]) => {
    const now = Object.hasOwn(labels, label) ? labels[label] : undefined;
    return now === value ? [] : [describeDifference(label, value, now)];
  });
}

function describeDifference(label: string, wanted: string, now: string | undefined): SafeText {
  const name = safeName(label, 80);
  return now === undefined
    ? safe`${name} is missing (wanted "${safeName(wanted, 80)}")`
    : safe`${name} is "${safeName(now, 80)}", not "${safeName(wanted, 80)}"`;
}
