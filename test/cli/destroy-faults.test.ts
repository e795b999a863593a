import { expect } from "chai";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { E2E_FAULT_CASES, type FaultCase } from "../faults/index.js";
import { diagnosticsOf, idOf, sharedScene } from "./scene.js";

/** One destroy of a stack in which every control plane meets another case of the fault table. */
describe("pulumi destroy of a stack in which every control plane meets", () => {
  let run: CommandResult;
  let left: ReadonlySet<string>;
  let pending: number;

  const scene = sharedScene(
    { planes: E2E_FAULT_CASES.length },
    async ({ emulator, adoptAll, pulumi, stack }) => {
      await adoptAll(E2E_FAULT_CASES.length);
      E2E_FAULT_CASES.forEach(({ faults, isGone }, index) => {
        const id = idOf(index + 1);
        if (isGone) emulator.remove(id);
        emulator.script({ method: "DELETE", id }, ...faults);
      });
      run = await pulumi("destroy --yes --skip-preview --continue-on-error --parallel 32", {
        KONNECT_REQUEST_TIMEOUT_SECONDS: "4",
      });
      const state = await stack.state();
      left = new Set(state.resources.map(({ id }) => id));
      ({ pending } = state);
    },
  );

  it("a case of its own, and ends with exit code 1 and no pending operation", () => {
    expect(E2E_FAULT_CASES.length).to.be.at.least(70);
    expect(run.exitCode).to.equal(1);
    expect(pending).to.equal(0);
  });

  E2E_FAULT_CASES.forEach((fault, index) => {
    it(`${fault.title}: ${fault.outcome}`, () => {
      const { emulator } = scene();
      const n = index + 1;
      const message = diagnosticsOf(`plane-${n}`, run.output);
      const isKept = fault.outcome === "kept";
      expect(left.has(idOf(n)), message).to.equal(isKept);
      expect(emulator.controlPlanes.has(idOf(n)), "exists in the service").to.equal(fault.exists);
      if (isKept) expectMessage(message, fault, emulator.requestsFor(idOf(n), "DELETE").length);
      else expect(message).to.equal("");
      expectGoneLine(lineAbout(n, run.output), fault);
      const requests = emulator.requestsFor(idOf(n), "DELETE");
      expect(requests).to.have.length(fault.requests);
      // After a 409, its members are read as well, because they may be the reason.
      const reads = emulator.requestsFor(idOf(n), "GET");
      const members = reads.filter(({ path }) => path.includes("/group-memberships"));
      expect(members).to.have.length(isConflict(fault) ? 1 : 0);
      expect(reads).to.have.length((fault.confirmation?.requests ?? 0) + members.length);
      requests.slice(1).forEach(({ atMs }, before) => {
        expect(atMs - (requests[before]?.atMs ?? 0)).to.be.at.least(shortestWaitMs(fault));
      });
    });
  });

  it("loses at most two requests, so that the cases above are held to what they say", () => {
    expect(lost).to.be.at.most(2);
  });
});

const isConflict = ({ faults }: FaultCase) => faults.at(-1)?.status === 409;

/** Cases of which a request was lost. */
let lost = 0;

/** @param arrived DELETE requests that the service got */
function expectMessage(
  message: string,
  { begins = "", mayBeDeleted, says }: FaultCase,
  arrived: number,
): void {
  const [headline = ""] = message.split("\n");
  expect(headline).to.match(/^error: /);
  const [, attempts = "1"] = /^attempts {2}(\d+) in /m.exec(message) ?? [];
  // On a busy machine a kept connection can end while a request is written to it. Its fate is unknown, and it is repeated.
  const isLost = Number(attempts) > arrived;
  if (isLost) lost += 1;
  if (!isLost) expect(headline.slice("error: ".length, "error: ".length + begins.length)).to.equal(begins);
  const isUnknown = isLost || mayBeDeleted === true;
  expect(headline, message).to.match(isUnknown ? /may or may not have been deleted$/ : /was not deleted$/);
  for (const text of says) if (!isLost) expect(message).to.contain(text);
}

/** A line tells of each 404 that ended a delete, and of nothing else. */
function expectGoneLine(line: string | undefined, { outcome, says }: FaultCase): void {
  const isTold = outcome !== "kept" && says.length > 0;
  expect(line !== undefined, line).to.equal(isTold);
  if (line === undefined) return;
  expect(line).to.match(outcome === "deleted" ? /^deleted, and confirmed by a 404: / : /^already gone: /);
  for (const text of says) expect(line).to.contain(text);
}

function lineAbout(n: number, output: string): string | undefined {
  const about = `: control plane "plane-${n}" (${idOf(n)}): 404 from `;
  const line = output.split("\n").find((printed) => printed.includes(about));
  return /(?:deleted, and confirmed by a 404|already gone): .*/.exec(line ?? "")?.[0];
}

/** Returns what the service asked for, or the shortest delay there is. A timer may be early by some milliseconds. */
function shortestWaitMs({ faults, waitsMs }: FaultCase): number {
  const asked = /^\s*[1-9]\d*\s*$/.test(faults[0]?.headers?.["retry-after"] ?? "");
  return (asked ? (waitsMs[0] ?? 0) : 100) - 10;
}
