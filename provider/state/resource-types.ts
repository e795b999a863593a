/** The resource types of this provider. */
export type OwnType = "ControlPlane" | "ControlPlaneSet";

/** The types of programs in TypeScript and JavaScript, whose resources Pulumi's dynamic-provider host runs. */
export const DYNAMIC_TYPES = {
  ControlPlane: "pulumi-nodejs:dynamic/konnect:ControlPlane",
  ControlPlaneSet: "pulumi-nodejs:dynamic/konnect:ControlPlaneSet",
} as const satisfies Readonly<Record<OwnType, string>>;

/** The types of the provider plugin, for every Pulumi language. */
export const PLUGIN_TYPES = {
  ControlPlane: "konnect-control-planes:index:ControlPlane",
  ControlPlaneSet: "konnect-control-planes:index:ControlPlaneSet",
} as const satisfies Readonly<Record<OwnType, string>>;

/**
 * The text that the state of every resource holds, also when the plugin has written it. It loads the hooks when the
 * dynamic-provider host needs them. It is a contract for as long as one such state exists, so it never changes:
 * docs/decisions/constant-in-state.md.
 */
export const PROVIDER_TEXTS = {
  ControlPlane: 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")',
  ControlPlaneSet: 'exports.handler=()=>require("pulumi-konnect-control-planes/v1/set")',
} as const satisfies Readonly<Record<OwnType, string>>;

const TYPES: ReadonlyMap<string, OwnType> = new Map(
  [DYNAMIC_TYPES, PLUGIN_TYPES].flatMap((types) =>
    (["ControlPlane", "ControlPlaneSet"] as const).map((type) => [types[type], type] as const),
  ),
);

/** Returns which of this provider's types a resource type is, or undefined for any other. */
export function ownTypeOf(type: string): OwnType | undefined {
  return TYPES.get(type);
}
