import { parseAddress, regionAddress, REGIONS } from "../service/address.js";
import { ID_RULE, parseControlPlaneId, type Target } from "../service/control-plane.js";
import { harmless } from "../service/foreign-text.js";
import { type Doing, explainUnusable } from "../service/explain.js";
import { type InvalidParameter, renderReason } from "../service/invalid-parameter.js";
import type { Settings } from "../settings.js";
import type { Properties } from "./context.js";

/** Stands for a value that is not known yet, in a preview. Source: Pulumi's SDK, `unknownValue`. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Tells whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN;
}

/** Arguments as read: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface Arguments {
  /** Undefined when it is unusable or not known yet. */
  readonly id: string | undefined;
  /** Undefined when it is unusable or not known yet. */
  readonly address: string | undefined;
  /** True when an argument gave the address, false when a setting did. */
  readonly addressGiven: boolean;
  readonly invalid: readonly InvalidParameter[];
}

const KNOWN = ["controlPlaneId", "region", "baseUrl"];

/** Reads the arguments of a resource. Values that are not known yet are let through. */
export function parseArguments(inputs: Properties, settings: Settings): Arguments {
  const { id, invalid: invalidId } = parseId(inputs);
  const { address, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  const addressGiven = inputs.region !== undefined || inputs.baseUrl !== undefined;
  return {
    id,
    address,
    addressGiven,
    invalid: [...invalidId, ...invalidAddress, ...unknownArguments(inputs)],
  };
}

/**
 * Gives the control plane that the arguments name. `check` has refused unusable ones already; they are refused again
 * for a caller that has not asked it.
 *
 * @throws SettingsError that lists what is wrong
 */
export function requireTarget(inputs: Properties, settings: Settings, doing: Doing): Target {
  const { id, address, invalid } = parseArguments(inputs, settings);
  if (id !== undefined && address !== undefined) return { id, address };
  const reasons = invalid.map((parameter) => `${parameter.field ?? ""} ${renderReason(parameter)}`.trim());
  const named =
    typeof inputs.controlPlaneId === "string" ? harmless(inputs.controlPlaneId, 60) : "without an id";
  throw explainUnusable(doing, { id: id ?? named }, reasons);
}

function parseId({ controlPlaneId, name }: Properties): {
  id: string | undefined;
  invalid: InvalidParameter[];
} {
  const refuse = (field: string, reason: string, rule: string) => ({
    id: undefined,
    invalid: [{ field, reason, rule }],
  });
  if (controlPlaneId !== undefined && name !== undefined) {
    return refuse(
      "name",
      "cannot stand beside controlPlaneId: that control plane has its name already",
      "invalid",
    );
  }
  if (controlPlaneId === undefined) {
    return name === undefined
      ? refuse("controlPlaneId", "is required: the UUID of the control plane to adopt", "required")
      : refuse(
          "name",
          "creating a control plane is not supported: give the controlPlaneId of an existing one",
          "invalid",
        );
  }
  if (isUnknown(controlPlaneId)) return { id: undefined, invalid: [] };
  const id = typeof controlPlaneId === "string" ? parseControlPlaneId(controlPlaneId) : undefined;
  return id === undefined ? refuse("controlPlaneId", ID_RULE, "is_uuid") : { id, invalid: [] };
}

function parseAddressArguments(inputs: Properties, settings: Settings) {
  const { region, baseUrl } = inputs;
  const refuse = (invalid: InvalidParameter) => ({ address: undefined, invalid: [invalid] });
  if (region !== undefined && baseUrl !== undefined) {
    return refuse({
      field: "region",
      reason: "cannot stand beside baseUrl: give one of them",
      rule: "invalid",
    });
  }
  if (isUnknown(region) || isUnknown(baseUrl)) return { address: undefined, invalid: [] };
  if (region !== undefined) {
    const reading = regionAddress(text(region));
    if (reading.ok) return { address: reading.address, invalid: [] };
    return refuse({ field: "region", reason: "is not a known region", rule: "enum", choices: REGIONS });
  }
  if (baseUrl !== undefined) {
    const reading = parseAddress(text(baseUrl));
    return reading.ok
      ? { address: reading.address, invalid: [] }
      : refuse({ field: "baseUrl", reason: reading.reason, rule: "invalid" });
  }
  if (settings.address !== undefined) {
    const { setting, reading } = settings.address;
    return reading.ok
      ? { address: reading.address, invalid: [] }
      : refuse({ field: "", reason: `${setting} ${reading.reason}` });
  }
  return refuse({
    field: "region",
    reason:
      "is required: give region or baseUrl here, konnect:region or konnect:baseUrl in the stack configuration, " +
      "or KONNECT_REGION or KONNECT_SERVER_URL in the environment",
    rule: "required",
  });
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function unknownArguments(inputs: Properties): InvalidParameter[] {
  return Object.keys(inputs)
    .filter((field) => !KNOWN.includes(field) && field !== "name" && !field.startsWith("__"))
    .map((field) => ({
      field: harmless(field, 80),
      reason: `should not exist; allowed are ${KNOWN.join(", ")}`,
      rule: "unknown_property",
    }));
}
