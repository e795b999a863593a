import { expect } from "chai";
import type { Fault } from "../../../emulator/index.js";
import type { CommandResult } from "../../../tools/commands.js";
import { controlPlaneIdsOf, type StoredResource } from "../../../tools/local-stack/index.js";
import { createScene, type EndingScene } from "../scene.js";
import type { Letter, Pair, Run } from "./pair.js";
import {
  controlPlaneId,
  controlPlaneName,
  lettersIn,
  PROGRAM,
  resourceName,
  toProgram,
} from "./pair-program.js";
import { writeRecorded } from "./recorded-state.js";

const LETTERS: readonly Letter[] = ["X", "Y", "Z"];

/** Old enough that nobody takes it for a control plane that the service does not show yet. */
const CREATED_AT = "2026-01-01T00:00:00.000Z";

/** What one run of the CLI did. */
export interface Outcome extends CommandResult {
  readonly scene: EndingScene;
  /** What the state holds of the nth pair: control planes by resource name. */
  readonly left: (pair: number) => Readonly<Record<string, string>>;
  /** The control planes of the nth pair for which the service got a DELETE. */
  readonly deleted: (pair: number) => readonly Letter[];
}

/** Writes the state and the program of a run, and runs it. */
export async function carryOut({ command, pairs }: Run): Promise<Outcome> {
  const scene = await createScene({
    planes: 0,
    program: {
      "Pulumi.yaml": "name: scene\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
      "package.json": JSON.stringify({ name: "scene", private: true }),
      "resources.json": JSON.stringify(
        Object.assign({}, ...pairs.map(({ program = {} }, n) => toProgram(n, program))) as object,
      ),
      "index.js": PROGRAM,
    },
  });
  const { emulator, stack } = scene;
  for (const [n, pair] of pairs.entries()) {
    for (const letter of existing(pair)) {
      emulator.add({
        id: controlPlaneId(n, letter),
        name: controlPlaneName(n, letter),
        createdAt: CREATED_AT,
      });
    }
  }
  await writeRecorded(
    stack,
    emulator,
    pairs.map(({ recorded }) => recorded),
  );
  for (const [n, { service = {} }] of pairs.entries()) {
    const answer = (letters: readonly Letter[] = [], fault: Fault) => {
      for (const letter of letters) emulator.script({ method: "GET", id: controlPlaneId(n, letter) }, fault);
    };
    for (const letter of service.gone ?? []) emulator.remove(controlPlaneId(n, letter));
    answer(service.unreadable, { status: 500, times: Infinity });
    answer(service.hidden, { status: 404, body: "<h1>Not Found</h1>", times: Infinity });
  }
  const result = await scene.pulumi(withUrns(command, (await stack.state()).urns), {
    OTHER_ADDRESS: emulator.baseUrl.replace("127.0.0.1", "localhost"),
  });
  const stored = await storedResources(scene);
  return {
    ...result,
    scene,
    left: (n) => leftOf(n, stored, emulator.controlPlanes),
    deleted: (n) =>
      LETTERS.filter((letter) => emulator.requestsFor(controlPlaneId(n, letter), "DELETE").length > 0),
  };
}

/** Expects of one pair what its row says. */
export function expectPair({ scene, output, left, deleted }: Outcome, pair: Pair, n: number): void {
  expect(deleted(n), `deleted\n${output}`).to.deep.equal(pair.deleted ?? []);
  expect(left(n), `the state\n${output}`).to.deep.equal(pair.left);
  const gone = [...(pair.deleted ?? []), ...(pair.service?.gone ?? [])];
  const { controlPlanes } = scene.emulator;
  expect(
    existing(pair).filter((letter) => controlPlanes.has(controlPlaneId(n, letter))),
    `in the service\n${output}`,
  ).to.deep.equal(existing(pair).filter((letter) => !gone.includes(letter)));
  expectSaid(
    output,
    (pair.says ?? []).map((text) => withNames(text, n)),
  );
}

/** Expects that pieces of text stand close together: the first one begins it, and the others follow within ten lines. */
function expectSaid(output: string, pieces: readonly string[]): void {
  const [first, ...others] = pieces;
  if (first === undefined) return;
  const lines = output.split("\n");
  const isSaid = lines.some((line, index) => {
    const paragraph = lines.slice(index, index + 10).join("\n");
    return line.includes(first) && others.every((piece) => paragraph.includes(piece));
  });
  expect(isSaid, `${pieces.join(" … ")} is said in\n${output}`).to.equal(true);
}

function existing({ recorded = {}, program = {} }: Pair): readonly Letter[] {
  return LETTERS.filter((letter) =>
    [
      ...lettersIn(recorded, ["created", "adopted", "set", "get"]),
      ...lettersIn(program, ["adopted", "set", "get"]),
    ].includes(letter),
  );
}

function withNames(text: string, pair: number): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    isLetter(name) ? controlPlaneId(pair, name) : `"${resourceName(pair, name)}"`,
  );
}

function isLetter(name: string): name is Letter {
  return LETTERS.some((letter) => letter === name);
}

/** Puts URNs into a command. A resource that the state does not have yet is a single control plane. */
function withUrns(command: string, urns: readonly string[]): string {
  return command.replaceAll(/\{(\d+):(\w+)\}/g, (_, pair: string, name: string) => {
    const suffix = `::${resourceName(Number(pair), name)}`;
    const urn = urns.find((one) => one.endsWith(suffix));
    return urn ?? `urn:pulumi:dev::scene::pulumi-nodejs:dynamic/konnect:ControlPlane${suffix}`;
  });
}

/** A resource of the provider, with what Pulumi marks it with during a replacement. */
interface MarkedResource extends StoredResource {
  readonly delete?: boolean;
  readonly pendingReplacement?: boolean;
}

/** Returns all resources of the provider that the state holds, and fails when it holds an operation that did not end. */
async function storedResources({ stack }: EndingScene): Promise<readonly MarkedResource[]> {
  const { resources, pending } = await stack.state();
  expect(pending, "pending operations").to.equal(0);
  return resources;
}

function leftOf(
  pair: number,
  stored: readonly MarkedResource[],
  controlPlanes: ReadonlyMap<string, { readonly name: string }>,
): Readonly<Record<string, string>> {
  const toLetter = (id: string) => {
    const recorded = LETTERS.find((letter) => controlPlaneId(pair, letter) === id);
    if (recorded !== undefined) return recorded;
    const name = controlPlanes.get(id)?.name;
    const isNew = LETTERS.find((letter) => controlPlaneName(pair, letter) === name);
    return isNew === undefined ? id : `${isNew}'`;
  };
  const prefix = resourceName(pair, "");
  const left: Record<string, string> = {};
  for (const resource of stored) {
    const name = resource.urn.split("::").at(-1) ?? "";
    if (!name.startsWith(prefix)) continue;
    const mark = resource.delete
      ? " (to be deleted)"
      : resource.pendingReplacement
        ? " (to be replaced)"
        : "";
    left[name.slice(prefix.length) + mark] = controlPlaneIdsOf(resource).map(toLetter).join(" ");
  }
  return left;
}
