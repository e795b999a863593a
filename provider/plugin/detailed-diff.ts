import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../state/recorded-fields.js";
import { isObject } from "../text/json.js";

/** What becomes of an argument. */
export type PropertyChange = "add" | "delete" | "update";

/**
 * Compares the arguments of the last `up` with those of the program. Returns what changes, by property path as Pulumi writes
 * it: `labels.team`, `proxyUrls[0].port` or `labels["a.b"]`. What begins with two underscores is not an argument.
 */
export function changedPaths(before: Properties, now: Properties): ReadonlyMap<string, PropertyChange> {
  const visible = ({ ...inputs }: Properties) =>
    Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
  const changes = new Map<string, PropertyChange>();
  compare("", visible(before), visible(now), changes);
  return changes;
}

function compare(path: string, before: unknown, now: unknown, changes: Map<string, PropertyChange>): void {
  if (isDeepStrictEqual(before, now)) return;
  if (before === undefined) changes.set(path, "add");
  else if (now === undefined) changes.set(path, "delete");
  else if (Array.isArray(before) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(before.length, now.length); index += 1) {
      compare(`${path}[${index}]`, before[index], now[index], changes);
    }
  } else if (isObject(before) && isObject(now)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
      compare(below(path, key), before[key], now[key], changes);
    }
  } else changes.set(path, "update");
}

function below(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
