import { explainUnusable } from "../../service/failure/explain-call.js";
import type { Purpose } from "../../service/failure/purpose.js";
import { type ControlPlaneRef } from "../../service/operations/control-planes.js";
import {
  type NewControlPlane,
  parseControlPlaneId,
} from "../../service/operations/control-plane-document.js";
import { CREATION_ARGUMENTS, type CreationArguments, parseCreation } from "./creation-arguments.js";
import { parseAddressArguments, parseGuards, unknownArguments, whyNotAnId } from "./argument-parts.js";
import { type InvalidParameter, renderReason } from "../../service/problem/problem.js";
import type { Settings } from "../../settings/settings.js";
import { joinSafe, safe, safeText, type SafeText } from "../../text/safe-text.js";
import { GUARD_ARGUMENTS, type Guards, isUnknown, type Properties } from "../../state/recorded-fields.js";

/** Parsed arguments: what is usable, and everything that is wrong, in the words of `invalid_parameters`. */
export interface Arguments {
  /** Undefined if it is unusable or not known yet. */
  readonly id: string | undefined;
  /** What the program wants the control plane to be. Undefined if the resource adopts one. */
  readonly creation: CreationArguments | undefined;
  /** Undefined if it is unusable or not known yet. */
  readonly address: string | undefined;
  /** Whether an argument names the address, and not a setting. */
  readonly hasAddress: boolean;
  /** Undefined if one is unusable or not known yet. */
  readonly guards: Guards | undefined;
  readonly invalid: readonly InvalidParameter[];
}

/** The arguments of adopted and created control planes alike. */
const SHARED = ["region", "baseUrl", ...GUARD_ARGUMENTS];

/** Whether arguments ask for a control plane to be created, and not to be adopted. */
export function isCreation({ controlPlaneId, name }: Properties): boolean {
  return controlPlaneId === undefined && name !== undefined;
}

/** Parses the arguments of a resource. Values that are not known yet are let through. */
export function parseArguments(inputs: Properties, settings: Settings): Arguments {
  const creation = isCreation(inputs) ? parseCreation(inputs) : undefined;
  const { id, invalid: invalidId } =
    creation === undefined ? parseId(inputs) : { id: undefined, invalid: [] };
  const { address, hasAddress, invalid: invalidAddress } = parseAddressArguments(inputs, settings);
  const { guards, invalid: invalidGuards } = parseGuards(inputs);
  const invalid = [
    ...invalidId,
    ...(creation?.invalid ?? []),
    ...invalidAddress,
    ...invalidGuards,
    ...(creation === undefined
      ? unknownOfAdopted(inputs)
      : unknownArguments(inputs, [...CREATION_ARGUMENTS, ...SHARED])),
  ];
  return { id, creation, address, hasAddress, guards, invalid };
}

/** Returns what is wrong with the names of the arguments when the resource creates no control plane. */
function unknownOfAdopted(inputs: Properties): readonly InvalidParameter[] {
  const known = ["controlPlaneId", ...SHARED];
  const creating: readonly string[] = CREATION_ARGUMENTS;
  return [
    ...CREATION_ARGUMENTS.filter((name) => name !== "name" && inputs[name] !== undefined).map((field) => ({
      field,
      reason:
        inputs.controlPlaneId === undefined
          ? "cannot be set without name"
          : "cannot be set together with controlPlaneId, because an adopted control plane is not changed",
      rule: "invalid",
    })),
    ...unknownArguments(inputs, known).filter(({ field = "" }) => !creating.includes(field)),
  ];
}

/**
 * Returns the control plane that the arguments name. Refuses unusable arguments again, because not every caller runs
 * `check` first.
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

/** A control plane that is to be created, and everything that the arguments say about it. */
export interface RequiredCreation {
  readonly address: string;
  readonly wanted: NewControlPlane;
  /** The members of the group. Undefined if the resource does not manage them. */
  readonly members: readonly string[] | undefined;
  readonly guards: Guards;
}

/**
 * Returns the control plane that the arguments ask for. As {@link requireControlPlane}, it refuses unusable arguments
 * again.
 *
 * @throws ControlPlaneError that lists everything that is wrong
 */
export function requireCreation(inputs: Properties, settings: Settings): RequiredCreation {
  const { creation, address, guards, invalid } = parseArguments(inputs, settings);
  const { name, ...wanted } = creation?.wanted ?? {};
  const isKnown = creation?.open.length === 0 && invalid.length === 0;
  if (isKnown && name !== undefined && address !== undefined && guards !== undefined) {
    return { address, wanted: { name, ...wanted }, members: creation.members, guards };
  }
  const [first = safe`unusable settings`, ...more] = invalid.map(renderParameter);
  const about = {
    address: address ?? "",
    name: typeof inputs.name === "string" ? inputs.name : "without a name",
  };
  throw explainUnusable("create", about, [first, ...more]);
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
      "cannot be set together with controlPlaneId, because that control plane has its name already: set controlPlaneId to adopt one, or name to create one";
    return refuse("name", reason, "invalid");
  }
  if (controlPlaneId === undefined) {
    const reason =
      "is required: the UUID of the control plane to adopt; or set name, to create a control plane";
    return refuse("controlPlaneId", reason, "required");
  }
  if (isUnknown(controlPlaneId)) return { id: undefined, invalid: [] };
  const text = typeof controlPlaneId === "string" ? controlPlaneId : "";
  const id = parseControlPlaneId(text);
  return id === undefined ? refuse("controlPlaneId", whyNotAnId(text), "is_uuid") : { id, invalid: [] };
}
