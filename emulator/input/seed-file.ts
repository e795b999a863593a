import { readFileSync } from "node:fs";
import type { SeedControlPlane } from "../control-planes/seed.js";
import { descriptionOf, mistakesIn, quote, type JsonMistake } from "./json-mistakes.js";
import { SEED_FILE_SCHEMA } from "./seed-schema.js";

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
  const found = mistakesIn(SEED_FILE_SCHEMA, value).map((each) => explain(each, value));
  if (found.length > 0) return { kind: "mistakes", mistakes: [...new Set(found)] };
  const seeds = value as SeedControlPlane[];
  const mistakes = contradictionsIn(seeds);
  return mistakes.length > 0 ? { kind: "mistakes", mistakes } : { kind: "seeds", seeds };
}

/** Returns what the schema cannot express: two times of creation, an id that comes twice, and members that cannot be. */
function contradictionsIn(seeds: readonly SeedControlPlane[]): string[] {
  const entryOfId = new Map<string, number>();
  for (const [at, { id }] of seeds.entries()) {
    if (id !== undefined && !entryOfId.has(id.toLowerCase())) entryOfId.set(id.toLowerCase(), at + 1);
  }
  return seeds.flatMap((seed, at) =>
    contradictionsOf(seed, at, entryOfId).map((text) => `${placeOf(at, seed)}: ${text}`),
  );
}

function contradictionsOf(
  { id, createdAt, age, clusterType, members = [] }: SeedControlPlane,
  at: number,
  entryOfId: ReadonlyMap<string, number>,
): string[] {
  const first = entryOfId.get(id?.toLowerCase() ?? "") ?? at + 1;
  const missing = members.filter((member) => !entryOfId.has(member.toLowerCase()));
  return [
    ...(createdAt !== undefined && age !== undefined ? ["createdAt and age exclude each other"] : []),
    ...(first === at + 1 ? [] : [`id must be unique, but entry ${first} has it too`]),
    ...(members.length > 0 && clusterType !== "CLUSTER_TYPE_CONTROL_PLANE_GROUP"
      ? ["members need the clusterType CLUSTER_TYPE_CONTROL_PLANE_GROUP"]
      : []),
    ...missing.map((member) => `members must be ids of other entries, but no entry has the id ${member}`),
  ];
}

function explain({ place, explain: explainAt }: JsonMistake, file: unknown): string {
  const [index, ...fields] = place;
  if (index === undefined) return `the file must be ${descriptionOf(SEED_FILE_SCHEMA)}`;
  const entry: unknown = Array.isArray(file) ? file[Number(index)] : undefined;
  return `${placeOf(Number(index), entry)}: ${explainAt(fields)}`;
}

/** Returns the place of an entry, counted from 1, with its name if it has one. */
function placeOf(at: number, entry: unknown): string {
  const name = typeof entry === "object" && entry !== null && "name" in entry ? entry.name : undefined;
  return typeof name === "string" ? `entry ${at + 1} (${quote(name)})` : `entry ${at + 1}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
