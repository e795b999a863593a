import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { ROOT } from "../repository.js";

// The schema of the plugin says what the doc comments of the TypeScript package say: the same arguments, outputs and words.

/** The file of the schema. */
export const SCHEMA_FILE = "provider/plugin/schema.json";

/** Where the arguments and outputs are declared. */
const SOURCES = [
  "control-plane-arguments.ts",
  "control-plane.ts",
  "control-plane-set.ts",
  "lookups/plain-arguments.ts",
  "lookups/one-control-plane.ts",
  "lookups/selection-arguments.ts",
  "lookups/exclusions.ts",
  "lookups/found-control-plane.ts",
];

const PACKAGE = "konnect-control-planes";

/** The settings of a provider, with the environment variables that take their place. */
const SETTINGS = {
  token:
    "System account token. Default: the environment variables `KONNECT_SPAT`, `KONNECT_TOKEN` and `KONNECT_TOKEN_FILE` (a path), the first one that is set. Pipelines keep it there.",
  region:
    "Region of resources that name no address: `us`, `eu`, `au`, `me`, `in` or `sg`. Not together with `baseUrl`. Default: `KONNECT_REGION`.",
  baseUrl:
    "Any other address of the service. HTTPS, or HTTP on a loopback address. Default: `KONNECT_SERVER_URL`.",
  maxAttempts: "Most attempts of a call, from 1 to 100. Default: `KONNECT_MAX_ATTEMPTS`, or 10.",
  retryBudgetSeconds:
    "Time for a call with all its retries, from 1 to 86,400. The option `customTimeouts` of a resource takes its place. Default: `KONNECT_RETRY_BUDGET_SECONDS`, or 300.",
  requestTimeoutSeconds:
    "Time for one attempt, from 1 to 3,600. Default: `KONNECT_REQUEST_TIMEOUT_SECONDS`, or 30.",
  concurrency: "Most calls at a time, from 1 to 100. Default: `KONNECT_CONCURRENCY`, or 32.",
  reportFile: "Path of a file that collects one JSON line per operation. Default: `KONNECT_REPORT_FILE`.",
} as const;

type Json = Record<string, unknown>;

/** A property of an interface or a class. */
interface Member {
  readonly name: string;
  readonly type: ts.TypeNode;
  readonly isOptional: boolean;
  readonly description: string;
}

/** Makes the schema of the package, without its version. */
export function makeSchema(): Json {
  const declarations = readDeclarations();
  const types: Json = {};
  const membersOf = (name: string) => declarations.get(name) ?? fail(`there is no ${name}`);
  const refer = (name: string) => {
    const token = `${PACKAGE}:index:${name}`;
    if (!(token in types)) {
      types[token] = {}; // a type may refer to itself
      types[token] = {
        type: "object",
        ...objectOf(membersOf(name).members, refer),
        description: membersOf(name).description,
      };
    }
    return { $ref: `#/types/${token}` };
  };
  const inputs = (...names: readonly string[]) =>
    names.flatMap((name) => membersOf(name).members).filter(({ description }) => description !== "hidden");
  const resource = (name: "ControlPlane" | "ControlPlaneSet", args: readonly Member[]) => {
    const { properties: inputProperties, required } = objectOf(args, refer);
    return {
      description: membersOf(name).description,
      ...objectOf(membersOf(name).members, refer),
      inputProperties,
      // A control plane needs one of two arguments, which a schema cannot say.
      ...(name === "ControlPlaneSet" && { requiredInputs: required }),
      aliases: [{ type: `pulumi-nodejs:dynamic/konnect:${name}` }],
    };
  };
  const settings = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, description]) => [
      name,
      {
        type: /^(?:max|retry|request|concurrency)/.test(name) ? "integer" : "string",
        description,
        ...(name === "token" && { secret: true }),
      },
    ]),
  );
  return {
    name: PACKAGE,
    displayName: "Konnect Control Planes",
    description:
      "Kong Konnect control planes, made for teardowns: retries what is temporary, explains what is not.",
    keywords: ["pulumi", "category/network", "kind/native", "kong", "konnect", "control-plane"],
    license: "Apache-2.0",
    config: { variables: settings },
    provider: {
      description: "Where the control planes are, and how they are called.",
      inputProperties: settings,
    },
    resources: {
      [`${PACKAGE}:index:ControlPlane`]: resource("ControlPlane", [
        ...inputs("AdoptControlPlaneArgs"),
        ...inputs("CreateControlPlaneArgs"),
      ]),
      [`${PACKAGE}:index:ControlPlaneSet`]: resource("ControlPlaneSet", inputs("ControlPlaneSetArgs")),
    },
    functions: {
      [`${PACKAGE}:index:getControlPlane`]: {
        description:
          "Looks up one control plane by its id or by its name. Fails when there is not exactly one.",
        inputs: { type: "object", ...objectOf(inputs("GetControlPlaneArgs"), refer) },
        outputs: { type: "object", ...objectOf(membersOf("FoundControlPlane").members, refer) },
      },
      [`${PACKAGE}:index:selectControlPlanes`]: {
        description:
          "Selects the control planes that all given filters let through, sorted by name. At least one filter is required. An empty selection is no error.",
        inputs: { type: "object", ...objectOf(inputs("SelectControlPlanesArgs"), refer) },
        outputs: {
          type: "object",
          properties: {
            controlPlanes: {
              type: "array",
              items: refer("FoundControlPlane"),
              description: "The control planes that match, sorted by name.",
            },
            ids: {
              type: "array",
              items: { type: "string" },
              description: "Their ids, for a `ControlPlaneSet`.",
            },
          },
          required: ["controlPlanes", "ids"],
        },
      },
    },
    types,
    language: {
      nodejs: { respectSchemaVersion: true },
      python: { respectSchemaVersion: true, pyproject: { enabled: true } },
    },
  };
}

interface Declaration {
  readonly description: string;
  readonly members: readonly Member[];
}

/** Reads the interfaces and classes, each with the members that it inherits. */
function readDeclarations(): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const file of SOURCES) {
    const text = readFileSync(path.join(ROOT, "provider", file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const node of source.statements) {
      if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) continue;
      const inherited = (node.heritageClauses ?? [])
        .flatMap(({ types }) => types.map((type) => type.expression.getText()))
        .flatMap((name) => found.get(name)?.members ?? []);
      const own = node.members.flatMap((member) => readMember(member) ?? []);
      const names = new Set(own.map(({ name }) => name));
      const members = [...own, ...inherited.filter(({ name }) => !names.has(name))];
      found.set(node.name?.text ?? "", { description: describe(node), members });
    }
  }
  return found;
}

function readMember(node: ts.TypeElement | ts.ClassElement): Member | undefined {
  if (!ts.isPropertySignature(node) && !ts.isPropertyDeclaration(node)) return undefined;
  if (node.type === undefined) return undefined;
  const type = unwrap(node.type);
  return {
    name: node.name.getText(),
    type,
    isOptional: node.questionToken !== undefined || mayBeUndefined(node.type),
    description: describe(node),
  };
}

/** Returns the text of a doc comment: its words, its default, and what a change does. `hidden` when it says so. */
function describe(node: ts.Node): string {
  const tags = ts.getJSDocTags(node);
  const tag = (name: string) => {
    const found = tags.find(({ tagName }) => tagName.text === name);
    return found === undefined ? undefined : textOf(found.comment);
  };
  if (tag("hidden") !== undefined) return "hidden";
  const [doc] = ts.getJSDocCommentsAndTags(node).filter((each) => ts.isJSDoc(each));
  const [byDefault, change] = [tag("defaultValue"), tag("change")];
  return [
    textOf(doc?.comment),
    ...(byDefault === undefined ? [] : [`Default: ${byDefault}.`]),
    ...(change === undefined ? [] : [`Change: ${change}`]),
  ]
    .join(" ")
    .replace(/`konnect:(?=\w)/g, `\`${PACKAGE}:`)
    .trim();
}

function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? "").replace(/[^\S\n]*\n(?!\n)[^\S\n]*/g, " ").trim();
}

function mayBeUndefined(type: ts.TypeNode): boolean {
  if (isReferenceTo(type, /^pulumi\.(?:Input|Output)$/)) {
    return type.typeArguments?.some(mayBeUndefined) ?? false;
  }
  return ts.isUnionTypeNode(type) && type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
}

/** Returns a type without what Pulumi and TypeScript put around it: inputs, outputs, `Readonly` and `undefined`. */
function unwrap(type: ts.TypeNode): ts.TypeNode {
  if (isReferenceTo(type, /^(?:pulumi\.(?:Input|Output)|Readonly)$/)) {
    return unwrap(type.typeArguments?.[0] ?? fail("a type without its argument"));
  }
  if (ts.isTypeOperatorNode(type)) return unwrap(type.type);
  if (ts.isUnionTypeNode(type)) {
    const types = type.types.filter(({ kind }) => kind !== ts.SyntaxKind.UndefinedKeyword);
    const [only] = types;
    if (types.length === 1 && only !== undefined) return unwrap(only);
  }
  return type;
}

function isReferenceTo(type: ts.TypeNode, name: RegExp): type is ts.TypeReferenceNode {
  return ts.isTypeReferenceNode(type) && name.test(type.typeName.getText());
}

function objectOf(members: readonly Member[], refer: (name: string) => Json) {
  const sorted = [...new Map(members.map((member) => [member.name, member])).values()];
  const properties = Object.fromEntries(
    sorted.map(({ name, type, description }) => [
      name,
      { ...schemaOf(type, refer), ...(description !== "" && { description }) },
    ]),
  );
  const required = sorted.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  return { properties, ...(required.length > 0 && { required }) };
}

const SIMPLE_TYPES: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.StringKeyword, "string"],
  // All numbers of this package are whole.
  [ts.SyntaxKind.NumberKeyword, "integer"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
]);

function schemaOf(given: ts.TypeNode, refer: (name: string) => Json): Json {
  const type = unwrap(given);
  const simple = SIMPLE_TYPES.get(type.kind);
  if (simple !== undefined) return { type: simple };
  if (ts.isArrayTypeNode(type)) return { type: "array", items: schemaOf(type.elementType, refer) };
  if (ts.isUnionTypeNode(type) && type.types.every(ts.isLiteralTypeNode)) return { type: "string" };
  if (ts.isTypeReferenceNode(type)) {
    const name = type.typeName.getText();
    if (name !== "Record") return refer(name);
    const [, value = fail("a Record without a value")] = type.typeArguments ?? [];
    return { type: "object", additionalProperties: schemaOf(value, refer) };
  }
  return fail(`a type that a schema cannot say: ${type.getText()}`);
}

function fail(message: string): never {
  throw new Error(message);
}
