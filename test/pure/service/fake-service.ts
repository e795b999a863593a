import type { Answer } from "../../../provider/service/http/answer.js";
import { Token, type TokenSource } from "../../../provider/service/http/token.js";
import type { HttpRequest } from "../../../provider/service/http/transport.js";
import type { CallerOptions } from "../../../provider/service/caller.js";
import { createClient, type ServiceClient } from "../../../provider/service/client.js";
import { deleteControlPlane } from "../../../provider/service/operations/control-planes.js";
import { AttemptGate, type Clock } from "../../../provider/service/retry/attempt-gate.js";
import type { Call, CallScope, Effects, RetryingEvent } from "../../../provider/service/retry/call.js";
import type { Limits } from "../../../provider/service/retry/judge.js";
import { safe, safeText, type SafeText } from "../../../provider/text/safe-text.js";
import { ref } from "./answers.js";

export const SECRET = "spat_sentinel0123456789";

export const limits: Limits = { maxAttempts: 10, budgetMs: 300_000, requestTimeoutMs: 30_000 };

/** A clock that moves on to the next sleeper's time as soon as nothing else is left to do. */
export class VirtualClock implements Clock {
  nowMs = 1_000_000;
  readonly sleeps: number[] = [];
  /** Called when a sleep begins. */
  onSleep: () => void = () => undefined;
  readonly #sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  #ticks = false;

  now(): number {
    return this.nowMs;
  }

  idleMs(): number {
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

/** The error that Node's own timers reject with, whatever the reason of the signal. */
function abortError(): Error {
  return Object.assign(new Error("The operation was aborted"), { name: "AbortError", code: "ABORT_ERR" });
}

function throwAbortError(signal: AbortSignal): void {
  if (signal.aborted) throw abortError();
}

/** The result of a request: an answer, at once or worked out when the request is sent. */
export type Step = Answer | ((request: HttpRequest, clock: VirtualClock) => Answer | Promise<Answer>);

/** An answer that takes time to arrive. */
export function after(ms: number, answer: Answer): Step {
  return (_request, clock) => {
    clock.nowMs += ms;
    return answer;
  };
}

/** A service made of scripted answers, in virtual time. */
export class FakeService {
  readonly clock = new VirtualClock();
  readonly requests: HttpRequest[] = [];
  readonly retries: RetryingEvent[] = [];
  /** The calls that have said that they wait no more. */
  readonly endedCalls: number[] = [];
  readonly effects: Effects;
  readonly stopping = new AbortController();
  readonly scope: CallScope = {
    signal: this.stopping.signal,
    deadlineMs: Infinity,
    emit: (event) => {
      if (event.type === "retrying") this.retries.push(event);
      else this.endedCalls.push(event.callId);
    },
  };
  /** What {@link Effects.random} returns. */
  random = 0.5;
  epochMs = Date.UTC(2026, 0, 1);
  readonly #steps: Step[];

  /**
   * @param concurrency attempts under way at a time
   * @param runLimits the limits of the run, for the health of the address
   */
  constructor(steps: readonly Step[], concurrency = 8, runLimits = limits) {
    this.#steps = [...steps];
    this.effects = {
      clock: this.clock,
      gate: new AttemptGate(concurrency, runLimits, this.clock),
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

  client(more: Partial<CallerOptions> = {}): ServiceClient {
    return createClient({ limits, tokens: fixedToken(), effects: this.effects, ...more });
  }
}

/** One DELETE of the fake service, with the default limits. */
export function callOf(service: FakeService, more: Partial<Call<"deleted">> = {}): Call<"deleted"> {
  return {
    operation: deleteControlPlane(ref.id),
    subject: ref,
    token: new Token(SECRET, safe`KONNECT_SPAT`),
    renewedToken: () => undefined,
    limits,
    scope: service.scope,
    ...more,
  };
}

/** A token that nothing can renew. */
export function fixedToken(hints: readonly string[] = [], value = SECRET): TokenSource {
  const token = new Token(value, safe`KONNECT_SPAT`);
  return {
    current: () => token,
    renewed: () => undefined,
    hints: hints.map((hint): SafeText => safeText(hint, 300)),
  };
}
