import { buildContents, type ControlPlaneContents } from "./control-plane-contents.js";
import { GroupMembers } from "./group-members.js";
import type { ControlPlaneChange, SeedControlPlane } from "./seed.js";
import { buildControlPlane, changeControlPlane, type ControlPlane } from "./stored-control-plane.js";

/** The control planes that exist, by id in lower case, in the order of their creation. */
export class ControlPlaneStore {
  /** Who belongs to which group. */
  readonly groups = new GroupMembers();
  readonly #byId = new Map<string, ControlPlane>();
  readonly #contents = new Map<string, ControlPlaneContents>();

  /** Adds all control planes, then the members of groups, in whatever order the seeds come. */
  constructor(seeds: readonly SeedControlPlane[]) {
    const added = seeds.map(({ members, ...seed }) => ({ members, id: this.add(seed).id }));
    for (const { members, id } of added) if (members !== undefined) this.change(id, { members });
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
    const contents = buildContents(seed);
    this.#setMembers(controlPlane, seed.members);
    this.#contents.set(controlPlane.id, contents);
    this.#byId.set(controlPlane.id, controlPlane);
    return controlPlane;
  }

  /** Replaces what is given. Throws a RangeError if no control plane has this id, or if the change is not valid. */
  change(id: string, change: ControlPlaneChange): ControlPlane {
    const { nodes, entities, members } = change;
    const old = this.find(id);
    if (old === undefined) throw new RangeError(`No control plane has the id ${id}.`);
    const contents = this.contentsOf(old);
    const built = buildContents({ ...(nodes && { nodes }), ...(entities && { entities }) });
    this.#setMembers(old, members);
    this.#contents.set(old.id, {
      nodes: nodes === undefined ? contents.nodes : built.nodes,
      entities: entities === undefined ? contents.entities : built.entities,
    });
    const changed = changeControlPlane(old, change);
    this.#byId.set(old.id, changed);
    return changed;
  }

  /** Returns the control plane with this id, in upper or lower case, or undefined. */
  find(id: string): ControlPlane | undefined {
    return this.#byId.get(id.toLowerCase());
  }

  /** Returns the control plane with exactly this name, or undefined. */
  findByName(name: string): ControlPlane | undefined {
    return [...this.#byId.values()].find((controlPlane) => controlPlane.name === name);
  }

  /** Returns the nodes and entities of a control plane. They are none if it does not exist any more. */
  contentsOf({ id }: ControlPlane): ControlPlaneContents {
    return this.#contents.get(id) ?? buildContents({});
  }

  /** Removes the control plane with this id, also from its groups. Does nothing if there is none. */
  remove(id: string): void {
    this.#byId.delete(id.toLowerCase());
    this.#contents.delete(id.toLowerCase());
    this.groups.forget(id.toLowerCase());
  }

  #setMembers({ id, config }: ControlPlane, members: readonly string[] | undefined): void {
    if (members === undefined) return;
    if (members.length > 0 && config.cluster_type !== "CLUSTER_TYPE_CONTROL_PLANE_GROUP") {
      throw new RangeError(`The control plane ${id} is not a group, so it has no members.`);
    }
    const missing = members.find((member) => this.find(member) === undefined);
    if (missing !== undefined) throw new RangeError(`No control plane has the id ${missing} of a member.`);
    this.groups.replace(
      id,
      members.map((member) => member.toLowerCase()),
    );
  }
}
