import type * as pulumi from "@pulumi/pulumi";

/**
 * Where a control plane is. At most one of the two.
 *
 * @category Control planes
 */
export interface ControlPlaneLocation {
  /**
   * Region: `us`, `eu`, `au`, `me`, `in` or `sg`. Not together with `baseUrl`.
   *
   * @defaultValue `konnect:region` or `konnect:baseUrl`, then `KONNECT_REGION` or `KONNECT_SERVER_URL`
   * @change **Replaces** a control plane that was created. Refused for what was adopted. Left alone when it is no longer given.
   * @example region: "eu"
   */
  region?: pulumi.Input<string> | undefined;
  /**
   * Any other address of the service. HTTPS, or HTTP on a loopback address. A missing `/v2` is added. Not together with
   * `region`.
   *
   * @defaultValue like `region`
   * @change Like `region`. The same address in another notation is no change.
   * @example baseUrl: "https://eu.api.konghq.com/v2"
   */
  baseUrl?: pulumi.Input<string> | undefined;
}

/**
 * How a control plane is deleted: guards, and what happens to the members of a group. These arguments are recorded in
 * the state, because a plain `pulumi destroy` sees no program. All but `detachMembers` are guards, which are checked
 * right before the deletion. A control plane whose deletion they forbid is kept, and the error lists what stands in the way.
 *
 * @category Control planes
 */
export interface DeletionGuards {
  /**
   * Labels that the control plane must still have, with these values. Other labels do not matter.
   *
   * @defaultValue none
   * @change Recorded. Takes effect in the next `destroy`.
   * @example onlyIfLabels: { env: "preview" }
   */
  onlyIfLabels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * When the control plane may be deleted. `always` sets no condition. `no-connected-nodes` forbids the deletion when the
   * service calls a data plane node connected, or has heard from one within the last five minutes. `empty` forbids it when
   * anything is configured: services, routes, vaults, or entities of any other kind that the public API lists.
   *
   * @defaultValue `always`
   * @change Recorded. Takes effect in the next `destroy`.
   * @example deletionPolicy: "no-connected-nodes"
   */
  deletionPolicy?: pulumi.Input<"always" | "no-connected-nodes" | "empty"> | undefined;
  /**
   * Whether a control plane group is deleted although it has members that this resource did not add. These members are
   * removed from the group first, and are not deleted. With `false`, such a group is kept. This argument is not a guard:
   * `KONNECT_FORCE_DELETE` does not change what it does.
   *
   * @defaultValue `false`
   * @change Recorded. Takes effect in the next `destroy`.
   * @example detachMembers: true
   */
  detachMembers?: pulumi.Input<boolean> | undefined;
  /**
   * Name of the label by which the owner of the control plane keeps it. While the control plane has this label with any
   * value but `false`, it is kept. The case of the label and of its value does not matter.
   *
   * @defaultValue none
   * @change Recorded. Takes effect in the next `destroy`.
   * @example keepLabel: "keep"
   */
  keepLabel?: pulumi.Input<string> | undefined;
  /**
   * Name of the label by which the owner of the control plane says when it may go, as a day such as `2026-12-24`. It is
   * kept until midnight UTC of that day, and as long as the value is no day.
   *
   * @defaultValue none
   * @change Recorded. Takes effect in the next `destroy`.
   * @example deleteAfterLabel: "delete-after"
   */
  deleteAfterLabel?: pulumi.Input<string> | undefined;
}

/**
 * A control plane to adopt. Nothing is written to it. Removing the resource from the program deletes it.
 *
 * @category Control planes
 */
export interface AdoptControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /**
   * UUID of an existing control plane.
   *
   * @defaultValue required
   * @change Refused, because the recorded control plane would be deleted.
   * @example controlPlaneId: "9524ec7d-36d9-465d-a8c5-83a3c9390458"
   */
  controlPlaneId: pulumi.Input<string>;
  /** @hidden */
  name?: undefined;
  /** @hidden */
  description?: undefined;
  /** @hidden */
  labels?: undefined;
  /** @hidden */
  clusterType?: undefined;
  /** @hidden */
  authType?: undefined;
  /** @hidden */
  cloudGateway?: undefined;
  /** @hidden */
  proxyUrls?: undefined;
  /** @hidden */
  members?: undefined;
}

/**
 * A control plane to create. Only what is given here is sent, and only that is kept as it is: what the service fills in
 * is never a change. Removing the resource from the program deletes the control plane.
 *
 * @category Control planes
 */
export interface CreateControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /** @hidden */
  controlPlaneId?: undefined;
  /**
   * 2 to 256 characters, unique in the region of the organization. When another control plane has it, the error names its id.
   *
   * @defaultValue required
   * @change Changed in place.
   * @example name: "edge"
   */
  name: pulumi.Input<string>;
  /**
   * At most 2,048 characters.
   *
   * @defaultValue the service's, or none
   * @change Changed in place; emptied when it is no longer given.
   * @example description: "Public APIs"
   */
  description?: pulumi.Input<string> | undefined;
  /**
   * At most 50. Keys and values have 1 to 63 letters, digits, `-`, `.` and `_`, and begin and end with a letter or digit. A
   * key must not begin with `kong`, `konnect`, `mesh`, `kic`, `insomnia`, `kuma` or `_`.
   *
   * @defaultValue none
   * @change Changed in place, always as a whole; emptied when they are no longer given.
   * @example labels: { team: "payments", env: "preview" }
   */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * Type of its cluster. A type that this release does not know is sent as it is.
   *
   * @defaultValue the service's
   * @change **Replaces**: the control plane is deleted and another one is created. Left alone when it is no longer given.
   * @example clusterType: "CLUSTER_TYPE_SERVERLESS"
   */
  clusterType?: pulumi.Input<string> | undefined;
  /**
   * How data planes prove who they are: `pinned_client_certs` or `pki_client_certs`. A value that this release does not know is
   * sent as it is.
   *
   * @defaultValue the service's
   * @change Changed in place; left alone when it is no longer given.
   * @example authType: "pki_client_certs"
   */
  authType?: pulumi.Input<string> | undefined;
  /**
   * Whether a cloud gateway uses it.
   *
   * @defaultValue the service's
   * @change **Replaces**: the control plane is deleted and another one is created. Left alone when it is no longer given.
   * @example cloudGateway: true
   */
  cloudGateway?: pulumi.Input<boolean> | undefined;
  /**
   * Addresses of proxies in front of its data planes. At most 5, in any order.
   *
   * @defaultValue none
   * @change Changed in place, always as a whole; emptied when they are no longer given.
   * @example proxyUrls: [{ host: "proxy.example.com", port: 443, protocol: "https" }]
   */
  proxyUrls?: pulumi.Input<readonly pulumi.Input<ProxyUrlArgs>[]> | undefined;
  /**
   * UUIDs of the members of a group. At most 256, in any order. Only together with
   * `clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP"`. They are removed from the group before it is deleted. When they are
   * never given, they are left alone.
   *
   * @defaultValue not managed
   * @change Changed in place, by difference; the recorded members are removed when it is no longer given.
   * @example members: ["9524ec7d-36d9-465d-a8c5-83a3c9390458"]
   */
  members?: pulumi.Input<readonly pulumi.Input<string>[]> | undefined;
}

/**
 * A control plane to adopt, by its `controlPlaneId`; or one to create, by its `name`. Exactly one of the two. A resource that
 * was created cannot adopt later, nor the other way round.
 *
 * @category Control planes
 */
export type ControlPlaneArgs = AdoptControlPlaneArgs | CreateControlPlaneArgs;

/**
 * The address of a proxy in front of the data planes of a control plane. All members are required.
 *
 * @category Control planes
 */
export interface ProxyUrlArgs {
  /** 1 to 120 characters. @example host: "proxy.example.com" */
  host: pulumi.Input<string>;
  /** At least 1. @example port: 443 */
  port: pulumi.Input<number>;
  /** 1 to 32 characters. @example protocol: "https" */
  protocol: pulumi.Input<string>;
}
