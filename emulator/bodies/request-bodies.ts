import type { AuthType } from "../control-planes/auth-type.js";
import type { ClusterType } from "../control-planes/cluster-type.js";
import type { ProxyUrl } from "../control-planes/seed.js";

/** The body that creates a control plane. Source: Control Planes API v2, `CreateControlPlaneRequest`. */
export interface CreateBody {
  readonly name: string;
  readonly description?: string;
  readonly cluster_type?: ClusterType;
  readonly auth_type?: AuthType;
  readonly cloud_gateway?: boolean;
  readonly proxy_urls?: ProxyUrl[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** The body that changes a control plane. Source: Control Planes API v2, `UpdateControlPlaneRequest`. */
export interface UpdateBody {
  readonly name?: string;
  readonly description?: string;
  readonly auth_type?: AuthType;
  readonly proxy_urls?: ProxyUrl[];
  /** Replaces all labels. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The body that changes the members of a group. Source: Control Planes API v2, `GroupMembership`. */
export interface MembersBody {
  readonly members: readonly { readonly id: string }[];
}

/** The type of each body that `BODY_SCHEMAS` describes. */
export interface Bodies {
  readonly create: CreateBody;
  readonly update: UpdateBody;
  readonly changeMembers: MembersBody;
  readonly replaceMembers: MembersBody;
}
