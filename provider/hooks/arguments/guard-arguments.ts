import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import { isObject } from "../../text/json.js";
import {
  DELETION_POLICIES,
  type Guards,
  isDeletionPolicy,
  isLabels,
  isUnknown,
  type Properties,
} from "../../state/recorded-fields.js";

/** The guards among the arguments of a resource, and what is wrong with them. */
export interface GuardArguments {
  /** Undefined when one is not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

/** Parses the guards among the arguments. Values that are not known yet are let through. */
export function parseGuards({ onlyIfLabels, deletionPolicy, detachMembers }: Properties): GuardArguments {
  const invalid: InvalidParameter[] = [];
  const isOpen = isUnknown(deletionPolicy) || isUnknown(detachMembers) || hasUnknown(onlyIfLabels);
  if (onlyIfLabels !== undefined && !hasUnknown(onlyIfLabels) && !isLabels(onlyIfLabels)) {
    const reason = 'must name labels and their values, for example { env: "preview" }';
    invalid.push({ field: "onlyIfLabels", reason, rule: "invalid" });
  }
  if (deletionPolicy !== undefined && !isUnknown(deletionPolicy) && !isDeletionPolicy(deletionPolicy)) {
    const reason = "is not a known policy";
    invalid.push({ field: "deletionPolicy", reason, rule: "enum", choices: DELETION_POLICIES });
  }
  if (detachMembers !== undefined && !isUnknown(detachMembers) && typeof detachMembers !== "boolean") {
    invalid.push({ field: "detachMembers", reason: "must be true or false", rule: "is_boolean" });
  }
  const guards = {
    ...(isLabels(onlyIfLabels) && { onlyIfLabels }),
    ...(isDeletionPolicy(deletionPolicy) && { deletionPolicy }),
    ...(typeof detachMembers === "boolean" && { detachMembers }),
  };
  return { guards: isOpen || invalid.length > 0 ? undefined : guards, invalid };
}

function hasUnknown(labels: unknown): boolean {
  return isUnknown(labels) || (isObject(labels) && Object.values(labels).some(isUnknown));
}
