import { buildControlPlane, type ControlPlane, type SeedControlPlane } from "./stored-control-plane.js";

/** The control planes that exist, by id in lower case, in the order of their creation. */
export class ControlPlaneStore {
  readonly #byId = new Map<string, ControlPlane>();

  constructor(seeds: readonly SeedControlPlane[]) {
    for (const seed of seeds) this.add(seed);
  }

  /** A live view of all control planes. */
  get all(): ReadonlyMap<string, ControlPlane> {
    return this.#byId;
  }

  /** Adds a control plane. Throws a RangeError if its id is not a UUID or already exists. */
  add(seed: SeedControlPlane): ControlPlane {
    const controlPlane = buildControlPlane(seed);
    if (this.#byId.has(controlPlane.id)) {
      throw new RangeError(`A control plane with the id ${controlPlane.id} already exists.`);
    }
    this.#byId.set(controlPlane.id, controlPlane);
    return controlPlane;
  }

  /** Returns the control plane with this id, in upper or lower case, or undefined. */
  find(id: string): ControlPlane | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Removes the control plane with this id. Does nothing if there is none. */
  remove(id: string): void {
    this.#byId.delete(id.toLowerCase());
  }
}
