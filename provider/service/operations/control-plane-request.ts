import type { ProxyUrl } from "./proxy-url.js";

/** What a program says about a control plane that it creates. A member that it does not give is not sent. */
export interface NewControlPlane {
  readonly name: string;
  readonly description?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** Any text, because the service adds types over time. */
  readonly clusterType?: string;
  /** Any text, because the service adds types over time. */
  readonly authType?: string;
  readonly cloudGateway?: boolean;
  readonly proxyUrls?: readonly ProxyUrl[];
}

/** What of a control plane is to be changed. Labels and proxy addresses are replaced as a whole. */
export interface ControlPlaneChanges extends Partial<
  Pick<NewControlPlane, "name" | "description" | "authType" | "proxyUrls">
> {
  /** Null removes a label in a service that merges labels. */
  readonly labels?: Readonly<Record<string, string | null>>;
}

/**
 * Renders the body of a request to create or to change a control plane. Source: Control Planes API v2,
 * `CreateControlPlaneRequest` and `UpdateControlPlaneRequest`.
 */
export function requestBody(members: NewControlPlane | ControlPlaneChanges): object {
  return Object.fromEntries(
    Object.entries(members).flatMap(([member, value]) =>
      value === undefined ? [] : [[FIELDS[member as keyof NewControlPlane], value as unknown]],
    ),
  );
}

/** The service reads these at the top level, and returns some of them inside `config`. */
const FIELDS: Readonly<Record<keyof NewControlPlane, string>> = {
  name: "name",
  description: "description",
  labels: "labels",
  clusterType: "cluster_type",
  authType: "auth_type",
  cloudGateway: "cloud_gateway",
  proxyUrls: "proxy_urls",
};
