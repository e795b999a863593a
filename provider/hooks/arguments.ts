import { parseAddress, regionAddress, REGIONS, meantRegion } from "../service/http/address.js";
import { explainUnusable } from "../service/failure/explain-call.js";
import type { Purpose } from "../service/failure/purpose.js";
import {
  ID_RULE,
  parseControlPlaneId,
  type ControlPlaneRef,
} from "../service/operations/control-plane-ref.js";
import { type InvalidParameter, renderReason } from "../service/problem/invalid-parameter.js";
import type { Settings } from "../settings/settings.js";
import { joinSafe, safe, safeText, type SafeText } from "../text/safe-text.js";
import type { Properties } from "./state/properties.js";

/** Stands for a value that is not known yet, in a preview. Source: Pulumi's SDK, `unknownValue`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}

/** Parsed arguments: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface Arguments {
  /** Undefined when it is unusable or not known yet. */
  readonly id: string | undefined;
  /** Undefined when it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  readonly invalid: readonly InvalidParameter[];
}

const KNOWN = ["controlPlaneId", "region", "baseUrl"];

/** Parses the arguments of a resource. Values that are not known yet are let through. */
export function parseArguments(inputs: Properties, settings: Settings): Arguments {
  const { id, invalid: invalidId } = parseId(inputs);
  const { address, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  return {
    id,
    address,
    hasAddress: inputs.region !== undefined || inputs.baseUrl !== undefined,
    invalid: [...invalidId, ...invalidAddress, ...unknownArguments(inputs)],
  };
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
  const { id, address, invalid } = parseArguments(inputs, settings);
  if (id !== undefined && address !== undefined) return { id, address };
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

/** A value is repeated only when it is an identifier with white space around it: it could be a token by mistake. */
function whyNotAnId(text: string): string {
  const trimmed = parseControlPlaneId(text.trim());
  return trimmed === undefined ? ID_RULE : `${ID_RULE}; remove the white space around ${trimmed}`;
}

/** Parses the arguments that name an address. Where there are none, the settings name it. */
export function parseAddressArguments(
  inputs: Properties,
  settings: Pick<Settings, "address">,
): Pick<Arguments, "address" | "invalid"> {
  const { region, baseUrl } = inputs;
  const refuse = (invalid: InvalidParameter) => ({ address: undefined, invalid: [invalid] });
  const accept = (address: string) => ({ address, invalid: [] });
  if (region !== undefined && baseUrl !== undefined) {
    const reason = "cannot be given together with baseUrl";
    return refuse({ field: "region", reason, rule: "invalid" });
  }
  if (isUnknown(region) || isUnknown(baseUrl)) return { address: undefined, invalid: [] };
  if (region !== undefined) {
    const parsed = regionAddress(textOf(region));
    if (parsed.ok) return accept(parsed.address);
    const meant = meantRegion(textOf(region));
    const reason = `is not a known region${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
    return refuse({ field: "region", reason, rule: "enum", choices: REGIONS });
  }
  if (baseUrl !== undefined) {
    const parsed = parseAddress(textOf(baseUrl));
    return parsed.ok
      ? accept(parsed.address)
      : refuse({ field: "baseUrl", reason: parsed.reason, rule: "invalid" });
  }
  if (settings.address !== undefined) {
    const { setting, parsed } = settings.address;
    return parsed.ok ? accept(parsed.address) : refuse({ reason: `${setting} ${parsed.reason}` });
  }
  return refuse({
    field: "region",
    reason:
      "is required: give region or baseUrl here, konnect:region or konnect:baseUrl in the stack configuration, " +
      "or KONNECT_REGION or KONNECT_SERVER_URL in the environment",
    rule: "required",
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function unknownArguments(inputs: Properties): readonly InvalidParameter[] {
  return Object.keys(inputs)
    .filter((field) => !KNOWN.includes(field) && field !== "name" && !field.startsWith("__"))
    .map((field) => ({
      field,
      reason: `should not exist; allowed are ${KNOWN.join(", ")}`,
      rule: "unknown_property",
    }));
}
