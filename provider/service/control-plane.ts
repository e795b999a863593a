import { isObject, parseJsonObject } from "./json.js";

/** One control plane at one address: all that a call needs to name it. */
export interface Target {
  /** Lower-case UUID. */
  readonly id: string;
  /** Normalised base address, with its closing `/v2`. */
  readonly address: string;
}

/** What the service says of a control plane, as far as this package reads it. */
export interface ControlPlane {
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What an identifier must look like, for messages. Source: specification part 2. */
export const ID_RULE = "must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458";

/** Gives the identifier in lower case, or undefined when it is not a UUID. */
export function parseControlPlaneId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/** Gives the URL of a control plane. Source: specification part 4. */
export function controlPlaneUrl({ address, id }: Target): string {
  return `${address}/control-planes/${id}`;
}

/**
 * Reads the answer to a GET of one control plane; undefined when the text is not that control plane.
 *
 * Lenient in all but id and name: the service has added fields over time.
 */
export function parseControlPlane(body: string, expectedId: string): ControlPlane | undefined {
  const json = parseJsonObject(body);
  if (typeof json?.id !== "string" || json.id.toLowerCase() !== expectedId) return undefined;
  if (typeof json.name !== "string") return undefined;
  return { id: expectedId, name: json.name, labels: stringEntries(json.labels) };
}

function stringEntries(value: unknown): Record<string, string> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
