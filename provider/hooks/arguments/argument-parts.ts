import { meantRegion, parseAddress, regionAddress, REGIONS } from "../../service/http/address.js";
import { ID_RULE, parseControlPlaneId } from "../../service/operations/control-plane-ref.js";
import type { InvalidParameter } from "../../service/problem/invalid-parameter.js";
import type { Settings } from "../../settings/settings.js";
import { isUnknown, type Properties } from "../../state/recorded-fields.js";

/** The address among the arguments of a resource, or the one in the settings. */
export interface AddressArguments {
  /** Undefined when it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  readonly invalid: readonly InvalidParameter[];
}

/** Parses the arguments `region` and `baseUrl`. Without one, the settings name the address. */
export function parseAddressArguments(
  inputs: Properties,
  settings: Pick<Settings, "address">,
): AddressArguments {
  const { region, baseUrl } = inputs;
  const hasAddress = region !== undefined || baseUrl !== undefined;
  const refuse = (invalid: InvalidParameter) => ({ address: undefined, hasAddress, invalid: [invalid] });
  const accept = (address: string) => ({ address, hasAddress, invalid: [] });
  if (region !== undefined && baseUrl !== undefined) {
    const reason = "cannot be given together with baseUrl";
    return refuse({ field: "region", reason, rule: "invalid" });
  }
  if (isUnknown(region) || isUnknown(baseUrl)) return { address: undefined, hasAddress, invalid: [] };
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

/** Returns what is wrong with the names of the arguments. */
export function unknownArguments(inputs: Properties, known: readonly string[]): readonly InvalidParameter[] {
  return Object.keys(inputs)
    .filter((field) => inputs[field] !== undefined && !known.includes(field) && !field.startsWith("__"))
    .map((field) => ({
      field,
      reason: `should not exist; allowed are ${known.join(", ")}`,
      rule: "unknown_property",
    }));
}

/**
 * Returns what is wrong with an identifier. A value is repeated only when it is an identifier with white space around it: it could
 * be a token by mistake.
 */
export function whyNotAnId(text: string): string {
  const trimmed = parseControlPlaneId(text.trim());
  return trimmed === undefined ? ID_RULE : `${ID_RULE}; remove the white space around ${trimmed}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
