/** A resource of an exported state: what a test gives, over what a control plane needs. */
export type ExportedResource = Readonly<Record<string, unknown>>;

/** The value that stands for a secret in an exported state. */
export const SECRET_VALUE = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  ciphertext: "v1:abc",
};

export const TYPE = "pulumi-nodejs:dynamic/konnect:ControlPlane";
export const SET_TYPE = `${TYPE}Set`;

/** Returns the URN of a resource of project "nightly" and stack "dev". */
export function urnOf(type: string, name: string): string {
  return `urn:pulumi:dev::nightly::${type}::${name}`;
}

/** Returns a control plane of the state, named like its resource. */
export function controlPlaneResource(
  name: string,
  id: string,
  outputs: object = {},
  more: object = {},
): ExportedResource {
  return {
    ...{ urn: urnOf(TYPE, name), custom: true, type: TYPE, id },
    outputs: { baseUrl: "https://eu.api.konghq.com/v2", name, ...outputs },
    ...more,
  };
}

/** Returns a set of the state. */
export function setResource(name: string, outputs: object, more: object = {}): ExportedResource {
  const baseUrl = "https://eu.api.konghq.com/v2";
  return {
    urn: urnOf(SET_TYPE, name),
    custom: true,
    type: SET_TYPE,
    id: name,
    outputs: { baseUrl, ...outputs },
    ...more,
  };
}

/** Returns what every stack has. */
export function stackResources(): readonly ExportedResource[] {
  return ["pulumi:pulumi:Stack", "pulumi:providers:pulumi-nodejs"].map((type) => ({
    urn: urnOf(type, "default"),
    type,
  }));
}

/** Returns what `pulumi stack export` prints. */
export function exported(resources: readonly ExportedResource[]): string {
  return JSON.stringify({ version: 3, deployment: { resources: [...stackResources(), ...resources] } });
}
