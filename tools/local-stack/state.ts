/** A control plane as the state stores it. */
export interface StoredResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
}

interface Deployment {
  readonly deployment: {
    readonly resources?: readonly (StoredResource & { readonly type: string })[];
    readonly pending_operations?: readonly unknown[];
  };
}

const TYPE = "pulumi-nodejs:dynamic/konnect:ControlPlane";

/** Reads what `pulumi stack export` prints: the control planes in it, and operations that did not end. */
export function parseState(text: string) {
  const { deployment } = JSON.parse(text) as Deployment;
  const resources: readonly StoredResource[] = (deployment.resources ?? []).filter(
    ({ type }) => type === TYPE,
  );
  return { text, resources, pending: deployment.pending_operations?.length ?? 0 };
}
