import { buildControlPlane, type ControlPlane } from "./stored-control-plane.js";
import type { SeedControlPlane } from "../emulator-options.js";

/** The control planes that exist now, by id in lower case and in the order of their creation. */
export class ControlPlaneStore {
  readonly #byId = new Map<string, ControlPlane>();

  /** A live view. */
  get all(): ReadonlyMap<string, ControlPlane> {
    return this.#byId;
  }

  /** Adds one; throws a RangeError when the id is no UUID or is taken. */
  add(seed: SeedControlPlane): ControlPlane {
    const controlPlane = buildControlPlane(seed);
    if (this.#byId.has(controlPlane.id)) {
      throw new RangeError(`A control plane with the id ${controlPlane.id} exists already.`);
    }
    this.#byId.set(controlPlane.id, controlPlane);
    return controlPlane;
  }

  /** The control plane with this id, in either case, or undefined. */
  find(id: string): ControlPlane | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Removes the control plane with this id; one that does not exist is no error. */
  remove(id: string): void {
    this.#byId.delete(id.toLowerCase());
  }
}
