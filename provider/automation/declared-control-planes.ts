import { ownTypeOf } from "../plan/recorded-control-plane.js";
import { isObject } from "../text/json.js";

/** A control plane that the state of a stack holds, and that a destroy is to delete. */
export interface DeclaredControlPlane {
  /** Lower-case UUID. Undefined when it is a secret in the state. */
  readonly id: string | undefined;
  /** Name in the service. Undefined when it is not recorded, or a secret. */
  readonly name: string | undefined;
  readonly address: string | undefined;
  /** URN of the resource. */
  readonly urn: string;
  /** Pulumi refuses to delete it (`protect`). */
  readonly isProtected: boolean;
  /** Pulumi drops it without deleting it (`retainOnDelete`). */
  readonly isRetained: boolean;
}

/**
 * Returns the control planes that a deployment holds. The members of sets are listed one by one. What the program only
 * refers to is left out, because Pulumi never deletes it.
 *
 * An entry that is malformed is kept as far as it can be read. The destroy judges it, and its report must not depend on that.
 *
 * @param deployment the `deployment` that `stack.exportStack` returns
 */
export function declaredControlPlanes(deployment: unknown): readonly DeclaredControlPlane[] {
  const resources: unknown = isObject(deployment) ? deployment.resources : undefined;
  if (!Array.isArray(resources)) return [];
  return resources.flatMap((resource: unknown) => (isObject(resource) ? declaredBy(resource) : []));
}

function declaredBy(resource: Readonly<Record<string, unknown>>): readonly DeclaredControlPlane[] {
  const { urn, type, id, external, protect, retainOnDelete } = resource;
  const ownType = typeof type === "string" ? ownTypeOf(type) : undefined;
  if (ownType === undefined || external === true) return [];
  const outputs = isObject(resource.outputs) ? resource.outputs : {};
  const shared = {
    urn: textOf(urn) ?? "",
    address: textOf(outputs.baseUrl),
    isProtected: protect === true,
    isRetained: retainOnDelete === true,
  };
  const members: readonly unknown[] =
    ownType === "ControlPlane" ? [{ id, name: outputs.name }] : membersOf(outputs.controlPlanes);
  return members.map((member) => {
    const { id: memberId, name } = isObject(member) ? member : {};
    return { ...shared, id: textOf(memberId)?.toLowerCase(), name: textOf(name) };
  });
}

/** Members that are secret as a whole count as one, of which nothing is known. */
function membersOf(members: unknown): readonly unknown[] {
  return Array.isArray(members) ? (members as readonly unknown[]) : [undefined];
}

/** Secret values are objects. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
