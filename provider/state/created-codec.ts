import { regionOf } from "../service/http/address.js";
import {
  type ControlPlaneDocument,
  haveSameProxyUrls,
  type NewControlPlane,
  parseProxyUrl,
  type ProxyUrl,
  withoutMark,
} from "../service/operations/control-plane-document.js";
import { parseServiceTime } from "../service/operations/service-time.js";
import { isObject } from "../text/json.js";
import { storableDescription, storableName } from "../text/safe-text.js";
import {
  decodeGuards,
  decodeMembers,
  encodeGuards,
  encodeMembers,
  type Guards,
  MEMBER_KEYS,
  type Properties,
  type RecordedMembers,
  type StoredProblem,
} from "./recorded-fields.js";

/** What the state records of a control plane that its resource created, besides what every state records. */
export interface RecordedCreation {
  readonly description?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly clusterType?: string;
  readonly authType?: string;
  readonly cloudGateway?: boolean;
  readonly proxyUrls: readonly ProxyUrl[];
  /** Undefined if the resource does not manage them. */
  readonly members?: RecordedMembers;
  /** Names of the arguments that the program gave, besides `name`. */
  readonly given: readonly string[];
  /** What the program asked for and the service cannot change, where the service says something else. */
  readonly asked: Immutable;
}

/** What the service cannot change after the creation. */
export type Immutable = Pick<NewControlPlane, "clusterType" | "cloudGateway">;

/** What a state of a created control plane is made from. */
export interface CreatedState {
  readonly baseUrl: string;
  readonly document: ControlPlaneDocument;
  readonly guards: Guards;
  /** Undefined if the resource does not manage them. */
  readonly members?: RecordedMembers | undefined;
  readonly given: readonly string[];
  readonly asked: Immutable;
  /** When it was created as the run saw it, in epoch milliseconds. Default: what the state recorded until now, if anything. */
  readonly seenAtMs?: number | undefined;
  readonly lastProblem?: StoredProblem | undefined;
}

/** Keys in the state that are no outputs. Pulumi shows no key that begins with two underscores. */
const [ORIGIN, GIVEN, ASKED, SEEN] = ["__origin", "__given", "__asked", "__createdAtMs"];

/** Parses what the state records. A member that is not as it was recorded is left out. */
export function decodeCreation(properties: Properties): RecordedCreation {
  const { description, labels, clusterType, authType, cloudGateway, proxyUrls } = properties;
  const { [GIVEN]: given, [ASKED]: asked } = properties;
  const members = decodeMembers(properties);
  return {
    ...(typeof description === "string" && { description }),
    labels: isObject(labels) ? textsOf(labels) : {},
    ...(typeof clusterType === "string" && { clusterType }),
    ...(typeof authType === "string" && { authType }),
    ...(typeof cloudGateway === "boolean" && { cloudGateway }),
    proxyUrls: Array.isArray(proxyUrls) ? proxyUrls.flatMap((url) => parseProxyUrl(url) ?? []) : [],
    ...(members !== undefined && { members }),
    given: typeof given === "string" && given !== "" ? given.split(",") : [],
    asked: isObject(asked) ? immutableOf(asked) : {},
  };
}

/**
 * Renders the state of a created control plane.
 *
 * @param before what the state recorded until now; members that this release does not know are kept
 */
export function encodeCreation(state: CreatedState, before: Properties = {}): Properties {
  const { baseUrl, document, guards, members, given, asked, seenAtMs = before[SEEN], lastProblem } = state;
  const { description, clusterType, authType, cloudGateway, updatedAt, createdAt } = document;
  const { controlPlaneEndpoint, telemetryEndpoint, proxyUrls = [] } = document;
  const recorded = decodeCreation(before).proxyUrls;
  const stored = storableProxyUrls(proxyUrls);
  return {
    ...fieldsOfOtherReleases(before),
    baseUrl,
    name: storableName(document.name),
    description: storableDescription(description ?? ""),
    labels: storableLabels(withoutMark(document.labels)),
    ...storableTexts({ clusterType, authType }),
    ...(cloudGateway !== undefined && { cloudGateway }),
    proxyUrls: haveSameProxyUrls(stored, recorded) ? recorded : stored,
    ...encodeMembers(members, before),
    ...storableTexts({ controlPlaneEndpoint, telemetryEndpoint, createdAt, updatedAt }),
    ...(lastProblem !== undefined && { lastProblem }),
    ...encodeGuards(guards),
    [ORIGIN]: "created",
    ...(given.length > 0 && { [GIVEN]: [...given].sort().join(",") }),
    ...(Object.keys(asked).length > 0 && { [ASKED]: asked }),
    ...(seenAtMs !== undefined && { [SEEN]: seenAtMs }),
  };
}

/** Returns when a created control plane was created, in epoch milliseconds: as the run saw it, or as the service reports it. */
export function createdAtMsOf({ [SEEN]: seenAtMs, createdAt }: Properties): number | undefined {
  return typeof seenAtMs === "number" ? seenAtMs : parseServiceTime(createdAt);
}

/** Returns labels as the state stores them. */
export function storableLabels(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).map(([label, value]) => [storableName(label), storableName(value)]),
  );
}

/** Returns addresses of proxies as the state stores them. */
export function storableProxyUrls(urls: readonly ProxyUrl[]): readonly ProxyUrl[] {
  return urls.map(({ host, port, protocol }) => ({
    host: storableName(host),
    port,
    protocol: storableName(protocol),
  }));
}

function storableTexts(texts: Readonly<Record<string, string | undefined>>): Properties {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([member, text]) =>
      text === undefined ? [] : [[member, storableName(text)]],
    ),
  );
}

/** Returns the names of the arguments that the program gave, besides `name`. */
export function givenArguments(inputs: Properties): readonly string[] {
  return Object.keys(inputs).filter(
    (name) => inputs[name] !== undefined && name !== "name" && !name.startsWith("__"),
  );
}

/** Returns the control plane that a state records, as the service described it last. */
export function recordedDocument(id: string, state: Properties): ControlPlaneDocument {
  const { name, description, createdAt } = state;
  const { labels, clusterType, authType, cloudGateway, proxyUrls } = decodeCreation(state);
  return {
    ...textsOf({
      controlPlaneEndpoint: state.controlPlaneEndpoint,
      telemetryEndpoint: state.telemetryEndpoint,
    }),
    ...textsOf({ createdAt, updatedAt: state.updatedAt, description, clusterType, authType }),
    ...(cloudGateway !== undefined && { cloudGateway }),
    id,
    name: typeof name === "string" ? name : "",
    labels,
    proxyUrls,
  };
}

/**
 * Returns what was asked for and cannot be changed, where the service says something else. What the program asks for now
 * comes first, then what the state has recorded as asked for, then what the service said before: that is the same thing by
 * another name.
 *
 * @param before what the state recorded until now
 */
export function askedInVain(
  wanted: Immutable,
  document: ControlPlaneDocument,
  before: Immutable & { readonly asked?: Immutable } = {},
): Immutable {
  const said = storableImmutable(document);
  const names = [storableImmutable(wanted), before.asked ?? {}, before];
  const clusterType = names
    .map((each) => each.clusterType)
    .find((name) => name !== undefined && name !== said.clusterType);
  const cloudGateway = names
    .map((each) => each.cloudGateway)
    .find((value) => value !== undefined && value !== said.cloudGateway);
  return {
    ...(clusterType !== undefined && { clusterType }),
    ...(cloudGateway !== undefined && { cloudGateway }),
  };
}

/** Returns what the service cannot change as the state stores it. */
export function storableImmutable({ clusterType, cloudGateway }: Immutable): Immutable {
  return {
    ...(clusterType !== undefined && { clusterType: storableName(clusterType) }),
    ...(cloudGateway !== undefined && { cloudGateway }),
  };
}

/**
 * Returns the arguments that a state stands for: those that the program gave, with the values that the service has now.
 * Pulumi compares the program with them.
 */
export function inputsOf(state: Properties): Properties {
  const { asked, given } = decodeCreation(state);
  const defaults: Properties = { deletionPolicy: "always", detachMembers: false };
  const baseUrl = typeof state.baseUrl === "string" ? state.baseUrl : "";
  const values: Properties = { ...defaults, ...state, ...asked, region: regionOf(baseUrl) };
  return Object.fromEntries(
    ["name", ...given].flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

function immutableOf({ clusterType, cloudGateway }: Readonly<Record<string, unknown>>): Immutable {
  return {
    ...(typeof clusterType === "string" && { clusterType }),
    ...(typeof cloudGateway === "boolean" && { cloudGateway }),
  };
}

function textsOf(value: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The fields that this release writes. One that it no longer writes is removed from the state. */
const OWN_FIELDS = [
  "baseUrl",
  "name",
  "description",
  "labels",
  "clusterType",
  "authType",
  "cloudGateway",
  "proxyUrls",
  "controlPlaneEndpoint",
  "telemetryEndpoint",
  "createdAt",
  "updatedAt",
  "lastProblem",
  ...MEMBER_KEYS,
  ORIGIN,
  GIVEN,
  ASKED,
  SEEN,
  "__provider",
];

function fieldsOfOtherReleases(before: Properties): Properties {
  // A guard that this release does not know stays, and forbids the deletion.
  const own = [...OWN_FIELDS, ...Object.keys(decodeGuards(before))];
  return Object.fromEntries(Object.entries(before).filter(([field]) => !own.includes(field)));
}
