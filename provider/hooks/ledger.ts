import { createHash } from "node:crypto";
import type { ControlPlaneRef } from "../service/operations/control-planes.js";
import { nameInUrn } from "../state/deployment.js";
import { storableName } from "../text/safe-text.js";

/** A control plane at its address. */
export type Place = Pick<ControlPlaneRef, "id" | "address">;

/** What the program declares with one resource. What is not known yet is left out. */
export interface Declaration {
  readonly kind: "adopted" | "created" | "set";
  /** Name of the resource in the program, for a call whose URN is not known. */
  readonly resource?: string | undefined;
  /** The control planes that it adopts. */
  readonly ids?: readonly string[] | undefined;
  /** Normalized address. */
  readonly address?: string | undefined;
  /** The name of the control plane that it creates. */
  readonly name?: string | undefined;
}

/** What becomes of a control plane whose resource ends. `by` is the URN of another resource, or at least its name, where that is known. */
export type Fate =
  | { readonly outcome: "delete" }
  /** Another resource of the state, or its own replacement, holds it, so only the old resource leaves the state. */
  | { readonly outcome: "kept"; readonly by: string | undefined }
  /**
   * It must be neither deleted nor dropped. `declared`: another resource declares it and does not hold it. `replaced`: Pulumi
   * replaces its resource by deleting it first. `referred to`: by `ControlPlane.get`.
   */
  | {
      readonly outcome: "refused";
      readonly because: "declared" | "replaced" | "referred to";
      readonly by: string | undefined;
    };

/** What happens to the members of a set that ends, if no other resource declares them. */
export type SetFate =
  | { readonly outcome: "delete" }
  /** The set has another name or was replaced, so they count as ids that left its list. */
  | { readonly outcome: "moved"; readonly to: string | undefined }
  /** `unclear`: it may have been renamed to a set that begins in the same run. */
  | {
      readonly outcome: "refused";
      readonly because: "replaced" | "unclear";
      readonly by: string | undefined;
    };

/** Another resource that declares the same control plane. */
export interface Rival {
  /** Undefined if it is known by its name alone. */
  readonly id: string | undefined;
  /** URN of the other resource, or at least its name. */
  readonly by: string | undefined;
}

/**
 * Something that the ledger was told. It is written to a file of this user. It has ids and URNs in clear, and digests of
 * addresses and of the names of control planes.
 */
export type LedgerRecord =
  | {
      readonly type: "declared";
      readonly urn?: string | undefined;
      /** Name of the resource, where the URN is not known. */
      readonly resource?: string | undefined;
      readonly kind: Declaration["kind"] | "reference";
      /** Ids, and digests of names. */
      readonly keys: readonly string[];
      /** Digest of the address. */
      readonly at?: string | undefined;
    }
  | {
      readonly type: "held";
      readonly urn?: string | undefined;
      readonly by: "diff" | "create";
      readonly ids: readonly string[];
      /** Digest of the address. */
      readonly at: string;
    };

/** The ledgers of the other provider processes of a run. */
export interface OtherLedgers {
  /** Passes a record on to them. @throws ControlPlaneError if that is not possible */
  publish(record: LedgerRecord): void;
  /** Returns what they have passed on since the last call. @throws ControlPlaneError if that is not known */
  news(): readonly { readonly process: string; readonly record: LedgerRecord }[];
}

const NO_OTHERS: OtherLedgers = { publish: () => undefined, news: () => [] };

/** What a call shows of the identity of its resource. */
interface Identity {
  readonly urn: string | undefined;
  /** Its name in the program. */
  readonly resource: string | undefined;
}

/** What is known of one resource. */
interface Entry extends Identity {
  kind: Declaration["kind"] | "reference";
  keys: ReadonlySet<string>;
  at: string | undefined;
  /** The control planes that it holds: the digest of the address, and the hook that showed it. */
  readonly held: Map<string, { readonly at: string; readonly by: "diff" | "create" }>;
  /** Set by the `diff` or the `create` that follows a `check`. */
  isSettled: boolean;
  /** Whether its `create` has succeeded in this run. */
  isNew: boolean;
}

/**
 * Who declares, holds, creates and refers to which control plane in this run of Pulumi. The engine tells a hook nothing
 * about other resources, so every hook notes here what it learns, and asks here before it deletes or lets go. The provider
 * processes of a run share their ledgers.
 *
 * The engine calls `check` for each resource that the program declares, and then either `diff` (the state has it) or
 * `create` (it is new, or is being replaced). For a replacement it calls `check` again. For a reference it calls `read`
 * alone. docs/internals/pulumi-host.md has the facts, and docs/internals/pairs.md what follows from them.
 *
 * A resource is known by its URN. In the dynamic-provider host, the first call of a process has none: what it declares goes
 * over to the resource of that name, or, where not even the name is known, to the first one that declares the same.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** The entries that declare, hold or refer to something, by its key. */
  readonly #byKey = new Map<string, Set<Entry>>();
  readonly #createdAtMs = new Map<string, number>();

  constructor(private readonly others: OtherLedgers = NO_OTHERS) {}

  /**
   * Notes what the program declares with a resource, before its `diff` or `create` shows what it holds. Returns the
   * control planes that other resources declare, too.
   */
  declare(urn: string | undefined, declaration: Declaration): readonly Rival[] {
    const { kind, address, resource } = declaration;
    const keys = keysOf(declaration);
    const at = address === undefined ? undefined : digest(address);
    this.#note({ type: "declared", urn, resource, kind, keys, at });
    const unique = [...(declaration.ids ?? []), ...keys.filter((key) => key.startsWith(NAME))];
    return this.#rivals(identityOf(urn, resource), unique);
  }

  /** Returns those control planes that other resources declare, too. */
  rivals(urn: string | undefined, ids: readonly string[]): readonly Rival[] {
    this.#catchUp();
    return this.#rivals(identityOf(urn), ids);
  }

  /**
   * Notes that the state holds control planes for a resource of the program. A control plane is held at one address,
   * because another address may lead to another service.
   *
   * @param by `diff`: the state has had them. `create`: they are recorded now
   */
  hold(urn: string | undefined, address: string, ids: readonly string[], by: "diff" | "create"): void {
    // Pulumi also compares a resource before its turn, to find out what another replacement means for it. That is no sign
    // that the program still declares it.
    if (by === "diff" && !this.isDeclared(urn)) return;
    this.#note({ type: "held", urn, by, ids, at: digest(address) });
  }

  /** Notes that the program refers to a control plane with `ControlPlane.get`. A reference does not hold it. */
  refer(urn: string | undefined, id: string, resource?: string): void {
    this.#note({ type: "declared", urn, resource, kind: "reference", keys: [id] });
  }

  /**
   * Notes what a `diff` compares. When the first call of the process was about a resource of this name, or has declared the
   * same, that call was the `check` of this resource.
   */
  compare(urn: string | undefined, declaration: Declaration): void {
    this.#catchUp();
    if (urn === undefined || this.isDeclared(urn)) return;
    const identity = identityOf(urn);
    const keys = keysOf(declaration);
    const declaresSame = (entry: Entry) =>
      keys.length > 0 && keys.every((key) => this.#byKey.get(key)?.has(entry));
    const wasChecked = this.#namelessOf(identity, OWN).some(
      (entry) => isSame(entry, identity) ?? declaresSame(entry),
    );
    if (wasChecked) this.declare(urn, declaration);
  }

  /** Notes when this run created a control plane, in epoch milliseconds. */
  noteCreated(id: string, createdAtMs: number): void {
    this.#createdAtMs.set(id, createdAtMs);
  }

  /** Returns when this run created a control plane, in epoch milliseconds. Undefined if it did not. */
  createdAtMs(id: string): number | undefined {
    return this.#createdAtMs.get(id);
  }

  /** Whether the program declares a resource in this run. */
  isDeclared(urn: string | undefined): boolean {
    const entry = this.#entries.get(entryKey(identityOf(urn), OWN));
    return entry !== undefined && entry.kind !== "reference";
  }

  /**
   * Returns what becomes of a control plane whose resource ends.
   *
   * @param name its recorded name. A resource that is to create a control plane of this name, and has not done so, may be
   * this one under a new name
   */
  fateOf(urn: string | undefined, { id, address }: Place, name?: string): Fate {
    this.#catchUp();
    const at = digest(address);
    const ending = identityOf(urn);
    const owners = this.#owners(id);
    const rivals = owners.filter((entry) => isSame(entry, ending) !== true);
    const holder = rivals.find(({ held }) => held.get(id)?.at === at);
    if (holder !== undefined) return { outcome: "kept", by: ownerOf(holder) };
    const [rival] = rivals;
    if (rival !== undefined) return { outcome: "refused", because: "declared", by: ownerOf(rival) };
    const itself = owners.find((entry) => isSame(entry, ending) === true);
    if (itself?.held.get(id)?.at === at) return { outcome: "kept", by: ownerOf(itself) };
    if (itself !== undefined) return { outcome: "refused", because: "replaced", by: ownerOf(itself) };
    const reference = [...(this.#byKey.get(id) ?? [])].find(({ kind }) => kind === "reference");
    if (reference !== undefined) {
      return { outcome: "refused", because: "referred to", by: ownerOf(reference) };
    }
    const namesakes = name === undefined ? [] : this.#owners(foldedKey(at, name));
    const namesake = namesakes.find((entry) => !entry.isSettled && isSame(entry, ending) !== true);
    if (namesake !== undefined) return { outcome: "refused", because: "declared", by: ownerOf(namesake) };
    return { outcome: "delete" };
  }

  /**
   * Returns what becomes of the members of a set that ends. The set has moved when its resource is being replaced, or when
   * another resource declares one of its members.
   */
  fateOfSet(urn: string | undefined, address: string, ids: readonly string[]): SetFate {
    if (ids.length === 0) return { outcome: "delete" };
    this.#catchUp();
    const ending = identityOf(urn);
    const itself = urn === undefined ? undefined : this.#entries.get(entryKey(identityOf(urn), OWN));
    if (itself?.kind === "set") {
      return itself.isSettled
        ? { outcome: "moved", to: ownerOf(itself) }
        : { outcome: "refused", because: "replaced", by: ownerOf(itself) };
    }
    for (const id of ids) {
      const rival = this.#owners(id).find((entry) => isSame(entry, ending) !== true);
      if (rival !== undefined) return { outcome: "moved", to: ownerOf(rival) };
    }
    const at = digest(address);
    const beginning = [...this.#entries.values()].filter(
      (entry) => entry.kind === "set" && isBeginning(entry) && (entry.at ?? at) === at,
    );
    const successor = beginning.find(({ isNew }) => isNew) ?? beginning[0];
    return successor === undefined
      ? { outcome: "delete" }
      : { outcome: "refused", because: "unclear", by: ownerOf(successor) };
  }

  #rivals(identity: Identity, keys: readonly string[]): readonly Rival[] {
    return keys.flatMap((key) => {
      const rival = this.#owners(key).find((entry) => isSame(entry, identity) === false);
      if (rival === undefined) return [];
      return [{ id: key.startsWith(NAME) ? undefined : key, by: ownerOf(rival) }];
    });
  }

  /** Returns the declarations without a URN that may belong to a resource. */
  #namelessOf({ resource }: Identity, process: string): readonly Entry[] {
    const keys = [
      entryKey(identityOf(undefined, resource), process),
      entryKey(identityOf(undefined), process),
    ];
    return [...new Set(keys)].flatMap((key) => this.#entries.get(key) ?? []);
  }

  #owners(key: string): readonly Entry[] {
    return [...(this.#byKey.get(key) ?? [])].filter(({ kind }) => kind !== "reference");
  }

  #note(record: LedgerRecord): void {
    this.#catchUp();
    // What cannot be passed on is not noted: the hook fails, so the state may not record it.
    this.others.publish(record);
    this.#apply(record, OWN);
    // Of two processes that declare the same at a time, at least one finds the other.
    this.#catchUp();
  }

  #catchUp(): void {
    for (const { record, process } of this.others.news()) this.#apply(record, process);
  }

  #apply(record: LedgerRecord, process: string): void {
    const entry = this.#entryOf(record, process);
    switch (record.type) {
      case "declared": {
        const { kind, keys, at } = record;
        // What a diff has shown is shown again by the next one, unless the resource is being replaced.
        if (entry.urn !== undefined) this.#forget(entry);
        entry.kind = kind;
        entry.at = at;
        entry.keys = new Set([...entry.keys, ...keys]);
        entry.isSettled = false;
        break;
      }
      case "held": {
        const { ids, at, by } = record;
        for (const id of ids) entry.held.set(id, { at, by });
        entry.keys = new Set([...entry.keys, ...ids]);
        entry.isSettled = true;
        entry.isNew ||= by === "create";
        break;
      }
    }
    const isNamed = entry.urn !== undefined && entry.kind !== "reference";
    const nameless = isNamed ? this.#namelessOf(entry, process) : [];
    for (const key of entry.keys) {
      const entries = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, entries.add(entry));
      for (const other of nameless) entries.delete(other);
    }
  }

  /** Forgets what a resource declared, and what a diff has shown of it. */
  #forget(entry: Entry): void {
    for (const key of entry.keys) this.#byKey.get(key)?.delete(entry);
    for (const [id, { by }] of entry.held) if (by === "diff") entry.held.delete(id);
    entry.keys = new Set(entry.held.keys());
  }

  #entryOf(record: LedgerRecord, process: string): Entry {
    const identity = identityOf(record.urn, record.type === "declared" ? record.resource : undefined);
    const isReference = record.type === "declared" && record.kind === "reference";
    const key = entryKey(identity, isReference ? `${process} reference` : process);
    const entry = this.#entries.get(key) ?? {
      ...identity,
      kind: "reference",
      keys: new Set(),
      at: undefined,
      held: new Map(),
      isSettled: false,
      isNew: false,
    };
    this.#entries.set(key, entry);
    return entry;
  }
}

/** This process. */
const OWN = "";

/**
 * Whether a resource is new in this run: it was created, or it was checked and could not be. A call without a URN shows
 * neither, because the next call about its resource has one.
 */
function isBeginning({ urn, isNew, isSettled }: Entry): boolean {
  return isNew || (urn !== undefined && !isSettled);
}

/** Returns the URN of a resource, or its name where that is all that is known. */
function ownerOf({ urn, resource }: Identity): string | undefined {
  return urn ?? resource;
}

function identityOf(urn: string | undefined, resource?: string): Identity {
  return { urn, resource: urn === undefined ? resource : nameInUrn(urn) };
}

/** A URN means the same resource in every process. Without one, only the calls of one process can be told apart. */
function entryKey({ urn, resource = "" }: Identity, process: string): string {
  return urn ?? `call without a URN ${process} ${resource}`;
}

/** Returns undefined if that is not known. */
function isSame(a: Identity, b: Identity): boolean | undefined {
  if (a.urn !== undefined && b.urn !== undefined) return a.urn === b.urn;
  return a.resource === undefined || b.resource === undefined ? undefined : a.resource === b.resource;
}

/** Begins the key of a name. */
const NAME = "name ";

/**
 * Names are unique in a region. Whether case matters is not documented, so a deletion takes the safe side. The state
 * records a name in its storable form, so the program's name is compared in that form, too.
 */
function keysOf({ ids = [], address, name }: Declaration): readonly string[] {
  if (address === undefined || name === undefined) return ids;
  const at = digest(address);
  return [...ids, `${NAME}${digest(`${at} ${storableName(name)}`)}`, foldedKey(at, name)];
}

function foldedKey(at: string, name: string): string {
  return `folded name ${digest(`${at} ${storableName(name).toLowerCase()}`)}`;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
