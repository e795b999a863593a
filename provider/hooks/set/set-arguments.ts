import { explainUnusable } from "../../service/failure/explain-call.js";
import type { HookPurpose } from "../../service/failure/purpose.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import type { Settings } from "../../settings/settings.js";
import { safe } from "../../text/safe-text.js";
import { parseAddressArguments, unknownArguments } from "../arguments/argument-parts.js";
import { renderParameter } from "../arguments/arguments.js";
import { parseGuards } from "../arguments/guard-arguments.js";
import { parseIdList } from "../arguments/id-list.js";
import { GUARD_ARGUMENTS, type Guards, isUnknown, type Properties } from "../../state/recorded-fields.js";

/** Parsed arguments of a set: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface SetArguments {
  /** The ids, each once. Undefined when one is unusable or not known yet. */
  readonly ids: readonly string[] | undefined;
  /** Undefined when it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  /** Undefined when one is unusable or not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

/** Arguments that are all usable. */
export interface UsableSet {
  readonly ids: readonly string[];
  readonly address: string;
  readonly guards: Guards;
}

const KNOWN = ["controlPlaneIds", "region", "baseUrl", ...GUARD_ARGUMENTS];

/** Parses the arguments of a set. Values that are not known yet are let through. An id that is given twice counts once. */
export function parseSetArguments(inputs: Properties, settings: Pick<Settings, "address">): SetArguments {
  const { ids, invalid: invalidIds } = parseIds(inputs.controlPlaneIds);
  const { address, hasAddress, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  const { guards, invalid: invalidGuards } = parseGuards(inputs);
  const invalid = [...invalidIds, ...invalidAddress, ...invalidGuards, ...unknownArguments(inputs, KNOWN)];
  return { ids, address, hasAddress, guards, invalid };
}

/**
 * Returns arguments that are all usable. Refuses unusable ones again, because not every caller runs `check` first.
 *
 * @throws ControlPlaneError that lists everything that is wrong
 */
export function requireSet(inputs: Properties, settings: Settings, purpose: HookPurpose): UsableSet {
  const { ids, address, guards, invalid } = parseSetArguments(inputs, settings);
  if (ids !== undefined && address !== undefined && guards !== undefined) return { ids, address, guards };
  const [first = safe`unusable settings`, ...more] = invalid.map(renderParameter);
  throw explainUnusable(purpose, { address: address ?? "" }, [first, ...more]);
}

function parseIds(value: unknown): {
  readonly ids: readonly string[] | undefined;
  readonly invalid: readonly InvalidParameter[];
} {
  if (isUnknown(value)) return { ids: undefined, invalid: [] };
  if (!Array.isArray(value)) {
    const reason = "is required: a list of the UUIDs of the control planes; it may be empty";
    return { ids: undefined, invalid: [{ field: "controlPlaneIds", reason, rule: "required" }] };
  }
  const { ids, isOpen, invalid } = parseIdList(value, "controlPlaneIds");
  return { ids: isOpen || invalid.length > 0 ? undefined : ids, invalid };
}
