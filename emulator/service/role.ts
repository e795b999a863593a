/** What a token may do. */
export interface Role {
  /** Appears in the request log and, in square brackets, in the detail of a 403. */
  name: string;
  /** Whether the token may read control planes. Default true. */
  read?: boolean;
  /** Whether the token may delete control planes. Default true. */
  delete?: boolean;
  /** Ids of control planes that the token may not delete or read, even if it may delete or read all others. */
  deny?: { delete?: string[]; read?: string[] };
}

/** Returns whether the role may read the control plane with this id. */
export function mayRead(role: Role, id: string): boolean {
  return role.read !== false && !includesId(role.deny?.read, id);
}

/** Returns whether the role may delete the control plane with this id. */
export function mayDelete(role: Role, id: string): boolean {
  return role.delete !== false && !includesId(role.deny?.delete, id);
}

function includesId(ids: readonly string[] | undefined, id: string): boolean {
  return ids?.some((denied) => denied.toLowerCase() === id.toLowerCase()) ?? false;
}
