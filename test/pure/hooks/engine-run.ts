import { check } from "../../../provider/hooks/check.js";
import { createResource, diffResource } from "../../../provider/hooks/resource.js";
import { readResource } from "../../../provider/hooks/read.js";
import { deleteResource } from "../../../provider/hooks/delete.js";
import { checkSet, createSet, diffSet, updateSet } from "../../../provider/hooks/set/adopt-set.js";
import { deleteSet } from "../../../provider/hooks/set/delete-set.js";
import type { Properties } from "../../../provider/state/recorded-fields.js";
import { contextWith } from "./created/created-scene.js";
import { beside, EU, type FakeContext, ID } from "./fake-context.js";

/** A resource of a run of Pulumi, and the calls of the engine about it. */
export interface EngineResource {
  /** What its hooks have asked and emitted. */
  readonly context: FakeContext;
  /** Whether `check` finds nothing wrong. */
  check(): boolean;
  diff(): Promise<unknown>;
  create(): Promise<unknown>;
  /** Changes it in place. */
  update(): Promise<unknown>;
  /** Deletes it with what the state has of it. */
  delete(): Promise<void>;
  /** Reads it, and compares what was read, as a refresh does. */
  refresh(): Promise<void>;
  /** How its last operation ended. */
  readonly conclusion: string | undefined;
}

/** One run of Pulumi: several resources that share a ledger, each with the calls that the engine makes about it. */
export class EngineRun {
  readonly #first = contextWith();

  /** A resource that adopts the control plane. */
  adopted(name: string, region = "eu"): EngineResource {
    return this.single(name, { controlPlaneId: ID, region }, { baseUrl: EU, name: "edge" });
  }

  /** A resource that has created the control plane, or creates it. */
  created(
    name: string,
    state: Properties,
    inputs: Properties = { name: "edge", region: "eu" },
  ): EngineResource {
    return this.single(name, inputs, state);
  }

  private single(name: string, inputs: Properties, state: Properties): EngineResource {
    const context = this.#contextOf(name);
    return resourceOf(context, {
      check: () => check(context, inputs).failures.length === 0,
      diff: () => diffResource(context, ID, state, inputs),
      create: () => createResource(context, inputs),
      update: () => Promise.reject(new Error("no test changes a single resource")),
      delete: () => deleteResource(context, ID, state),
      read: () => readResource(context, ID, state),
    });
  }

  /**
   * A set.
   *
   * @param ids what the program gives
   * @param recorded what the state has of it
   */
  set(name: string, ids: readonly string[], recorded: readonly string[] = ids): EngineResource {
    const context = this.#contextOf(name);
    const inputs = { controlPlaneIds: ids, region: "eu" };
    const state = { baseUrl: EU, controlPlanes: recorded.map((id) => ({ id })) };
    return resourceOf(context, {
      check: () => checkSet(context, inputs).failures.length === 0,
      diff: () => Promise.resolve(diffSet(context, state, inputs)),
      create: () => createSet(context, inputs),
      update: () => updateSet(context, state, inputs),
      delete: () => deleteSet(context, state),
      read: () => Promise.reject(new Error("no test refreshes a set")),
    });
  }

  /** A reference to the control plane. */
  reference(name: string): { read(): Promise<unknown> } {
    const context = this.#contextOf(name);
    return { read: () => readResource(context, ID, { controlPlaneId: ID, region: "eu" }) };
  }

  #contextOf(name: string): FakeContext {
    const { creation, reading } = this.#first;
    return Object.assign(beside(this.#first, name), { creation, reading });
  }
}

/** Runs a call of the engine as the first one of its process, whose URN is not known. */
export function withoutUrn<T>({ context }: EngineResource, call: () => T): T {
  const { urn } = context;
  context.urn = undefined;
  try {
    return call();
  } finally {
    context.urn = urn;
  }
}

function resourceOf(
  context: FakeContext,
  hooks: Omit<EngineResource, "context" | "refresh" | "conclusion"> & { read(): Promise<unknown> },
): EngineResource {
  return {
    ...hooks,
    context,
    async refresh() {
      await hooks.read();
      await hooks.diff();
    },
    get conclusion() {
      return context.events.at(-1)?.type;
    },
  };
}
