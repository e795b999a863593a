/** What a token may do. */
export interface Role {
  /** Appears in the request log and, in square brackets, in the detail of a 403. */
  name: string;
  /** Whether the token may read control planes. Default true. */
  read?: boolean;
  /** Whether the token may create control planes. Default true. */
  create?: boolean;
  /** Whether the token may change control planes and the members of groups. Default true. */
  edit?: boolean;
  /** Whether the token may delete control planes. Default true. */
  delete?: boolean;
  /** Ids of control planes that the token may not read, change or delete, even if it may do so with all others. */
  deny?: { read?: string[]; edit?: string[]; delete?: string[] };
}

/** Returns whether the role may read the control plane with this id. */
export function mayRead(role: Role, id: string): boolean {
  return role.read !== false && !includesId(role.deny?.read, id);
}

/** Returns whether the role may create control planes. */
export function mayCreate(role: Role): boolean {
  return role.create !== false;
}

/** Returns whether the role may change the control plane with this id. */
export function mayEdit(role: Role, id: string): boolean {
  return role.edit !== false && !includesId(role.deny?.edit, id);
}

/** Returns whether the role may delete the control plane with this id. */
export function mayDelete(role: Role, id: string): boolean {
  return role.delete !== false && !includesId(role.deny?.delete, id);
}

function includesId(ids: readonly string[] | undefined, id: string): boolean {
  return ids?.some((denied) => denied.toLowerCase() === id.toLowerCase()) ?? false;
}
