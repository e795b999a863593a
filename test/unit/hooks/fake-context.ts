import type { HookContext } from "../../../provider/hooks/context.js";
import { RunMemory } from "../../../provider/hooks/run-memory.js";
import type { Deletion, ReadOptions, Reading } from "../../../provider/service/client.js";
import type { Target } from "../../../provider/service/control-plane.js";
import { type ControlPlaneError, ERROR_CLASSES } from "../../../provider/service/errors.js";
import type { Problem } from "../../../provider/service/problem.js";
import { readSettings } from "../../../provider/settings.js";

export const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
export const OTHER_ID = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
export const EU = "https://eu.api.konghq.com/v2";
export const US = "https://us.api.konghq.com/v2";
/** What stands for a value that is not known in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export const target: Target = { id: ID, address: EU };
export const outputs = { baseUrl: EU, name: "edge" };

type End<T> = T | Error;

/** A hook's context whose service gives scripted ends, and that keeps what was asked and said. */
export class FakeContext implements HookContext {
  readonly memory = new RunMemory();
  readonly lines: string[] = [];
  readonly log = (line: string) => void this.lines.push(line);
  readonly deletes: Target[] = [];
  readonly reads: (Target & ReadOptions)[] = [];
  deletion: End<Deletion> = {
    outcome: "deleted",
    problem: { invalidParameters: [] },
    token: "system account token from KONNECT_SPAT",
  };
  reading: End<Reading> = found();
  readonly settings: HookContext["settings"];

  /** @param config stack configuration; a region unless the test says otherwise */
  constructor(
    config: Readonly<Record<string, string>> = { "konnect:region": "eu" },
    env: Readonly<Record<string, string>> = { KONNECT_SPAT: "spat_sentinel" },
  ) {
    this.settings = readSettings({ config: (key) => config[key], env, readFile: () => "" });
  }

  readonly client: HookContext["client"] = {
    deleteControlPlane: (asked) => {
      this.deletes.push(asked);
      return settle(this.deletion);
    },
    getControlPlane: (asked, options) => {
      this.reads.push({ ...asked, ...options });
      return settle(this.reading);
    },
  };
}

function settle<T>(end: End<T>): Promise<T> {
  return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
}

/** A read that found it. */
export function found(name = "edge", labels: Readonly<Record<string, string>> = {}): Reading {
  return { outcome: "found", controlPlane: { id: ID, name, labels } };
}

/** A read that found it gone. */
export const gone: Reading = {
  outcome: "gone",
  problem: { status: 404, title: "Not Found", instance: "konnect:trace:404", invalidParameters: [] },
  token: "system account token from KONNECT_SPAT",
};

/** A call that failed, as the client reports it. */
export function failure(
  kind: keyof typeof ERROR_CLASSES,
  status: number,
  title: string,
  problem: Partial<Problem> = {},
): ControlPlaneError {
  const traceId = problem.instance ?? `konnect:trace:${status}`;
  return new ERROR_CLASSES[kind](`${status} ${title}: control plane ${ID} could not be read`, {
    subject: `control plane ${ID}`,
    summary: `${status} ${title}`,
    kind,
    status,
    traceId,
    attempts: 1,
    elapsedMs: 10,
    problem: { status, title, instance: traceId, invalidParameters: [], ...problem },
  });
}

/** The error that a hook ends in; a success fails the test. */
export async function errorOf(work: () => unknown): Promise<Error> {
  let end: unknown;
  try {
    end = await work();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error(`the hook did not fail: ${JSON.stringify(end)}`);
}
