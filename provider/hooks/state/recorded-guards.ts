import { isObject } from "../../text/json.js";
import { settingsError } from "../../service/failure/control-plane-error.js";
import { type CallSubject, describeSubject } from "../../service/operations/control-plane-ref.js";
import { safe, safeText } from "../../text/safe-text.js";
import type { Properties } from "./properties.js";

/** When a control plane may be deleted, as far as its connected nodes and its configuration are concerned. */
export const DELETION_POLICIES = ["always", "no-connected-nodes", "empty"] as const;
export type DeletionPolicy = (typeof DELETION_POLICIES)[number];

/** What has to hold before a control plane is deleted, and what may be done to a group for that. */
export interface Guards {
  /** Labels that it must still have. Undefined when they do not matter. */
  readonly onlyIfLabels?: Readonly<Record<string, string>>;
  /** Default: `always`. */
  readonly deletionPolicy?: DeletionPolicy;
  /** Whether a group is deleted although it has members that the resource did not add. Default: false. */
  readonly detachMembers?: boolean;
}

/** Guards of which each may be undefined. */
type OptionalGuards = { readonly [Name in keyof Guards]?: Guards[Name] | undefined };

/** The names of the guards, among the arguments and in the state alike. */
export const GUARD_ARGUMENTS = [
  "onlyIfLabels",
  "deletionPolicy",
  "detachMembers",
] as const satisfies readonly (keyof Guards)[];

/** Parses the guards that the state records. One that is not as it was recorded is left out. */
export function decodeGuards({ onlyIfLabels, deletionPolicy, detachMembers }: Properties): Guards {
  return {
    ...(isLabels(onlyIfLabels) && { onlyIfLabels }),
    ...(isDeletionPolicy(deletionPolicy) && { deletionPolicy }),
    ...(typeof detachMembers === "boolean" && { detachMembers }),
  };
}

/**
 * Returns the guards that the state records for a control plane that is to be deleted.
 *
 * @throws ControlPlaneError when one is not known to this release, because nobody could check it
 */
export function recordedGuards(properties: Properties, about: CallSubject): Guards {
  const guards = decodeGuards(properties);
  const unknown = GUARD_ARGUMENTS.find((name) => properties[name] !== undefined && !(name in guards));
  if (unknown === undefined) return guards;
  const subject = describeSubject(about);
  const was = about.id === undefined ? safe`were` : safe`was`;
  throw settingsError(
    safe`The state's ${safeText(unknown, 20)} is not known to this release: ${subject} ${was} not deleted
  Nothing was sent. Use the release that recorded it, or correct the program and run pulumi up first.`,
    { subject, summary: safe`unknown ${safeText(unknown, 20)} in the state` },
  );
}

/** Renders guards for the state. What is the default is left out, which keeps the state small. */
export function encodeGuards({
  onlyIfLabels,
  deletionPolicy = "always",
  detachMembers = false,
}: OptionalGuards): Properties {
  return {
    ...(onlyIfLabels !== undefined && { onlyIfLabels }),
    ...(deletionPolicy !== "always" && { deletionPolicy }),
    ...(detachMembers && { detachMembers }),
  };
}

/** Returns the guards of a state as they are, those that this release does not know included. */
export function guardsAsRecorded(properties: Properties): Properties {
  return Object.fromEntries(
    GUARD_ARGUMENTS.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
}

/** Returns a state without any guard, so that those of the program take their place. */
export function withoutGuards(properties: Properties): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !(GUARD_ARGUMENTS as readonly string[]).includes(name)),
  );
}

/** Whether a value is a deletion policy. */
export function isDeletionPolicy(value: unknown): value is DeletionPolicy {
  return (DELETION_POLICIES as readonly unknown[]).includes(value);
}

/** Whether a value names at least one label and its value. */
export function isLabels(value: unknown): value is Readonly<Record<string, string>> {
  if (!isObject(value)) return false;
  const values = Object.values(value);
  return values.length > 0 && values.every((label) => typeof label === "string");
}

/** Whether a control plane with these guards is deleted without a check. */
export function isUnguarded({ onlyIfLabels, deletionPolicy = "always" }: Guards): boolean {
  return onlyIfLabels === undefined && deletionPolicy === "always";
}
