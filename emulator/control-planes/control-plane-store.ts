import { buildContents, type ControlPlaneContents } from "./control-plane-contents.js";
import type { ControlPlaneChange, SeedControlPlane } from "./seed.js";
import { buildControlPlane, type ControlPlane } from "./stored-control-plane.js";

/** The control planes that exist, by id in lower case, in the order of their creation. */
export class ControlPlaneStore {
  readonly #byId = new Map<string, ControlPlane>();
  readonly #contents = new Map<string, ControlPlaneContents>();

  constructor(seeds: readonly SeedControlPlane[]) {
    for (const seed of seeds) this.add(seed);
  }

  /** A live view of all control planes. */
  get all(): ReadonlyMap<string, ControlPlane> {
    return this.#byId;
  }

  /** Adds a control plane. Throws a RangeError if the seed is not valid or its id already exists. */
  add(seed: SeedControlPlane): ControlPlane {
    const controlPlane = buildControlPlane(seed);
    if (this.#byId.has(controlPlane.id)) {
      throw new RangeError(`A control plane with the id ${controlPlane.id} already exists.`);
    }
    this.#contents.set(controlPlane.id, buildContents(seed));
    this.#byId.set(controlPlane.id, controlPlane);
    return controlPlane;
  }

  /** Replaces the labels, nodes or entities. Throws a RangeError if no control plane has this id. */
  change(id: string, { labels, nodes, entities }: ControlPlaneChange): ControlPlane {
    const old = this.find(id);
    if (old === undefined) throw new RangeError(`No control plane has the id ${id}.`);
    const contents = this.contentsOf(old);
    const built = buildContents({ ...(nodes && { nodes }), ...(entities && { entities }) });
    this.#contents.set(old.id, {
      nodes: nodes === undefined ? contents.nodes : built.nodes,
      entities: entities === undefined ? contents.entities : built.entities,
    });
    if (labels === undefined) return old;
    const changed = { ...old, labels: { ...labels }, updated_at: new Date().toISOString() };
    this.#byId.set(old.id, changed);
    return changed;
  }

  /** Returns the control plane with this id, in upper or lower case, or undefined. */
  find(id: string): ControlPlane | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Returns the nodes and entities of a control plane. They are none if it does not exist any more. */
  contentsOf({ id }: ControlPlane): ControlPlaneContents {
    return this.#contents.get(id) ?? buildContents({});
  }

  /** Removes the control plane with this id. Does nothing if there is none. */
  remove(id: string): void {
    this.#byId.delete(id.toLowerCase());
    this.#contents.delete(id.toLowerCase());
  }
}
