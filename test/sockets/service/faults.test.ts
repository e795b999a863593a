import { setMaxListeners } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { createClient } from "../../../provider/service/client.js";
import { ControlPlaneError } from "../../../provider/service/failure/control-plane-error.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { createTransport, type Send } from "../../../provider/service/http/transport.js";
import { confirmDeletion, deleteControlPlane } from "../../../provider/service/operations/control-planes.js";
import type { Operation } from "../../../provider/service/operations/operation.js";
import { AttemptGate, type Clock } from "../../../provider/service/retry/attempt-gate.js";
import { judge } from "../../../provider/service/retry/judge.js";
import { POLICY } from "../../../provider/service/retry/policy.js";
import { EPOCH_MS, FAULT_CASES, type FaultCase, type Place } from "../../faults/index.js";
import { startTlsService, type TlsService } from "../../network/tls-service.js";
import { ref } from "../../pure/service/answers.js";
import { fixedToken, SECRET } from "../../pure/service/fake-service.js";

const { id } = ref;

/** Real time, except that a sleep is over at once and counts as slept. */
class SkippingClock implements Clock {
  readonly sleeps: number[] = [];
  #skippedMs = 0;

  now(): number {
    return performance.now() + this.#skippedMs;
  }

  idleMs(): number {
    return this.now();
  }

  sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    this.#skippedMs += ms;
    return Promise.resolve();
  }
}

/** Every case, with the real client over real sockets. Only the waits are skipped. */
describe("a delete that meets", function () {
  this.timeout(20_000);
  const services: Partial<Record<Place, Emulator>> = {};
  let tls: TlsService;
  let refusing: number;
  const transport = createTransport(4, "faults");

  before(async () => {
    const tokens = { [SECRET]: { name: "sa-ci" } };
    services.service = await startEmulator({ tokens });
    services.IPv6 = await startEmulator({ tokens, host: "::1" });
    tls = await startTlsService(services.service.baseUrl);
    refusing = await freePort();
  });
  after(() => Promise.all([tls.close(), ...Object.values(services).map((service) => service.close())]));

  const addressOf = (place: Place, { baseUrl }: Emulator): string =>
    ({
      service: baseUrl,
      IPv6: baseUrl,
      refused: `http://127.0.0.1:${refusing}/v2`,
      "no such name": "https://no-such-host.invalid/v2",
      plain: baseUrl.replace("http:", "https:"),
      untrusted: `https://127.0.0.1:${tls.port}/v2`,
    })[place];

  const run = async (fault: FaultCase) => {
    const { place = "service", slow, maxAttempts = 10 } = fault;
    const emulator = services[place] ?? services.service!;
    script(emulator, fault);
    const clock = new SkippingClock();
    const answers: { readonly method: string; readonly answer: Answer }[] = [];
    const send: Send = async (request, signal) => {
      const answer = await transport(request, signal);
      answers.push({ method: request.method, answer });
      return answer;
    };
    const { signal } = new AbortController();
    setMaxListeners(0, signal);
    const limits = { maxAttempts, budgetMs: 300_000, requestTimeoutMs: slow ? 250 : 15_000 };
    const gate = new AttemptGate(4, limits, clock);
    const client = createClient({
      limits,
      tokens: fixedToken(),
      effects: { clock, gate, send, random: () => 0.5, epochMs: () => EPOCH_MS },
    });
    const address = addressOf(place, emulator);
    const scope = { signal, deadlineMs: Infinity, emit: () => undefined };
    const end = await client.deleteControlPlane({ id, address }, scope).catch((error: unknown) => error);
    return { emulator, clock, answers, end };
  };

  for (const fault of FAULT_CASES) {
    it(`${fault.title}: ${fault.outcome}`, async () => {
      const { emulator, clock, answers, end } = await run(fault);
      const answersTo = (method: string) =>
        answers.filter((sent) => sent.method === method).map(({ answer }) => answer);
      const deletes = answersTo("DELETE");
      const confirmations = answersTo("GET");
      const said = end instanceof Error ? end.message : JSON.stringify(end);

      expect(rowOf(deleteControlPlane(id), deletes[0]), said).to.equal(fault.row);
      const isPending = deletes[0]?.kind === "reply" && deletes[0].status === 202;
      expect(rowOf(confirmDeletion(id, isPending), confirmations[0]), said).to.equal(fault.confirmation?.row);
      expect(end instanceof Error ? "kept" : (end as { outcome: string }).outcome, said).to.equal(
        fault.outcome,
      );
      if (fault.outcome === "kept") expectError(end, fault);
      expect(emulator.controlPlanes.has(id), "exists in the service").to.equal(fault.exists);
      expect([deletes.length, confirmations.length], said).to.deep.equal([
        fault.requests,
        fault.confirmation?.requests ?? 0,
      ]);
      expect(clock.sleeps.map((ms) => Math.round(ms / 100) * 100)).to.deep.equal(fault.waitsMs);
      expect(said).not.to.contain(SECRET);
      expect(said.length).to.be.below(8_000);
      expect(emulator.pendingFaults, "faults that no request met").to.equal(0);
    });
  }

  it("an answer of every row of the policy, except those of a new control plane, a proxy and a stopped run", () => {
    const tried = new Set(FAULT_CASES.flatMap(({ row, confirmation }) => [row, confirmation?.row]));
    const untried = POLICY.map(({ answer }) => answer).filter((row) => !tried.has(row));
    expect(untried).to.deep.equal([
      "404 with the service's problem document, less than two minutes after the creation",
      "403 with the service's problem document, less than two minutes after the creation",
      "400 that names a member that does not exist, less than two minutes after its creation",
      "no answer: the proxy failed",
      "no answer: the proxy is unusable",
      "interrupted",
    ]);
  });
});

/** Puts the service into the state in which a case starts. */
function script(emulator: Emulator, { faults, confirmation, isGone }: FaultCase): void {
  emulator.reset();
  if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
  if (isGone) emulator.remove(id);
  emulator.script({ method: "DELETE" }, ...faults);
  emulator.script({ method: "GET" }, ...(confirmation?.faults ?? []));
}

/** Returns the policy's words for the row that judges an answer. */
function rowOf(operation: Operation<unknown>, answer: Answer | undefined): string | undefined {
  return answer === undefined ? undefined : judge(operation, answer).row.answer;
}

function expectError(end: unknown, { begins, mayBeDeleted, says }: FaultCase): void {
  if (!(end instanceof ControlPlaneError)) throw new Error("not an error that a person can read");
  const [headline = ""] = end.message.split("\n");
  expect(begins, "every error has a beginning").to.be.a("string");
  expect(headline.slice(0, begins?.length)).to.equal(begins);
  const isUnknown =
    headline.endsWith("may or may not have been deleted") || headline.endsWith("is not deleted yet");
  expect(isUnknown, headline).to.equal(mayBeDeleted === true);
  if (mayBeDeleted !== true) expect(headline).to.match(/: control plane \S+ was not deleted$/);
  for (const text of says) expect(end.message).to.contain(text);
}

/** Returns a port of this machine that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
