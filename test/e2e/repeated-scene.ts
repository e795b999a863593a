import { expect } from "chai";
import { idOf, type Scene, setScene } from "./scene.js";

/** A scene whose stack can be put back to where it began, without another `up`. */
export interface RepeatedScene extends Scene {
  /** Puts state and service back: every control plane exists, and is adopted. */
  restore(): Promise<void>;
  /** Holds that the state has what the service has, no more and no less, and that no operation is pending. */
  expectWholeState(): Promise<void>;
  /** Holds that a plain, unattended destroy deletes all that is left, and gives what it prints. */
  expectToConverge(): Promise<string>;
}

/** Sets a scene whose stack has adopted control planes 1 to a number. */
export async function setRepeatedScene(planes: number): Promise<RepeatedScene> {
  const scene = await setScene({ planes });
  const { emulator, stack } = scene;
  const numbers = Array.from({ length: planes }, (_, n) => n + 1);
  scene.declare(Object.fromEntries(numbers.map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }])));
  await scene.up();
  const adopted = await stack.state();
  stack.write("adopted.json", adopted.exported);
  return {
    ...scene,
    async restore() {
      emulator.reset();
      for (const n of numbers) {
        if (!emulator.controlPlanes.has(idOf(n))) emulator.add({ id: idOf(n), name: `plane-${n}` });
      }
      await stack.writeState(adopted.text);
    },
    async expectWholeState() {
      const { resources, pending } = await stack.state();
      expect(resources.map(({ id }) => id)).to.have.members([...emulator.controlPlanes.keys()]);
      expect(pending).to.equal(0);
    },
    async expectToConverge() {
      const { exitCode, output } = await scene.pulumi("destroy --yes --skip-preview");
      expect(exitCode, output).to.equal(0);
      expect(emulator.controlPlanes.size).to.equal(0);
      const { resources, pending } = await stack.state();
      expect([resources.length, pending]).to.deep.equal([0, 0]);
      return output;
    },
  };
}
