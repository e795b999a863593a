import { expect } from "chai";
import type { CallEnd, Precondition } from "../../../../provider/service/retry/call.js";
import { runCall } from "../../../../provider/service/caller.js";
import { deleted, noReply, ref, reply } from "../answers.js";
import { after, callOf, FakeService, type Step } from "../fake-service.js";

const FRESH_MS = 10_000;
const laterBy = (seconds: number) => reply(429, "", { retryAfter: String(seconds) });

/** A precondition that holds for ten seconds after each check. It notes when it was checked, and what it was told. */
class TimedCheck implements Precondition {
  readonly checkedAtMs: number[] = [];
  readonly told: (CallEnd<unknown> | undefined)[] = [];
  #untilMs = -Infinity;

  constructor(
    private readonly service: FakeService,
    private readonly work: () => Promise<unknown> = () => Promise.resolve(),
  ) {}

  readonly isFresh = () => this.service.clock.nowMs <= this.#untilMs;

  readonly check = async (last: CallEnd<unknown> | undefined) => {
    this.checkedAtMs.push(this.service.clock.nowMs - 1_000_000);
    this.told.push(last);
    await this.work();
    this.#untilMs = this.service.clock.nowMs + FRESH_MS;
    return undefined;
  };
}

/** Makes one DELETE of a service with these answers. Returns how it ended, and when its precondition was checked. */
async function deletion(...steps: readonly Step[]) {
  const service = new FakeService(steps);
  const precondition = new TimedCheck(service);
  const end = await runCall(callOf(service, { precondition }), service.effects);
  return { service, end, checkedAtMs: precondition.checkedAtMs };
}

describe("the precondition of a call", () => {
  it("is checked before the first attempt", async () => {
    const { end, checkedAtMs, service } = await deletion(deleted);
    expect(end).to.include({ attempts: 1, answer: deleted });
    expect(checkedAtMs).to.deep.equal([0]);
    expect(service.requests).to.have.length(1);
  });

  it("is not checked again for a retry that starts while the last check is fresh", async () => {
    expect((await deletion(laterBy(10), deleted)).checkedAtMs).to.deep.equal([0]);
  });

  it("is checked again before a retry that starts later than that", async () => {
    const { end, checkedAtMs } = await deletion(laterBy(11), laterBy(3), laterBy(8), deleted);
    expect(end).to.include({ attempts: 4, answer: deleted });
    expect(checkedAtMs).to.deep.equal([0, 11_000, 22_000]);
  });

  it("is checked again after an attempt that took long", async () => {
    const { checkedAtMs } = await deletion(after(30_000, noReply("timed out")), deleted);
    expect(checkedAtMs).to.deep.equal([0, 30_500]);
  });

  it("is checked again when a pause holds the attempt back, and nothing is sent before", async () => {
    const service = new FakeService([laterBy(30), deleted, deleted], 1);
    const precondition = new TimedCheck(service);
    const other = runCall(callOf(service), service.effects);
    const end = await runCall(callOf(service, { precondition }), service.effects);
    await other;
    expect(end).to.include({ attempts: 1, answer: deleted, durationMs: 0 });
    expect(precondition.checkedAtMs).to.deep.equal([0, 30_000]);
    expect(service.requests).to.have.length(3);
  });

  it("can make calls of its own, also when one attempt at a time may be under way", async () => {
    const service = new FakeService([deleted, laterBy(30), deleted, deleted, deleted], 1);
    const precondition = new TimedCheck(service, () => runCall(callOf(service), service.effects));
    const guarded = runCall(callOf(service, { precondition }), service.effects);
    const other = runCall(callOf(service), service.effects);
    expect(await guarded).to.include({ attempts: 1, answer: deleted });
    expect(await other).to.include({ attempts: 2, answer: deleted });
    expect(precondition.checkedAtMs).to.deep.equal([0, 30_000]);
    expect(service.left).to.equal(0);
  });

  it("puts the call before those that wait without one, so that its check is not outdated by theirs", async () => {
    const sent: string[] = [];
    const note: Step = ({ method }) => {
      sent.push(method);
      return deleted;
    };
    const service = new FakeService([note, note, note], 1);
    const read = { ...callOf(service).operation, method: "GET" } as const;
    const others = [1, 2].map(() => runCall(callOf(service, { operation: read }), service.effects));
    await runCall(callOf(service, { precondition: new TimedCheck(service) }), service.effects);
    await Promise.all(others);
    expect(sent).to.deep.equal(["GET", "DELETE", "GET"]);
  });

  it("ends the call without a request when it does not hold", async () => {
    const refused = new Error("not any more");
    const service = new FakeService([deleted]);
    const precondition = new TimedCheck(service, () => Promise.reject(refused));
    const end: unknown = await runCall(callOf(service, { precondition }), service.effects).catch(
      (error: unknown) => error,
    );
    expect(end).to.equal(refused);
    expect(service.requests).to.deep.equal([]);
    expect(precondition.told).to.deep.equal([undefined]);
  });

  it("ends the call before a retry when it does not hold any more, and is told how the call went", async () => {
    const refused = new Error("not any more");
    const service = new FakeService([after(30_000, noReply("timed out")), deleted]);
    let checks = 0;
    const precondition = new TimedCheck(service, () => {
      checks += 1;
      return checks === 1 ? Promise.resolve() : Promise.reject(refused);
    });
    const end: unknown = await runCall(callOf(service, { precondition }), service.effects).catch(
      (error: unknown) => error,
    );
    expect(end).to.equal(refused);
    expect(service.requests).to.have.length(1);
    expect(precondition.told[1]).to.include({ attempts: 1, mayHaveWorked: true });
  });

  it("ends the call without a request with what makes it unnecessary", async () => {
    const found = { outcome: "already gone" };
    const service = new FakeService([deleted]);
    const precondition = { isFresh: () => false, check: () => Promise.resolve(found) };
    expect(await runCall({ ...callOf(service), precondition }, service.effects)).to.equal(found);
    expect(service.requests).to.deep.equal([]);
  });

  it("ends the call before a retry with what makes it unnecessary", async () => {
    const found = { outcome: "already gone" };
    const service = new FakeService([after(30_000, noReply("timed out")), deleted]);
    const checks = [undefined, found];
    const precondition = {
      isFresh: () => checks.length === 1 && service.requests.length === 0,
      check: () => Promise.resolve(checks.shift()),
    };
    expect(await runCall({ ...callOf(service), precondition }, service.effects)).to.equal(found);
    expect(service.requests).to.have.length(1);
    expect(service.retries).to.have.length(1);
  });

  it("loses a turn that comes too late, and takes the next one before calls that need no check", async () => {
    const service = new FakeService([laterBy(30), deleted, deleted, deleted], 1);
    const order: string[] = [];
    const precondition = new TimedCheck(service, () => Promise.resolve(order.push("check")));
    const delayed = runCall(callOf(service), service.effects).then(() => order.push("first"));
    const guarded = runCall(callOf(service, { precondition }), service.effects).then(() =>
      order.push("guarded"),
    );
    const last = runCall(callOf(service, { subject: ref }), service.effects).then(() => order.push("last"));
    await Promise.all([delayed, guarded, last]);
    // The first one was turned away by a rate limit, so it goes before the last one.
    expect(order).to.deep.equal(["check", "check", "guarded", "first", "last"]);
  });
});
