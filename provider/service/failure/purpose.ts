import { safe, type SafeText } from "../../text/safe-text.js";
import type { FailureKind } from "./control-plane-error.js";

/**
 * The purpose of a call. It selects the wording of an error. `check`: the control plane may be deleted only when this
 * call shows that nothing stands in the way.
 */
export type Purpose = "delete" | "adopt" | "create" | "update" | "read" | "look up" | "list" | "check";

/** The purposes that a hook can have. The others are steps on the way. */
export type HookPurpose = Exclude<Purpose, "list" | "check">;

/**
 * Returns what a failure means for the subject of a call, for the first line of a message.
 *
 * @param isMany whether the subject is more than one control plane
 */
export function outcomeFor(
  purpose: Purpose,
  kind: FailureKind,
  mayHaveWorked: boolean,
  isMany = false,
): SafeText {
  const was = isMany ? safe`were` : safe`was`;
  switch (purpose) {
    case "delete":
    case "check":
      return mayHaveWorked ? safe`may or may not have been deleted` : safe`${was} not deleted`;
    case "adopt":
      return safe`${was} not adopted`;
    case "create":
      return mayHaveWorked ? safe`may or may not have been created` : safe`was not created`;
    case "update":
      return mayHaveWorked ? safe`may or may not have been updated` : safe`was not updated`;
    case "read":
      return safe`could not be read`;
    case "list":
      return safe`could not be listed`;
    case "look up":
      return kind === "missing" ? safe`${was} not found` : safe`could not be read`;
  }
}
