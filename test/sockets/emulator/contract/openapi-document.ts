import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

interface Response {
  content?: Record<string, { schema: { $ref: string } }>;
}
interface Operation {
  operationId?: string;
  parameters?: readonly { name: string }[];
  responses: Record<string, Response | { $ref: string }>;
}
interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  "x-any-other-route": Operation;
  "x-any-other-control-route": Operation;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
}

const id = "openapi.yaml";
const openapi = parse(
  readFileSync(join(__dirname, "../../../../emulator/openapi.yaml"), "utf8"),
) as OpenApiDocument;
const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true });
addFormats(ajv);
ajv.addKeyword("components");
ajv.addSchema({ components: { schemas: openapi.components.schemas } }, id);

/** An operation identifier and a status, such as "delete-control-plane 404". */
export type DocumentedAnswer = string;

/** The operation identifier, the method in upper case, and the path of every operation. */
export const documentedRoutes: readonly string[] = Object.entries(openapi.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId }]) =>
    operationId === undefined ? [] : [`${operationId} ${method.toUpperCase()} ${path}`],
  ),
);

/** The names of the query parameters of the list of control planes. */
export const documentedListParameters: readonly string[] =
  openapi.paths["/control-planes"]?.get?.parameters?.map(({ name }) => name) ?? [];

/** The response object of every answer of every operation. */
export const documentedAnswers: ReadonlyMap<DocumentedAnswer, Response> = collectAnswers();

/** Returns the media type of an answer and the validator of its body, or undefined if it has no body. */
export function documentedBody(
  answer: DocumentedAnswer,
): { mediaType: string; validate: ValidateFunction } | undefined {
  const response = documentedAnswers.get(answer);
  if (response === undefined) throw new Error(`openapi.yaml does not describe the answer ${answer}`);
  const [content] = Object.entries(response.content ?? {});
  if (content === undefined) return undefined;
  const [mediaType, { schema }] = content;
  return { mediaType, validate: schemaAt(schema.$ref) };
}

/** Returns the validator of a schema of the document. */
export function schemaNamed(name: string): ValidateFunction {
  return schemaAt(`#/components/schemas/${name}`);
}

function schemaAt(pointer: string): ValidateFunction {
  const validate = ajv.getSchema(`${id}${pointer}`);
  if (validate === undefined) throw new Error(`openapi.yaml has nothing at ${pointer}`);
  return validate;
}

function collectAnswers(): Map<DocumentedAnswer, Response> {
  const operations = Object.values(openapi.paths)
    .flatMap((item) => Object.values(item))
    .flatMap((operation) =>
      operation.operationId === undefined ? [] : [[operation.operationId, operation] as const],
    );
  const all = [
    ...operations,
    ["any-other-route", openapi["x-any-other-route"]] as const,
    ["any-other-control-route", openapi["x-any-other-control-route"]] as const,
  ];
  return new Map(
    all.flatMap(([name, { responses }]) =>
      Object.entries(responses).map(
        ([status, response]) => [`${name} ${status}`, dereference(response)] as const,
      ),
    ),
  );
}

function dereference(response: Response | { $ref: string }): Response {
  if (!("$ref" in response)) return response;
  const name = response.$ref.split("/").at(-1) ?? "";
  const found = openapi.components.responses[name];
  if (found === undefined) throw new Error(`openapi.yaml has nothing at ${response.$ref}`);
  return found;
}
