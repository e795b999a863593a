/** When a control plane may be deleted. `always` is the default. */
export const DELETION_POLICIES = ["always", "no-connected-nodes", "empty"] as const;
export type DeletionPolicy = (typeof DELETION_POLICIES)[number];

/** The conditions that the state records for the deletion of a control plane. */
export interface Guards {
  /** Labels that the control plane must still have. */
  readonly onlyIfLabels?: Readonly<Record<string, string>>;
  readonly deletionPolicy?: DeletionPolicy;
}
