import type { Answer } from "../../../provider/service/answer.js";
import { createClient, type ClientOptions, type ServiceClient } from "../../../provider/service/client.js";
import type { Limits } from "../../../provider/service/decide-retry.js";
import { type Clock, createPacer } from "../../../provider/service/pacer.js";
import type { Call, Effects, Retry } from "../../../provider/service/call.js";
import { Token, type TokenSource } from "../../../provider/service/token.js";
import type { Request } from "../../../provider/service/transport.js";
import { target } from "./answers.js";

export const SECRET = "spat_sentinel0123456789";

export const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };

/** A clock that moves on to the next sleeper's time as soon as nothing else is left to do. */
export class VirtualClock implements Clock {
  nowMs = 1_000_000;
  readonly sleeps: number[] = [];
  /** Called as a sleep begins. */
  onSleep: () => void = () => undefined;
  readonly #sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  #ticks = false;

  now(): number {
    return this.nowMs;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    throwAbortError(signal);
    this.sleeps.push(ms);
    this.onSleep();
    throwAbortError(signal);
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#sleepers.delete(sleeper);
        reject(abortError());
      };
      const wake = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const sleeper = { untilMs: this.nowMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal.addEventListener("abort", giveUp);
      this.#tickSoon();
    });
  }

  #tickSoon(): void {
    if (this.#ticks || this.#sleepers.size === 0) return;
    this.#ticks = true;
    setImmediate(() => {
      this.#ticks = false;
      const [first, ...others] = this.#sleepers;
      if (first === undefined) return;
      const next = others.reduce((a, b) => (b.untilMs < a.untilMs ? b : a), first);
      this.#sleepers.delete(next);
      this.nowMs = Math.max(this.nowMs, next.untilMs);
      next.wake();
      this.#tickSoon();
    });
  }
}

/** What Node's own timers reject with, whatever the reason of the signal. */
function abortError(): Error {
  return Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" });
}

function throwAbortError(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

/** What a request comes to: an answer, at once, or worked out when it is sent. */
export type Step = Answer | ((request: Request, clock: VirtualClock) => Answer | Promise<Answer>);

/** An answer that takes time to come. */
export function after(ms: number, answer: Answer): Step {
  return (_request, clock) => {
    clock.nowMs += ms;
    return answer;
  };
}

/** A service made of scripted answers, in virtual time. */
export class FakeService {
  readonly clock = new VirtualClock();
  readonly requests: Request[] = [];
  readonly retries: Retry[] = [];
  readonly effects: Effects;
  readonly stopping = new AbortController();
  readonly stopped = new AbortController();
  /** What {@link Effects.random} gives. */
  random = 0.5;
  epochMs = Date.UTC(2026, 0, 1);
  readonly #steps: Step[];

  /** @param concurrency slots of the pacer */
  constructor(steps: readonly Step[], concurrency = 8) {
    this.#steps = [...steps];
    this.effects = {
      clock: this.clock,
      pacer: createPacer(concurrency, this.clock),
      send: async (request) => {
        this.requests.push(request);
        const step = this.#steps.shift();
        if (step === undefined) throw new TypeError("a request that the test did not expect");
        return typeof step === "function" ? step(request, this.clock) : step;
      },
      random: () => this.random,
      epochMs: () => this.epochMs,
    };
  }

  /** Scripted answers that no request has had. */
  get left(): number {
    return this.#steps.length;
  }

  client(more: Partial<ClientOptions> = {}): ServiceClient {
    return createClient({
      limits,
      tokens: fixedToken(),
      effects: this.effects,
      stopping: this.stopping.signal,
      stopped: this.stopped.signal,
      onRetry: (retry) => this.retries.push(retry),
      ...more,
    });
  }
}

/** One call of the fake service, with the limits of the defaults. */
export function callOf(service: FakeService, more: Partial<Call> = {}): Call {
  return {
    method: "DELETE",
    target,
    token: new Token(SECRET, "KONNECT_SPAT"),
    renewed: () => undefined,
    limits,
    stopping: service.stopping.signal,
    stopped: service.stopped.signal,
    onRetry: (retry) => service.retries.push(retry),
    ...more,
  };
}

/** A token that nothing can renew. */
export function fixedToken(hints: readonly string[] = [], value = SECRET): TokenSource {
  const token = new Token(value, "KONNECT_SPAT");
  return { current: () => token, renewed: () => undefined, hints };
}
