import { STATUS_CODES } from "node:http";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { Answer } from "../http/answer.js";
import type { Problem } from "../problem/problem.js";

/** Describes an answer in a few words: `503 Service Unavailable`, `no answer (timed out)`. */
export function describeAnswer(answer: Answer, problem?: Problem): SafeText {
  if (answer.kind === "no reply") return safe`no answer (${safeText(answer.cause, 40)})`;
  const { status, words } = statusWords(answer.status, problem);
  return words === "" ? status : safe`${status} ${words}`;
}

/** Returns the status of an answer, and its title in the service's words or in those of HTTP. */
export function statusWords(
  status: number,
  problem?: Problem,
): { readonly status: SafeText; readonly words: SafeText } {
  const title = safeText(problem?.title ?? "", 80);
  const words = title === "" ? safeText(STATUS_CODES[status] ?? "", 80) : title;
  return { status: safe`${status}`, words };
}
