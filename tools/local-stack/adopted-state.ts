/** A control plane that a state shall hold as adopted. */
export interface AdoptedControlPlane {
  /** The name of its resource in the program. */
  readonly resource: string;
  readonly id: string;
  /** The name in the service. */
  readonly name: string;
  /** The arguments in the program. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** When the resource created it, in RFC 3339. Default: it adopted it. */
  readonly createdAt?: string;
  /** What the state records of it besides its address and its name. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A set of control planes that a state shall hold as adopted. */
export interface AdoptedSet {
  /** The name of its resource in the program. */
  readonly resource: string;
  /** Its control planes, with their names in the service. */
  readonly members: readonly { readonly id: string; readonly name: string }[];
  /** The arguments in the program besides the list: the address and guards. */
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** What a state shall hold. */
export interface Adopted {
  readonly controlPlanes?: readonly AdoptedControlPlane[];
  readonly sets?: readonly AdoptedSet[];
}

/** A resource of this provider, as a state stores it. */
interface Resource {
  readonly type: "ControlPlane" | "ControlPlaneSet";
  readonly entry: "v1" | "v1/set";
  readonly name: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

const TIME = "2026-01-01T00:00:00Z";

/**
 * Returns the text of a state file as `pulumi up` writes it, without a run of the CLI.
 *
 * `test/cli/adopt.test.ts` and `test/cli/control-plane-set.test.ts` compare it with the state that a real `up` writes.
 *
 * @param baseUrl the address where the control planes were adopted
 */
export function adoptedState(project: string, stack: string, baseUrl: string, adopted: Adopted): string {
  const { controlPlanes = [], sets = [] } = adopted;
  const urn = (type: string, name: string) => `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const stackUrn = urn("pulumi:pulumi:Stack", `${project}-${stack}`);
  const providerUrn = urn("pulumi:providers:pulumi-nodejs", "default");
  const providerId = "00000000-0000-4000-8000-000000000001";
  const times = { created: TIME, modified: TIME };
  const own = [
    ...controlPlanes.map((controlPlane) => toResource(controlPlane, baseUrl)),
    ...sets.map((set) => toSetResource(set, baseUrl)),
  ];
  const resources = [
    { urn: stackUrn, custom: false, type: "pulumi:pulumi:Stack", ...times },
    { urn: providerUrn, custom: true, id: providerId, type: "pulumi:providers:pulumi-nodejs", ...times },
    ...own.map(({ type, entry, name, id, inputs, outputs }) => {
      const __provider = `exports.handler=()=>require("pulumi-konnect-control-planes/${entry}")`;
      return {
        urn: urn(`pulumi-nodejs:dynamic/konnect:${type}`, name),
        custom: true,
        id,
        type: `pulumi-nodejs:dynamic/konnect:${type}`,
        inputs: { __provider, ...inputs },
        outputs: { __provider, ...outputs },
        parent: stackUrn,
        provider: `${providerUrn}::${providerId}`,
        propertyDependencies: Object.fromEntries(
          ["__provider", "__resource", ...Object.keys(inputs)].map((key) => [key, []]),
        ),
        ...times,
      };
    }),
  ];
  return JSON.stringify({
    version: 3,
    checkpoint: {
      stack: `organization/${project}/${stack}`,
      latest: { manifest: { time: TIME, magic: "", version: "" }, resources, metadata: {} },
    },
  });
}

function toResource(controlPlane: AdoptedControlPlane, baseUrl: string): Resource {
  const { resource, id, name, inputs, createdAt, outputs } = controlPlane;
  const mark = createdAt === undefined ? {} : { createdAt, __origin: "created" };
  return {
    type: "ControlPlane",
    entry: "v1",
    name: resource,
    id,
    inputs,
    outputs: { baseUrl, name, ...outputs, ...mark },
  };
}

function toSetResource({ resource, members, inputs = {} }: AdoptedSet, baseUrl: string): Resource {
  const { onlyIfLabels, deletionPolicy } = inputs;
  return {
    type: "ControlPlaneSet",
    entry: "v1/set",
    name: resource,
    id: "control-plane-set",
    inputs: { ...inputs, controlPlaneIds: members.map(({ id }) => id) },
    outputs: {
      baseUrl,
      controlPlanes: members.map(({ id, name }) => ({ id, name })),
      ...(onlyIfLabels !== undefined && { onlyIfLabels }),
      ...(deletionPolicy !== undefined && { deletionPolicy }),
    },
  };
}
