import { explainUnusable } from "../../service/failure/explain-call.js";
import type { Purpose } from "../../service/failure/purpose.js";
import { type ControlPlaneRef, parseControlPlaneId } from "../../service/operations/control-plane-ref.js";
import { parseAddressArguments, unknownArguments, whyNotAnId } from "./argument-parts.js";
import { type InvalidParameter, renderReason } from "../../service/problem/invalid-parameter.js";
import type { Settings } from "../../settings/settings.js";
import { joinSafe, safe, safeText, type SafeText } from "../../text/safe-text.js";
import { parseGuards } from "./guard-arguments.js";
import { GUARD_MEMBERS, type Guards } from "../state/recorded-guards.js";
import { isUnknown, type Properties } from "../state/properties.js";

/** Parsed arguments: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface Arguments {
  /** Undefined when it is unusable or not known yet. */
  readonly id: string | undefined;
  /** Undefined when it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  /** Undefined when one is unusable or not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

const KNOWN = ["controlPlaneId", "region", "baseUrl", ...GUARD_MEMBERS];

/** Parses the arguments of a resource. Values that are not known yet are let through. */
export function parseArguments(inputs: Properties, settings: Settings): Arguments {
  const { id, invalid: invalidId } = parseId(inputs);
  const { address, hasAddress, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  const { guards, invalid: invalidGuards } = parseGuards(inputs);
  const invalid = [
    ...invalidId,
    ...invalidAddress,
    ...invalidGuards,
    ...unknownArguments(inputs, KNOWN).filter(({ field }) => field !== "name"), // parseId judges it
  ];
  return { id, address, hasAddress, guards, invalid };
}

/**
 * Returns the control plane that the arguments name. `check` has refused unusable arguments already; they are refused
 * again for a caller that did not ask it.
 *
 * @throws ControlPlaneError that lists everything that is wrong
 */
export function requireControlPlane(
  inputs: Properties,
  settings: Settings,
  purpose: Purpose,
): ControlPlaneRef {
  const { id, address, guards, invalid } = parseArguments(inputs, settings);
  if (id !== undefined && address !== undefined && guards !== undefined) return { id, address };
  const [first = safe`unusable settings`, ...more] = invalid.map(renderParameter);
  const named = typeof inputs.controlPlaneId === "string" ? inputs.controlPlaneId : "without an id";
  throw explainUnusable(purpose, { id: id ?? named }, [first, ...more]);
}

/** Renders an invalid argument with its name: `region is not a known region (rule enum, …)`. */
export function renderParameter(parameter: InvalidParameter): SafeText {
  const { field = "" } = parameter;
  const reason = renderReason(parameter);
  return field === "" ? reason : joinSafe([safeText(field, 80), reason], " ");
}

function parseId({ controlPlaneId, name }: Properties): {
  id: string | undefined;
  invalid: readonly InvalidParameter[];
} {
  const refuse = (field: string, reason: string, rule: string) => ({
    id: undefined,
    invalid: [{ field, reason, rule }],
  });
  if (controlPlaneId !== undefined && name !== undefined) {
    const reason =
      "cannot be given together with controlPlaneId, because that control plane has its name already";
    return refuse("name", reason, "invalid");
  }
  if (controlPlaneId === undefined) {
    return name === undefined
      ? refuse("controlPlaneId", "is required: the UUID of the control plane to adopt", "required")
      : refuse(
          "name",
          "creating a control plane is not supported; give the controlPlaneId of an existing one",
          "invalid",
        );
  }
  if (isUnknown(controlPlaneId)) return { id: undefined, invalid: [] };
  const text = typeof controlPlaneId === "string" ? controlPlaneId : "";
  const id = parseControlPlaneId(text);
  return id === undefined ? refuse("controlPlaneId", whyNotAnId(text), "is_uuid") : { id, invalid: [] };
}
