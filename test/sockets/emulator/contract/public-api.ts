import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Sourced = Readonly<{ "x-source"?: string }>;
type Answers = Sourced & Readonly<Record<string, string>>;
type EntityFields = Sourced & {
  readonly times: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
};
interface Beyond {
  readonly operations: "all" | "bodies" | "contents" | readonly string[];
  readonly status: number;
  readonly because: string;
}
interface Description {
  readonly documents: Readonly<Record<string, object>>;
  readonly operations: Readonly<Record<string, Answers>>;
  readonly entities: Readonly<Record<string, EntityFields>>;
  readonly beyond: readonly Beyond[];
  readonly mediaTypes: Readonly<Record<string, readonly string[]>>;
  readonly schemas: Readonly<Record<string, Sourced>>;
}

const FILE = join(__dirname, "../../../schemas/konnect-answers.yaml");

/** Our description of the answers of Konnect's public API. */
export const described = parse(readFileSync(FILE, "utf8"), { merge: true }) as Description;

const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
addFormats(ajv);
ajv.addVocabulary(["x-source", "schemas"]);
ajv.addSchema({ schemas: described.schemas }, "public");

/** What the public API says of an answer. */
export type PublicAnswer =
  | { readonly kind: "no body" }
  | { readonly kind: "body"; readonly mediaType: string; readonly validate: ValidateFunction }
  /** The public API does not have it. */
  | { readonly kind: "beyond"; readonly because: string | undefined };

const ENTITY_ANSWERS: Answers = { 200: "EntityList", 401: "Unauthorized" };

/** Returns what the public API says of an answer of an operation. */
export function publicAnswer(operation: string, status: number): PublicAnswer {
  const isEntityList = operation in described.entities;
  const plain: Answers = isEntityList ? ENTITY_ANSWERS : {};
  const schema = (described.operations[operation] ?? plain)[status];
  if (schema === undefined) return { kind: "beyond", because: reasonFor(operation, status) };
  if (schema === "none") return { kind: "no body" };
  const mediaType = Object.keys(described.mediaTypes).find((type) =>
    described.mediaTypes[type]?.includes(schema),
  );
  const validate = ajv.getSchema(`public#/schemas/${schema}`);
  if (mediaType === undefined || validate === undefined) throw new Error(`${schema} is not described`);
  return { kind: "body", mediaType, validate };
}

/** Returns the validator of one entity of the list that an operation returns. */
export function entityValidator(operation: string): ValidateFunction | undefined {
  const entity = described.entities[operation];
  if (entity === undefined) return undefined;
  const own = Object.entries(entity.fields).map(([name, type]) => [name, { type }] as const);
  const times = entity.times.map((name) => [name, { type: ["integer", "null"] }] as const);
  return ajv.compile({
    type: "object",
    additionalProperties: false,
    required: Object.keys(entity.fields),
    properties: Object.fromEntries([["id", { type: ["string", "null"] }], ...times, ...own]),
  });
}

function reasonFor(operation: string, status: number): string | undefined {
  return described.beyond.find((row) => row.status === status && isAmong(operation, row.operations))?.because;
}

function isAmong(operation: string, operations: Beyond["operations"]): boolean {
  switch (operations) {
    case "all":
      return true;
    case "bodies":
      return /^(create|update|put|post)-/.test(operation);
    case "contents":
      return (
        operation === "list-dataplane-nodes" ||
        operation in described.entities ||
        /plugin-schemas|config-stores/.test(operation)
      );
    default:
      return operations.includes(operation);
  }
}
