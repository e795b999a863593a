import * as pulumi from "@pulumi/pulumi";
import type { GetControlPlaneArgs, SelectControlPlanesArgs } from "pulumi-konnect-control-planes";

/** What has to hold before a control plane is deleted, and what may be done to a group for that. */
export interface Guards {
  readonly onlyIfLabels?: Record<string, string> | undefined;
  readonly deletionPolicy?: "always" | "no-connected-nodes" | "empty" | undefined;
  readonly detachMembers?: boolean | undefined;
  readonly keepLabel?: string | undefined;
  readonly deleteAfterLabel?: string | undefined;
}

/** An entry of `controlPlanes`. With an id, the name is only what Pulumi calls the resource. */
export type ListedControlPlane = GetControlPlaneArgs & Guards;

/** What to select, and what guards the selected control planes. */
export interface Selection {
  readonly filters: SelectControlPlanesArgs;
  readonly guards: Guards;
}

/** What `select` says. A label of an owner is switched off with `false`. */
interface Select extends SelectSettings {
  readonly keepLabel?: string | false;
  readonly deleteAfterLabel?: string | false;
}
type SelectSettings = Omit<SelectControlPlanesArgs & Guards, "keepLabel" | "deleteAfterLabel">;

/** The stack's configuration of this project: a list of control planes, or what to select. */
export type Configuration =
  | { readonly kind: "list"; readonly controlPlanes: readonly ListedControlPlane[] }
  | { readonly kind: "select"; readonly selection: Selection };

interface Form {
  readonly rule: string;
  readonly accepts: (value: unknown) => boolean;
}

const POLICIES: readonly unknown[] = ["always", "no-connected-nodes", "empty"];

const TEXT: Form = {
  rule: "a string that is not empty",
  accepts: (value) => typeof value === "string" && value !== "",
};
const LABELS: Form = {
  rule: 'a map with at least one label and strings as values, for example { env: preview, release: "1" }',
  accepts: (value) =>
    isMap(value) &&
    Object.keys(value).length > 0 &&
    Object.values(value).every((label) => typeof label === "string"),
};
const POLICY: Form = {
  rule: `one of ${POLICIES.join(", ")}`,
  accepts: (value) => POLICIES.includes(value),
};
const COUNT: Form = {
  rule: "a whole number from 1 on",
  accepts: (value) => Number.isInteger(value) && Number(value) >= 1,
};

const FLAG: Form = {
  rule: "true or false",
  accepts: (value) => typeof value === "boolean",
};
const LABEL_NAME: Form = {
  rule: "the name of a label",
  accepts: (value) => typeof value === "string" && /^\S+$/.test(value),
};
const LABEL_NAME_OR_OFF: Form = {
  rule: "the name of a label, or false to switch it off",
  accepts: (value) => value === false || LABEL_NAME.accepts(value),
};

const NAMES: Form = {
  rule: "a list of strings that are not empty",
  accepts: (value) => Array.isArray(value) && value.every(TEXT.accepts),
};
const EXCLUDED: ReadonlyMap<string, Form> = new Map([
  ["ids", NAMES],
  ["names", NAMES],
  ["labels", LABELS],
]);
const EXCLUSION: Form = {
  rule: 'a map with ids, names or labels, for example { names: [shared], labels: { keep: "true" } }',
  accepts: (value) =>
    isMap(value) && Object.entries(value).every(([key, entry]) => EXCLUDED.get(key)?.accepts(entry) === true),
};

type Forms = ReadonlyMap<string, Form>;

const COMMON: readonly (readonly [string, Form])[] = [
  ["region", TEXT],
  ["baseUrl", TEXT],
  ["onlyIfLabels", LABELS],
  ["deletionPolicy", POLICY],
  ["detachMembers", FLAG],
];
const LISTED: Forms = new Map([
  ["id", TEXT],
  ["name", TEXT],
  ...COMMON,
  ["keepLabel", LABEL_NAME],
  ["deleteAfterLabel", LABEL_NAME],
]);
const SELECTED: Forms = new Map([
  ["labels", LABELS],
  ["namePrefix", TEXT],
  ["clusterType", TEXT],
  ["olderThan", TEXT],
  ["newerThan", TEXT],
  ["exclude", EXCLUSION],
  ["atLeast", COUNT],
  ["atMost", COUNT],
  ...COMMON,
  ["keepLabel", LABEL_NAME_OR_OFF],
  ["deleteAfterLabel", LABEL_NAME_OR_OFF],
]);
const KEYS = ["controlPlanes", "select"];
/** The keys of the provider: docs/settings.md. */
const SETTINGS = [
  ...["token", "baseUrl", "region", "reportFile"],
  ...["maxAttempts", "retryBudgetSeconds", "requestTimeoutSeconds", "concurrency"],
];

/** Reads the stack's configuration. @throws pulumi.RunError that names the key that is wrong, and what is allowed */
export function readConfiguration(): Configuration {
  const project = pulumi.getProject();
  requireKnown("konnect", project === "konnect" ? [...SETTINGS, ...KEYS] : SETTINGS);
  if (project !== "konnect") requireKnown(project, KEYS);
  const config = new pulumi.Config();
  const controlPlanes = parse(config.get("controlPlanes"));
  const select = parse(config.get("select"));
  if ((controlPlanes === undefined) === (select === undefined)) {
    refuse("the stack's configuration", `must have either ${project}:controlPlanes or ${project}:select`);
  }
  return select === undefined
    ? { kind: "list", controlPlanes: readList(`${project}:controlPlanes`, controlPlanes) }
    : { kind: "select", selection: withDefaults(readMap(`${project}:select`, select, SELECTED)) };
}

/** Refuses a key that nobody reads: it is misspelt, and what it should say does not hold. */
function requireKnown(namespace: string, allowed: readonly string[]): void {
  const prefix = `${namespace}:`;
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(prefix));
  const unknown = keys.find((key) => !allowed.includes(key.slice(prefix.length)));
  if (unknown !== undefined) refuse(unknown, `is unknown; allowed are ${allowed.join(", ")}`);
}

/** Adds what is safe for control planes that nobody looks at before they are deleted. */
function withDefaults({
  onlyIfLabels,
  deletionPolicy = "no-connected-nodes",
  detachMembers,
  keepLabel = "keep",
  deleteAfterLabel = "delete-after",
  ...filters
}: Select): Selection {
  const owner = {
    ...(keepLabel !== false && { keepLabel }),
    ...(deleteAfterLabel !== false && { deleteAfterLabel }),
  };
  return {
    filters: { atMost: 50, ...filters, ...owner },
    guards: { onlyIfLabels: onlyIfLabels ?? filters.labels, deletionPolicy, detachMembers, ...owner },
  };
}

function readList(key: string, value: unknown): readonly ListedControlPlane[] {
  if (!Array.isArray(value)) {
    return refuse(
      key,
      "must be a list, for example [{ id: 9524ec7d-36d9-465d-a8c5-83a3c9390458, region: eu }]",
    );
  }
  return value.map((entry: unknown, index) => {
    const listed: ListedControlPlane = readMap(`${key}[${index}]`, entry, LISTED);
    if (listed.id !== undefined || listed.name !== undefined) return listed;
    return refuse(`${key}[${index}]`, "must have an id or a name");
  });
}

/** Returns a map in which each key is allowed and each value has the form of its key. */
function readMap(place: string, value: unknown, forms: Forms): Readonly<Record<string, unknown>> {
  const allowed = [...forms.keys()].join(", ");
  if (!isMap(value)) return refuse(place, `must be a map with ${allowed}`);
  for (const [key, entry] of Object.entries(value)) {
    const form = forms.get(key) ?? refuse(`${place}.${key}`, `is unknown; allowed are ${allowed}`);
    if (!form.accepts(entry)) refuse(`${place}.${key}`, `must be ${form.rule}`);
  }
  return value;
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text; // A plain string, which has none of the forms.
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(place: string, problem: string): never {
  throw new pulumi.RunError(`${place} ${problem}`);
}
