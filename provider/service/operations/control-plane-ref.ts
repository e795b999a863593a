import { safe, safeName, safeText, type SafeText } from "../../text/safe-text.js";

/** One control plane at one address: all that a call needs, and the name for messages where it is known. */
export interface ControlPlaneRef {
  /** Lower-case UUID. */
  readonly id: string;
  /** Normalized base address, with its closing `/v2`. */
  readonly address: string;
  /** Name in the service, as the service sent it. */
  readonly name?: string | undefined;
  /** Set when the state says that it created the control plane: when, in epoch milliseconds. */
  readonly createdAtMs?: number | undefined;
}

/** A control plane that is to be created. It has a name, and no id yet. */
export interface NewControlPlaneRef {
  /** Normalized base address, with its closing `/v2`. */
  readonly address: string;
  readonly name: string;
  readonly id?: undefined;
}

/** The control planes of one organization and region, which one address serves. */
export interface ServiceRef {
  /** Normalized base address, with its closing `/v2`. Empty for a message when it is not known. */
  readonly address: string;
  readonly id?: undefined;
  readonly name?: undefined;
}

/** What a call is about. */
export type CallSubject = ControlPlaneRef | NewControlPlaneRef | ServiceRef;

/** The form of an identifier, for messages. Source: specification part 2. */
export const ID_RULE = safe`must be a UUID, for example 9524ec7d-36d9-465d-a8c5-83a3c9390458`;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Parses an identifier. Returns it in lower case, or undefined when it is not a UUID. */
export function parseControlPlaneId(text: string): string | undefined {
  const id = text.toLowerCase();
  return UUID.test(id) ? id : undefined;
}

/** Returns the path of a control plane below a base address. Source: specification part 4. */
export function controlPlanePath(id: string): string {
  return `/control-planes/${id}`;
}

/** Describes a control plane for a message: `control plane "payments" (9524ec7d-…)`, with the whole identifier. */
export function describeControlPlane({ id, name }: Pick<ControlPlaneRef, "id" | "name">): SafeText {
  const safeId = safeText(id, 60);
  return name === undefined || name === ""
    ? safe`control plane ${safeId}`
    : safe`control plane "${safeName(name, 60)}" (${safeId})`;
}

/** Describes a control plane in a progress line: `"payments" (9524ec7d…)`, or `9524ec7d…` where the name is not known. */
export function describeBriefly({ id, name }: Pick<ControlPlaneRef, "id" | "name">): SafeText {
  const shortId = safe`${safeText(id.slice(0, 8), 8)}…`;
  return name === undefined || name === "" ? shortId : safe`"${safeName(name, 30)}" (${shortId})`;
}

/** Describes what a call is about, for a message. */
export function describeSubject(
  subject: ServiceRef | NewControlPlaneRef | Pick<ControlPlaneRef, "id" | "name">,
): SafeText {
  if (subject.id !== undefined) return describeControlPlane(subject);
  if (subject.name !== undefined) return safe`control plane "${safeName(subject.name, 60)}"`;
  return subject.address === ""
    ? safe`the control planes`
    : safe`the control planes at ${safeText(subject.address, 200)}`;
}

/** Describes what a call is about, for a progress line. */
export function describeSubjectBriefly(subject: CallSubject): SafeText {
  if (subject.id !== undefined) return describeBriefly(subject);
  return subject.name === undefined ? describeSubject(subject) : safe`"${safeName(subject.name, 30)}"`;
}
