import type { CallSubject } from "../service/operations/control-planes.js";
import type { RetryingEvent } from "../service/retry/call.js";
import type { OutcomeEvent } from "./outcome-event.js";

interface WaitingCall {
  readonly event: RetryingEvent;
  /** When its last attempt starts at the latest, in epoch milliseconds. */
  readonly untilMs: number;
}

/** The calls that wait for another attempt. Each says itself when it has ended. */
export class WaitingCalls {
  /** By the id of the call. The call that was retried last stands last. */
  readonly #calls = new Map<number, WaitingCall>();
  /** How many calls wait for each subject. */
  readonly #subjects = new Map<string, number>();

  /** Takes note of a retry, or of the end of a call. */
  observe(event: OutcomeEvent): void {
    if (event.type !== "retrying" && event.type !== "call ended") return;
    this.#forget(event.callId);
    if (event.type === "call ended") return;
    const key = keyOf(event.subject);
    this.#calls.set(event.callId, { event, untilMs: Date.now() + event.delayMs + event.leftMs });
    this.#subjects.set(key, (this.#subjects.get(key) ?? 0) + 1);
  }

  /** How many control planes wait. The calls about all control planes of an address count as one. */
  get count(): number {
    return this.#subjects.size;
  }

  /** Returns how many of some control planes wait. */
  countOf(ids: ReadonlySet<string>): number {
    const waiting = [...this.#calls.values()].map(({ event }) => event.subject.id);
    return new Set(waiting.filter((id) => id !== undefined && ids.has(id))).size;
  }

  /** The last retry of a call that still waits, and the time until which any call is retried. */
  get last(): WaitingCall | undefined {
    let last: WaitingCall | undefined;
    for (const call of this.#calls.values()) {
      last = { event: call.event, untilMs: Math.max(call.untilMs, last?.untilMs ?? -Infinity) };
    }
    return last;
  }

  #forget(callId: number): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    const key = keyOf(call.event.subject);
    const others = (this.#subjects.get(key) ?? 1) - 1;
    if (others > 0) this.#subjects.set(key, others);
    else this.#subjects.delete(key);
  }
}

function keyOf({ id, name = "", address }: CallSubject): string {
  return `${address} ${id ?? `"${name}"`}`;
}
