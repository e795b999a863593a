import { setMaxListeners } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect } from "chai";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import type { Answer } from "../../../provider/service/answer.js";
import { createClient } from "../../../provider/service/client.js";
import { type Clock, createPacer } from "../../../provider/service/pacer.js";
import { judge, POLICY } from "../../../provider/service/policy.js";
import { createTransport, type Send } from "../../../provider/service/transport.js";
import { EPOCH_MS, FAULT_CASES, type FaultCase, type Place } from "../../faults/index.js";
import { startTlsService, type TlsService } from "../../network/tls-service.js";
import { target } from "./answers.js";
import { fixedToken, SECRET } from "./fake-effects.js";

const { id } = target;

/** Real time, except that a sleep is over at once and has taken its time all the same. */
class SkippingClock implements Clock {
  readonly sleeps: number[] = [];
  #skippedMs = 0;

  now(): number {
    return performance.now() + this.#skippedMs;
  }

  sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    this.#skippedMs += ms;
    return Promise.resolve();
  }
}

/** Every case, by the real client over real sockets; only the waits are skipped. */
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

  const run = async ({ place = "service", faults, slow, maxAttempts = 10 }: FaultCase) => {
    const emulator = services[place] ?? services.service!;
    emulator.reset();
    if (!emulator.controlPlanes.has(id)) emulator.add({ id, name: "edge" });
    emulator.script({}, ...faults);
    const clock = new SkippingClock();
    const answers: Answer[] = [];
    const send: Send = async (request, signal) => {
      const answer = await transport(request, signal);
      answers.push(answer);
      return answer;
    };
    const never = new AbortController().signal;
    setMaxListeners(0, never);
    const client = createClient({
      limits: { maxAttempts, budgetMs: 300_000, requestTimeoutMs: slow ? 120 : 15_000 },
      tokens: fixedToken(),
      effects: { clock, pacer: createPacer(4, clock), send, random: () => 0.5, epochMs: () => EPOCH_MS },
      stopping: never,
      stopped: never,
      onRetry: () => undefined,
    });
    const address = addressOf(place, emulator);
    const end = await client.deleteControlPlane({ id, address }).catch((error: unknown) => error as Error);
    const said = end instanceof Error ? end.message : JSON.stringify(end);
    return { emulator, clock, answers, said, outcome: end instanceof Error ? "kept" : end.outcome };
  };

  for (const fault of FAULT_CASES) {
    it(`${fault.title}: ${fault.outcome}`, async () => {
      const { emulator, clock, answers, said, outcome } = await run(fault);
      const [first] = answers;
      expect(first === undefined ? undefined : judge(first).answer, said).to.equal(fault.row);
      expect(outcome, said).to.equal(fault.outcome);
      expect(answers, said).to.have.length(fault.requests);
      expect(clock.sleeps.map((ms) => Math.round(ms / 100) * 100)).to.deep.equal(fault.waitsMs);
      for (const text of fault.says) expect(said).to.contain(text);
      expect(said).not.to.contain(SECRET);
      expect(said.length).to.be.below(8_000);
      expect(emulator.pendingFaults, "faults that no request met").to.equal(0);
    });
  }

  it("an answer for which the policy has a row that no case tries: there is none", () => {
    const tried = new Set(FAULT_CASES.map(({ row }) => row));
    const untried = POLICY.map(({ answer }) => answer).filter((row) => !tried.has(row));
    // The tests of the transport behind a proxy, of its certificates, and of a stopped run have these.
    expect(untried.filter((row) => !/proxy|certificate|interrupted/.test(row))).to.deep.equal([]);
  });
});

/** A port of this machine that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}
