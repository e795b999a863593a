import { expect } from "chai";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { E2E_FAULT_CASES, type FaultCase } from "../faults/index.js";
import { diagnosticsOf, idOf, type Scene, setScene } from "./scene.js";

/** One destroy of a stack in which every control plane meets another case of the fault table. */
describe("pulumi destroy of a stack in which every control plane meets", () => {
  let scene: Scene;
  let run: CommandResult;
  let left: ReadonlySet<string>;
  let pending: number;

  before(async function () {
    this.timeout(180_000);
    scene = await setScene({ planes: E2E_FAULT_CASES.length });
    const planes = E2E_FAULT_CASES.map((_, n) => [`case-${n}`, { controlPlaneId: idOf(n + 1) }] as const);
    scene.declare(Object.fromEntries(planes));
    await scene.up();
    E2E_FAULT_CASES.forEach(({ faults }, n) => {
      scene.emulator.script({ method: "DELETE", id: idOf(n + 1) }, ...faults);
    });
    run = await scene.pulumi("destroy --yes --skip-preview --continue-on-error --parallel 32", {
      KONNECT_REQUEST_TIMEOUT_SECONDS: "2",
    });
    const state = await scene.stack.state();
    left = new Set(state.resources.map(({ id }) => id));
    ({ pending } = state);
  });

  after(() => scene.end());

  it("a case of its own, and ends with exit code 1 and no pending operation", () => {
    expect(E2E_FAULT_CASES.length).to.be.at.least(150);
    expect(run.exitCode).to.equal(1);
    expect(pending).to.equal(0);
  });

  E2E_FAULT_CASES.forEach((fault, n) => {
    it(`${fault.title}: ${fault.outcome}`, () => {
      const id = idOf(n + 1);
      const requests = scene.emulator.requestsFor(id, "DELETE");
      const message = diagnosticsOf(`case-${n}`, run.output);
      const gone = run.output.split("\n").find((line) => line.includes(`already gone: control plane ${id}`));
      expect(left.has(id), message).to.equal(fault.outcome === "kept");
      expect(message.startsWith("error:")).to.equal(fault.outcome === "kept");
      expect(gone !== undefined).to.equal(fault.outcome === "already gone");
      for (const text of fault.says) expect(`${message}\n${gone ?? ""}`).to.contain(text);
      expect(requests).to.have.length(fault.requests);
      requests.slice(1).forEach(({ atMs }, index) => {
        expect(atMs - (requests[index]?.atMs ?? 0)).to.be.at.least(shortestWaitMs(fault));
      });
    });
  });
});

/** What the service asked for, or the shortest delay there is; a timer may be early by some milliseconds. */
function shortestWaitMs({ faults, waitsMs }: FaultCase): number {
  const asked = /^\s*[1-9]\d*\s*$/.test(faults[0]?.headers?.["retry-after"] ?? "");
  return (asked ? (waitsMs[0] ?? 0) : 100) - 10;
}
