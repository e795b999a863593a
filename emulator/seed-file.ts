import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { SeedControlPlane } from "./control-planes/seed.js";
import { SEED_FORMATS, SEED_SCHEMA } from "./seed-schema.js";

const MAX_VALUE_LENGTH = 80;

/** The seeds in a file, or what is wrong with it. */
export type SeedFile =
  | { readonly kind: "seeds"; readonly seeds: SeedControlPlane[] }
  /** Each mistake is one line that names its place and what is allowed. */
  | { readonly kind: "mistakes"; readonly mistakes: readonly string[] };

/** Reads and checks a JSON file with a list of seeds. Does not throw. */
export function readSeedFile(path: string): SeedFile {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    return mistake(`the file cannot be read: ${messageOf(error)}`);
  }
  try {
    return checkSeeds(JSON.parse(content));
  } catch (error) {
    return mistake(`the file is not JSON: ${messageOf(error)}`);
  }
}

function mistake(message: string): SeedFile {
  return { kind: "mistakes", mistakes: [message] };
}

function checkSeeds(value: unknown): SeedFile {
  const ajv = new Ajv2020({ allErrors: true, verbose: true });
  for (const [name, isValid] of Object.entries(SEED_FORMATS)) ajv.addFormat(name, isValid);
  const validate = ajv.compile<SeedControlPlane[]>(SEED_SCHEMA);
  if (!validate(value)) {
    const mistakes = (validate.errors ?? []).map((error) => explain(error, value));
    return { kind: "mistakes", mistakes: [...new Set(mistakes)] };
  }
  const mistakes = contradictionsIn(value);
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "seeds", seeds: value };
}

/** Returns what the schema cannot express: two times of creation, and an id that an earlier entry has. */
function contradictionsIn(seeds: readonly SeedControlPlane[]): string[] {
  const mistakes: string[] = [];
  const entryOfId = new Map<string, number>();
  for (const [at, seed] of seeds.entries()) {
    if (seed.createdAt !== undefined && seed.age !== undefined) {
      mistakes.push(`${placeOf(at, seed)}: createdAt and age exclude each other`);
    }
    const id = seed.id?.toLowerCase();
    if (id === undefined) continue;
    const earlier = entryOfId.get(id);
    if (earlier === undefined) entryOfId.set(id, at + 1);
    else mistakes.push(`${placeOf(at, seed)}: id must be unique, but entry ${earlier} has it too`);
  }
  return mistakes;
}

function explain(error: ErrorObject, file: unknown): string {
  const [index, ...fields] = error.instancePath.split("/").slice(1).map(unescapePointer);
  if (index === undefined) return `the file must be ${descriptionOf(error.parentSchema)}`;
  const entry: unknown = Array.isArray(file) ? file[Number(index)] : undefined;
  return `${placeOf(Number(index), entry)}: ${explainField(error, fields)}`;
}

function explainField(error: ErrorObject, fields: readonly string[]): string {
  const { params, parentSchema } = error;
  const allowedFields = (parentSchema as { properties?: Record<string, object> }).properties ?? {};
  if (typeof params.missingProperty === "string") {
    const allowed = descriptionOf(allowedFields[params.missingProperty]);
    return `${nameOf([...fields, params.missingProperty])} is missing; it must be ${allowed}`;
  }
  if (typeof params.additionalProperty === "string") {
    const name = nameOf([...fields, params.additionalProperty]);
    return `unknown field ${quote(name)}; allowed are ${Object.keys(allowedFields).join(", ")}`;
  }
  const subject = fields.length === 0 ? "it" : nameOf(fields);
  return `${subject} must be ${descriptionOf(parentSchema)}, not ${quote(error.data)}`;
}

function descriptionOf(schema: object | undefined): string {
  return schema !== undefined && "description" in schema ? String(schema.description) : "something else";
}

/** Returns the place of an entry, counted from 1, with its name if it has one. */
function placeOf(at: number, entry: unknown): string {
  const name = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : undefined;
  return typeof name === "string" ? `entry ${at + 1} (${quote(name)})` : `entry ${at + 1}`;
}

/** Returns the name of a field, such as nodes[0].hostname. */
function nameOf(fields: readonly string[]): string {
  return fields
    .map((field, at) => (/^\d+$/.test(field) && at > 0 ? `[${field}]` : `.${field}`))
    .join("")
    .slice(1);
}

function unescapePointer(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Returns a value as JSON, with control characters escaped, cut to 80 characters. */
function quote(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_VALUE_LENGTH ? json : `${json.slice(0, MAX_VALUE_LENGTH)}…`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
