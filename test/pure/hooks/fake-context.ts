import { Deletions } from "../../../provider/hooks/deletions.js";
import type { HookContext } from "../../../provider/hooks/context.js";
import { type Fate, Ledger, type Place } from "../../../provider/hooks/ledger.js";
import { Refreshes } from "../../../provider/hooks/refreshes.js";
import { eventLine } from "../../../provider/report/event-line.js";
import type { OutcomeEvent } from "../../../provider/report/outcome-event.js";
import type { Found, Gone, Reading, ReadOptions } from "../../../provider/service/reading.js";
import type { Deletion } from "../../../provider/service/deletion.js";
import type { Change, Creation } from "../../../provider/service/creation.js";
import type { CallFacts, CallScope } from "../../../provider/service/retry/call.js";
import {
  ControlPlaneError,
  type FailureKind,
} from "../../../provider/service/failure/control-plane-error.js";
import type { Purpose } from "../../../provider/service/failure/purpose.js";
import type { ControlPlaneRef, ListFilter } from "../../../provider/service/operations/control-planes.js";
import type {
  ControlPlaneChanges,
  ControlPlaneDocument,
  NewControlPlane,
} from "../../../provider/service/operations/control-plane-document.js";
import {
  type ControlPlaneNode,
  ENTITY_KINDS,
  type EntityCount,
  type EntityCounts,
} from "../../../provider/service/operations/contents.js";
import type { Problem } from "../../../provider/service/problem/problem.js";
import { readSettings } from "../../../provider/settings/read-settings.js";
import { safe, safeText, type SafeText } from "../../../provider/text/safe-text.js";

export const ID = "9524ec7d-36d9-465d-a8c5-83a3c9390458";
export const OTHER_ID = "0b6f6c1e-5a0e-4a55-9d0c-2f2a4f6f7c10";
export const EU = "https://eu.api.konghq.com/v2";
export const US = "https://us.api.konghq.com/v2";
/** The value that stands for one that is not known in a preview. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The random value of every creation. */
export const MARK = "5f0c9f7e-6d3b-4c8a-9a51-2b7f0f9d1c11";

/** The control plane as the arguments name it, and as the state records it. */
export const ref: ControlPlaneRef = { id: ID, address: EU };
export const recordedRef: ControlPlaneRef = { ...ref, name: "edge" };
export const outputs = { baseUrl: EU, name: "edge" };

export const facts: CallFacts = {
  attempts: 1,
  startedAtMs: 1_767_225_600_000,
  durationMs: 10,
  waitedMs: 0,
  status: 204,
  tokenSource: safe`system account token from KONNECT_SPAT`,
};

/** The facts of a call that ended with the service's own 404. */
export const goneFacts: CallFacts = { ...facts, status: 404, traceId: safe`konnect:trace:404` };

const time = { earliestMs: Date.UTC(2026, 0, 1), latestMs: Date.UTC(2026, 0, 1) };

const none: EntityCount = { count: 0, hasMore: false };
/** A control plane without entities. */
export const NO_ENTITIES = Object.fromEntries(ENTITY_KINDS.map((kind) => [kind, none])) as EntityCounts;

type End<T> = T | Error;

/** Returns the URN of a resource by its name. */
export function urnOf(name: string): string {
  return `urn:pulumi:dev::scene::pulumi-nodejs:dynamic/konnect:ControlPlane::${name}`;
}

/** A hook's context whose client returns scripted ends. It keeps what was asked and what was emitted. */
export class FakeContext implements HookContext {
  readonly ledger = new Ledger();
  readonly refreshes = new Refreshes();
  readonly deletions = new Deletions();
  readonly said = new Set<string>();
  /** The resource that the hooks are about. */
  urn: string | undefined = urnOf("edge");
  readonly randomId = () => MARK;
  readonly epochMs = () => Date.UTC(2026, 0, 1);
  readonly monotonicMs = () => this.elapsedMs;
  /** Moves on only when a test says so. */
  elapsedMs = 1_000_000;
  readonly events: OutcomeEvent[] = [];
  readonly signal = new AbortController().signal;
  readonly deadlineMs = Infinity;
  readonly deletes: ControlPlaneRef[] = [];
  readonly reads: (ControlPlaneRef & ReadOptions & { readonly purpose: Purpose })[] = [];
  /** What happens in a deletion before its end. */
  onDelete: (asked: ControlPlaneRef, scope: CallScope) => Promise<void> = () => Promise.resolve();
  deletion: End<Deletion> = { outcome: "deleted", proof: 204, facts };
  reading: End<Reading> = found();
  /** What the service lists. */
  existing: readonly ControlPlaneDocument[] = [];
  /** The end of every list request by ids, instead of what exists. */
  listing: Error | undefined;
  readonly creates: { readonly address: string; readonly wanted: NewControlPlane; readonly mark: string }[] =
    [];
  creation: End<Creation> = new TypeError("a creation that the test did not expect");
  readonly updates: { readonly id: string; readonly changes: ControlPlaneChanges }[] = [];
  /** The ends of the changes, in their order. */
  changes: End<Change>[] = [];
  /** The ids of the members of the group. Undefined when the group is gone. */
  members: End<readonly string[] | undefined> = [];
  readonly memberChanges: (readonly [group: string, change: "add" | "remove", ids: readonly string[]])[] = [];
  /** The ends of the changes of members, in their order. Default: they work. */
  readonly memberEnds: (Error | undefined)[] = [];
  /** Undefined when the control plane is gone. */
  nodes: End<readonly ControlPlaneNode[] | undefined> = [];
  /** The kinds that the control plane has. Undefined when it is gone. */
  entities: End<Partial<EntityCounts> | undefined> = {};
  /** When the nodes and the entities were answered. Default: at once. */
  answeredMs: number | undefined;
  /** How many calls may be in flight. */
  callsAtATime = 8;
  /** What was checked, in short. */
  readonly checks: string[] = [];
  readonly settings: HookContext["settings"];

  /** @param config stack configuration; a region unless the test says otherwise */
  constructor(
    config: Readonly<Record<string, string>> = { "konnect:region": "eu" },
    env: Readonly<Record<string, string>> = { KONNECT_SPAT: "spat_sentinel" },
  ) {
    this.settings = readSettings({
      config: (key) => config[key],
      env,
      readTokenFile: () => ({ text: "", isReadableByOthers: false }),
      warn: () => undefined,
    });
  }

  readonly emit = (event: OutcomeEvent): void => void this.events.push(event);

  /** The lines that a person reads about the events. */
  get lines(): readonly string[] {
    return this.events.map(eventLine).filter((line) => line !== undefined);
  }

  readonly client: HookContext["client"] = {
    callsAtATime: () => this.callsAtATime,
    deleteControlPlane: async (asked, scope, guard) => {
      await this.onDelete(asked, scope);
      const proof = guard?.isFresh() === false ? await guard.check(false) : undefined;
      if (proof !== undefined) return { outcome: "already gone", proof: 404, facts: proof.facts };
      this.deletes.push(asked);
      return settle(this.deletion);
    },
    readControlPlane: (asked, _scope, options) => {
      this.reads.push({ ...asked, purpose: "read", ...options });
      return settle(this.reading);
    },
    findControlPlane: async (asked, _scope, purpose) => {
      this.reads.push({ ...asked, purpose });
      const reading = await settle(this.reading);
      if (reading.outcome === "gone") throw new Error("the real client throws an error of kind missing");
      return reading;
    },
    listControlPlanes: (_address, filter) =>
      Promise.resolve({ controlPlanes: this.listed(filter), facts, time }),
    listReliably: (_address, filter) => Promise.resolve({ controlPlanes: this.listed(filter), facts, time }),
    listByIds: (_address, ids) =>
      settle(this.listing ?? this.listed({ ids }).map((controlPlane) => ({ controlPlane, facts }))),
    createControlPlane: (address, wanted, mark) => {
      this.creates.push({ address, wanted, mark });
      return settle(this.creation);
    },
    updateControlPlane: (asked, changes) => {
      this.updates.push({ id: asked.id, changes });
      const end = this.changes.shift();
      return end === undefined
        ? Promise.reject(new TypeError("a change that the test did not expect"))
        : settle(end);
    },
    readMembers: async (asked) => {
      this.checks.push(`members of ${asked.id}`);
      const members = await settle(this.members);
      return members === undefined
        ? gone
        : { outcome: "found", members: members.map((id) => ({ id, name: id })), facts };
    },
    changeMembers: (asked, { change, ids, onChanged }) => {
      if (ids.length === 0) return Promise.resolve();
      this.memberChanges.push([asked.id, change, ids]);
      const end = this.memberEnds.shift();
      if (end instanceof Error) return Promise.reject(end);
      onChanged?.(ids, facts);
      return Promise.resolve();
    },
    readNodes: async (asked, _scope, { onceWithinMs } = {}) => {
      const once = onceWithinMs === undefined ? "" : ` once within ${onceWithinMs} ms`;
      this.checks.push(`nodes of ${asked.id}${once}`);
      const nodes = await settle(this.nodes);
      return nodes === undefined ? gone : { outcome: "found", nodes, answeredMs: this.#answeredMs() };
    },
    countEntities: async (asked) => {
      this.checks.push(`entities of ${asked.id}`);
      const counts = await settle(this.entities);
      return counts === undefined
        ? gone
        : { outcome: "found", counts: { ...NO_ENTITIES, ...counts }, answeredMs: this.#answeredMs() };
    },
  };

  #answeredMs(): number {
    return this.answeredMs ?? this.elapsedMs;
  }

  /** Returns the control planes of the service that a filter of ids lets through. */
  private listed({ ids }: ListFilter): readonly ControlPlaneDocument[] {
    return this.existing.filter(({ id }) => ids?.includes(id) ?? true);
  }
}

function settle<T>(end: End<T>): Promise<T> {
  return end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
}

/** A read that found the control plane. */
export function found(name = "edge", labels: Readonly<Record<string, string>> = {}): Found {
  return { outcome: "found", controlPlane: { id: ID, name, labels }, facts };
}

/** A read that met the service's own 404. */
export const gone: Gone = { outcome: "gone", facts: goneFacts };

/** A call that failed, as the client reports it. */
export function failure(
  kind: FailureKind,
  status: number,
  title: string,
  problem: Partial<Problem> = {},
  findings: readonly SafeText[] = [],
): ControlPlaneError {
  const instance = problem.instance ?? `konnect:trace:${status}`;
  const summary = safeText(`${status} ${title}`, 200);
  return new ControlPlaneError(safe`${summary}: control plane ${safeText(ID, 60)} could not be read`, {
    kind,
    subject: safe`control plane ${safeText(ID, 60)}`,
    summary,
    findings,
    facts: { ...facts, status, traceId: safeText(instance, 120) },
    problem: { status, title, instance, invalidParameters: [], ...problem },
  });
}

/** Returns what becomes of a control plane when another resource of the state, which has it, too, ends. */
export function fateOfOther({ ledger }: FakeContext, place: Place = ref): Fate {
  return ledger.fateOf(urnOf("other"), place);
}

/** What another resource is told when the resource of a context holds the control plane. */
export const keptForEdge: Fate = { outcome: "kept", by: urnOf("edge") };

/** Creates the context of another resource of the same run. */
export function beside({ ledger, refreshes, said }: FakeContext, name = "other"): FakeContext {
  return Object.assign(new FakeContext(), { ledger, refreshes, said, urn: urnOf(name) });
}

/** Notes that another resource of the program declares a control plane. Returns its URN. */
export function declareByOther(
  { ledger }: FakeContext,
  { id, address }: Place = ref,
  heldBy?: "diff" | "create",
): string {
  const urn = urnOf("other");
  ledger.declare(urn, { kind: "adopted", ids: [id], address });
  if (heldBy !== undefined) ledger.hold(urn, address, [id], heldBy);
  return urn;
}

/** Returns the error that a hook ends with. A success fails the test. */
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
