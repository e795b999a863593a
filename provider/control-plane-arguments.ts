import type * as pulumi from "@pulumi/pulumi";

/**
 * Where a control plane is. At most one of the two.
 *
 * @category Control planes
 */
export interface ControlPlaneLocation {
  /**
   * `us`, `eu`, `au`, `me`, `in` or `sg`. Not together with `baseUrl`.
   *
   * @defaultValue `konnect:region` or `konnect:baseUrl`, then `KONNECT_REGION` or `KONNECT_SERVER_URL`
   * @change **Replaces** a created control plane. Refused for an adopted one and for a set. Left alone if no longer set.
   * @example region: "eu"
   */
  region?: pulumi.Input<string> | undefined;
  /**
   * Any other address. HTTPS, or HTTP on a loopback address. A missing `/v2` is added.
   *
   * @defaultValue like `region`
   * @change Like `region`.
   * @example baseUrl: "https://eu.api.konghq.com/v2"
   */
  baseUrl?: pulumi.Input<string> | undefined;
}

/**
 * What forbids a deletion, and what happens to the members of a group. All of these arguments are recorded in the state, because a
 * plain `pulumi destroy` does not run the program.
 *
 * @category Control planes
 */
export interface DeletionGuards {
  /**
   * Labels that the control plane must still have.
   *
   * @defaultValue none
   * @change Recorded. Takes effect after the next `up`.
   * @example onlyIfLabels: { env: "preview" }
   */
  onlyIfLabels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * `no-connected-nodes` forbids the deletion if a data plane node is connected, or was heard from in the last five minutes.
   * `empty` forbids it if the control plane has services, routes or any other entities.
   *
   * @defaultValue `always`
   * @change Recorded. Takes effect after the next `up`.
   * @example deletionPolicy: "no-connected-nodes"
   */
  deletionPolicy?: pulumi.Input<"always" | "no-connected-nodes" | "empty"> | undefined;
  /**
   * Whether a group is deleted although it has members that this resource did not add. The members are removed from the group,
   * and are not deleted. `KONNECT_FORCE_DELETE` does not change this.
   *
   * @defaultValue `false`
   * @change Recorded. Takes effect after the next `up`.
   * @example detachMembers: true
   */
  detachMembers?: pulumi.Input<boolean> | undefined;
  /**
   * Name of a label. A control plane that has it, with any value but `false`, is kept.
   *
   * @defaultValue none
   * @change Recorded. Takes effect after the next `up`.
   * @example keepLabel: "keep"
   */
  keepLabel?: pulumi.Input<string> | undefined;
  /**
   * Name of a label whose value is a day, such as `2026-12-24`. Until that day (UTC), or if the value is no day, the control plane
   * is kept.
   *
   * @defaultValue none
   * @change Recorded. Takes effect after the next `up`.
   * @example deleteAfterLabel: "delete-after"
   */
  deleteAfterLabel?: pulumi.Input<string> | undefined;
}

/**
 * A control plane to adopt. It is never changed.
 *
 * @category Control planes
 */
export interface AdoptControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /**
   * UUID of an existing control plane.
   *
   * @defaultValue required
   * @change Refused.
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
 * A control plane to create. Only what is set here is sent and managed.
 *
 * @category Control planes
 */
export interface CreateControlPlaneArgs extends ControlPlaneLocation, DeletionGuards {
  /** @hidden */
  controlPlaneId?: undefined;
  /**
   * 2 to 256 characters, unique in the region of the organization.
   *
   * @defaultValue required
   * @change Changed in place.
   * @example name: "edge"
   */
  name: pulumi.Input<string>;
  /**
   * At most 2,048 characters.
   *
   * @defaultValue Konnect's
   * @change Changed in place; emptied if no longer set.
   * @example description: "Public APIs"
   */
  description?: pulumi.Input<string> | undefined;
  /**
   * At most 50. Keys and values have 1 to 63 letters, digits, `-`, `.` and `_`, and begin and end with a letter or digit. A
   * key must not begin with `kong`, `konnect`, `mesh`, `kic`, `insomnia`, `kuma` or `_`.
   *
   * @defaultValue none
   * @change Changed in place; emptied if no longer set.
   * @example labels: { team: "payments", env: "preview" }
   */
  labels?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /**
   * Type of the control plane. Any type is sent as it is.
   *
   * @defaultValue Konnect's
   * @change **Replaces**: deletes it and creates another. Left alone if no longer set.
   * @example clusterType: "CLUSTER_TYPE_SERVERLESS"
   */
  clusterType?: pulumi.Input<string> | undefined;
  /**
   * How data planes prove who they are: `pinned_client_certs` or `pki_client_certs`. Any value is sent as it is.
   *
   * @defaultValue Konnect's
   * @change Changed in place; left alone if no longer set.
   * @example authType: "pki_client_certs"
   */
  authType?: pulumi.Input<string> | undefined;
  /**
   * Whether a cloud gateway uses it.
   *
   * @defaultValue Konnect's
   * @change **Replaces**: deletes it and creates another. Left alone if no longer set.
   * @example cloudGateway: true
   */
  cloudGateway?: pulumi.Input<boolean> | undefined;
  /**
   * Addresses of proxies in front of its data planes. At most 5, in any order.
   *
   * @defaultValue none
   * @change Changed in place; emptied if no longer set.
   * @example proxyUrls: [{ host: "proxy.example.com", port: 443, protocol: "https" }]
   */
  proxyUrls?: pulumi.Input<readonly pulumi.Input<ProxyUrlArgs>[]> | undefined;
  /**
   * UUIDs of the members of a group, at most 256. Only with `clusterType: "CLUSTER_TYPE_CONTROL_PLANE_GROUP"`. They are removed
   * from the group before it is deleted.
   *
   * @defaultValue not managed
   * @change Changed in place; recorded members are removed if no longer set.
   * @example members: ["9524ec7d-36d9-465d-a8c5-83a3c9390458"]
   */
  members?: pulumi.Input<readonly pulumi.Input<string>[]> | undefined;
}

/**
 * Exactly one of `controlPlaneId`, to adopt, and `name`, to create. A resource cannot change from one to the other.
 *
 * @category Control planes
 */
export type ControlPlaneArgs = AdoptControlPlaneArgs | CreateControlPlaneArgs;

/**
 * A proxy in front of the data planes of a control plane.
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
