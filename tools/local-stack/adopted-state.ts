/** A control plane that a state shall hold as adopted. */
export interface AdoptedControlPlane {
  /** The name of its resource in the program. */
  readonly resource: string;
  readonly id: string;
  /** The name in the service. */
  readonly name: string;
  /** The arguments in the program. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

const PROVIDER = 'exports.handler=()=>require("pulumi-konnect-control-planes/v1")';
const TIME = "2026-01-01T00:00:00Z";

/**
 * Returns the text of a state file as `pulumi up` writes it, without a run of the CLI.
 *
 * `test/e2e/adopt.test.ts` compares it with the state that a real `up` writes.
 *
 * @param baseUrl the address where the control planes were adopted
 */
export function adoptedState(
  project: string,
  stack: string,
  baseUrl: string,
  controlPlanes: readonly AdoptedControlPlane[],
): string {
  const urn = (type: string, name: string) => `urn:pulumi:${stack}::${project}::${type}::${name}`;
  const stackUrn = urn("pulumi:pulumi:Stack", `${project}-${stack}`);
  const providerUrn = urn("pulumi:providers:pulumi-nodejs", "default");
  const providerId = "00000000-0000-4000-8000-000000000001";
  const times = { created: TIME, modified: TIME };
  const resources = [
    { urn: stackUrn, custom: false, type: "pulumi:pulumi:Stack", ...times },
    { urn: providerUrn, custom: true, id: providerId, type: "pulumi:providers:pulumi-nodejs", ...times },
    ...controlPlanes.map(({ resource, id, name, inputs }) => ({
      urn: urn("pulumi-nodejs:dynamic/konnect:ControlPlane", resource),
      custom: true,
      id,
      type: "pulumi-nodejs:dynamic/konnect:ControlPlane",
      inputs: { __provider: PROVIDER, ...inputs },
      outputs: { __provider: PROVIDER, baseUrl, name },
      parent: stackUrn,
      provider: `${providerUrn}::${providerId}`,
      propertyDependencies: Object.fromEntries(
        ["__provider", ...Object.keys(inputs)].map((key) => [key, []]),
      ),
      ...times,
    })),
  ];
  return JSON.stringify({
    version: 3,
    checkpoint: {
      stack: `organization/${project}/${stack}`,
      latest: { manifest: { time: TIME, magic: "", version: "" }, resources, metadata: {} },
    },
  });
}
