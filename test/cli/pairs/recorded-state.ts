import type { Emulator } from "../../../emulator/index.js";
import type { LocalStack } from "../../../tools/local-stack/index.js";
import { parseCheckpoint } from "../../../tools/local-stack/checkpoint.js";
import { controlPlaneId, resourceName } from "./pair-program.js";
import type { Declaration, Declarations, Letter } from "./pair.js";

/** A resource of a pair that the state shall record. */
interface Recorded {
  readonly resource: string;
  readonly declaration: Declaration;
  /** Its control planes. */
  readonly ids: readonly string[];
}

/** The parts of a stored resource that are changed here. */
interface StoredResource {
  readonly urn: string;
  readonly id?: string;
  external?: boolean;
  provider?: string;
  taint?: boolean;
  replacementTrigger?: string;
  outputs?: Record<string, unknown>;
}

const SECOND_ID = "00000000-0000-4000-8000-000000000002";

/** Writes a state that holds pairs as `pulumi up` records them, without a run of the CLI. */
export async function writeRecorded(
  stack: LocalStack,
  emulator: Emulator,
  pairs: readonly (Declarations | undefined)[],
): Promise<void> {
  const all = pairs.flatMap((declarations, pair) => recordedOf(pair, declarations ?? {}));
  const named = (id: string) => ({ id, name: emulator.controlPlanes.get(id)?.name ?? "" });
  await stack.writeAdopted(emulator.baseUrl, {
    controlPlanes: all
      .filter(({ declaration }) => declaration.kind !== "set")
      .map(({ resource, declaration, ids: [id = ""] }) => ({
        resource,
        ...named(id),
        inputs: declaration.kind === "created" ? { name: named(id).name } : { controlPlaneId: id },
      })),
    sets: all
      .filter(({ declaration }) => declaration.kind === "set")
      .map(({ resource, ids }) => ({ resource, members: ids.map(named) })),
  });
  const checkpoint = parseCheckpoint((await stack.state()).text);
  const stored = (checkpoint.checkpoint.latest?.resources ?? []) as unknown as StoredResource[];
  for (const recorded of all) finish(stored, recorded, emulator);
  await stack.writeState(JSON.stringify(checkpoint));
}

function recordedOf(pair: number, declarations: Declarations): readonly Recorded[] {
  return Object.entries(declarations).map(([name, declaration]) => ({
    resource: resourceName(pair, name),
    declaration,
    ids: (declaration.kind === "set" ? declaration.targets : [declaration.target]).map((target) =>
      controlPlaneId(pair, target as Letter),
    ),
  }));
}

/** Adds what a state of adopted control planes lacks: what was created, what is only referred to, and other providers. */
function finish(
  stored: StoredResource[],
  { resource: name, declaration, ids: [id = ""] }: Recorded,
  emulator: Emulator,
): void {
  const resource = stored.find(({ urn }) => urn.endsWith(`::${name}`));
  if (resource === undefined) throw new Error(`${name} is not in the state`);
  if (declaration.kind === "get") {
    resource.external = true;
    resource.outputs = { ...resource.outputs, __origin: "external" };
  }
  if (declaration.kind === "created") {
    resource.outputs = { ...resource.outputs, ...createdOutputs(emulator, id) };
  }
  if (declaration.isTainted) resource.taint = true;
  if (declaration.replacementTrigger !== undefined) {
    resource.replacementTrigger = declaration.replacementTrigger;
  }
  if (declaration.inSecondProvider) resource.provider = secondProvider(stored);
}

function createdOutputs(emulator: Emulator, id: string): Record<string, unknown> {
  const controlPlane = emulator.controlPlanes.get(id);
  if (controlPlane === undefined) throw new Error(`the service has no ${id}`);
  const { description, config, created_at, updated_at } = controlPlane;
  return {
    description,
    labels: {},
    clusterType: config.cluster_type,
    authType: config.auth_type,
    cloudGateway: false,
    proxyUrls: [],
    controlPlaneEndpoint: config.control_plane_endpoint,
    telemetryEndpoint: config.telemetry_endpoint,
    createdAt: created_at,
    updatedAt: updated_at,
    __origin: "created",
  };
}

/** Returns the reference to the explicit provider, and adds the provider where the state has none. */
function secondProvider(stored: StoredResource[]): string {
  const index = stored.findIndex(({ urn }) => urn.includes("::pulumi:providers:"));
  const first = stored[index];
  if (first === undefined) throw new Error("the state has no provider");
  const urn = first.urn.replace(/[^:]+$/, "second");
  if (!stored.some((resource) => resource.urn === urn)) {
    stored.splice(index + 1, 0, { ...first, urn, id: SECOND_ID });
  }
  return `${urn}::${SECOND_ID}`;
}
