import { isUuid } from "../control-planes/stored-control-plane.js";
import type { Fault, FaultRoute } from "../faults/fault.js";

/** A fault from the command line, and the requests that it is meant for. */
export interface ScriptedPhrase {
  readonly route: FaultRoute;
  readonly fault: Fault;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const MAX_TIMES = 1_000_000;
const MAX_DELAY_MS = 600_000;

/** The form of a phrase, for the help text and for messages. */
export const PHRASE_FORM = "METHOD [name or id] STATUS|reset|reset-after|hang [xN] [after Ns]";

const ENDS: Readonly<Record<string, Fault>> = {
  reset: { reset: "before" },
  "reset-after": { reset: "after" },
  hang: { hang: true },
};

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000 };

/**
 * Parses a fault such as `DELETE edge 503 x2 after 500ms`. A name with blanks stands in quotation marks.
 * Throws an Error whose message is one line.
 */
export function parseFaultPhrase(phrase: string): ScriptedPhrase {
  const [method = "", ...words] = phrase.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (!METHODS.includes(method)) {
    throw mistake(
      phrase,
      `it must begin with ${METHODS.slice(0, -1).join(", ")} or DELETE, not ${quote(method)}`,
    );
  }
  // The first word may be the name of a control plane that looks like an outcome.
  const hasTarget = outcomeOf(words[0]) === undefined || outcomeOf(words[1]) !== undefined;
  const target = hasTarget ? words[0] : undefined;
  const [outcome, ...modifiers] = hasTarget ? words.slice(1) : words;
  const fault = outcomeOf(outcome);
  if (fault === undefined) {
    const allowed = "a status from 200 to 599, reset, reset-after or hang";
    const found = outcome ?? words[0];
    throw mistake(phrase, found === undefined ? `it needs ${allowed}` : `${quote(found)} must be ${allowed}`);
  }
  return {
    route: { method, ...(target !== undefined && targetOf(unquoted(target))) },
    fault: { ...fault, ...readModifiers(phrase, modifiers) },
  };
}

function outcomeOf(word = ""): Fault | undefined {
  if (Object.hasOwn(ENDS, word)) return ENDS[word];
  return /^[2-5]\d\d$/.test(word) ? { status: Number(word) } : undefined;
}

function targetOf(target: string): FaultRoute {
  return isUuid(target) ? { id: target } : { name: target };
}

function unquoted(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

function readModifiers(phrase: string, words: readonly string[]): Pick<Fault, "times" | "delayMs"> {
  const [first = ""] = words;
  const times = /^x\d+$/.test(first) ? first : undefined;
  const [after, delay, ...others] = times === undefined ? words : words.slice(1);
  if (after !== undefined && after !== "after") {
    throw mistake(phrase, `${quote(after)} must be xN or after Ns, in this order`);
  }
  if (others[0] !== undefined) throw mistake(phrase, `unexpected ${quote(others[0])}`);
  return {
    ...(times !== undefined && { times: readTimes(phrase, times) }),
    ...(after !== undefined && { delayMs: readDelayMs(phrase, delay) }),
  };
}

function readTimes(phrase: string, word: string): number {
  const times = Number(word.slice(1));
  if (times >= 1 && times <= MAX_TIMES) return times;
  throw mistake(phrase, `${quote(word)} must be x1 to x${MAX_TIMES}`);
}

function readDelayMs(phrase: string, word = ""): number {
  const [, number = "", unit = ""] = /^(\d{1,6})(ms|s)$/.exec(word) ?? [];
  const delayMs = Number(number) * (UNIT_MS[unit] ?? NaN);
  if (delayMs <= MAX_DELAY_MS) return delayMs;
  throw mistake(
    phrase,
    `after must be followed by a time up to 600s, such as 2s or 500ms, not ${quote(word)}`,
  );
}

function mistake(phrase: string, text: string): Error {
  return new Error(`--fault ${quote(phrase)}: ${text}; the form is ${PHRASE_FORM}`);
}

/** Returns a text in quotation marks, with control characters escaped. */
function quote(word: string): string {
  return JSON.stringify(word);
}
