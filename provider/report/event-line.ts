import type { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { statusWords } from "../service/failure/explain-call.js";
import {
  type CallSubject,
  type ControlPlaneRef,
  describeBriefly,
  describeControlPlane,
  describeSubjectBriefly,
} from "../service/operations/control-planes.js";
import { withoutMark } from "../service/operations/control-plane-document.js";
import type { CallFacts, RetryingEvent } from "../service/retry/call.js";
import { describeDuration } from "../text/message.js";
import { joinFirst, joinSafe, safe, safeText, type SafeText } from "../text/safe-text.js";
import type { OutcomeEvent } from "./outcome-event.js";

/** Names at most this many members of a group or a set, or labels. */
const LISTED = 10;

/**
 * Returns the line that a person reads about an event. Returns undefined for an event that needs none: a success at the
 * first try, and a failure, which the CLI prints itself.
 */
export function eventLine(event: OutcomeEvent): SafeText | undefined {
  switch (event.type) {
    case "retrying":
      return retryLine(event);
    case "created":
      return event.isFoundByMark
        ? safe`created, and found again after an unclear answer: ${describeControlPlane(event.controlPlane)} at ${addressOf(event.controlPlane)} carries the mark of this run`
        : undefined;
    case "will be replaced":
      return safe`${describeControlPlane(event.controlPlane)} will be DELETED and replaced by a new one. ${joinSafe(event.loss, " ")}`;
    case "changes after a problem": {
      const { detail, instance } = event.problem;
      const { status, words } = statusWords(event.problem.status, {
        ...event.problem,
        invalidParameters: [],
      });
      const change = safe`is about to be changed: ${safeText(event.changes.join(", "), 120)}`;
      return safe`${describeControlPlane(event.controlPlane)} ${change}. Last problem: ${status} ${words}${sentence(detail)}${inBrackets(instance)}`;
    }
    case "adopted": {
      if (event.labels === undefined) return undefined;
      const labels = Object.entries(withoutMark(event.labels)).map(
        ([key, value]) => safe`${safeText(key, 80)}=${safeText(value, 80)}`,
      );
      const carried = labels.length === 0 ? safe`without labels` : safeText(joinFirst(labels, LISTED), 400);
      return safe`adopted: ${describeControlPlane(event.controlPlane)}, ${carried}`;
    }
    case "set recorded":
      return setLine(event);
    case "forbidden already":
      return forbiddenLine(event);
    case "updated":
    case "found":
    case "failed":
      return undefined;
    case "adopted unread":
      return safe`adopted without reading: ${describeControlPlane(event.controlPlane)}: ${event.error.summary}; this token may not read it, so its existence is not checked${detailOf(event.error)}`;
    case "unreadable":
      return safe`${event.error.summary}: ${describeControlPlane(event.controlPlane)} could not be read${detailOf(event.error)}`;
    case "gone":
      return safe`gone: ${proven404(event.controlPlane, event.facts)}; it leaves the state`;
    case "already gone":
      return safe`already gone: ${proven404(event.controlPlane, event.facts)}`;
    case "deleted":
      return event.proof === 204
        ? undefined
        : safe`deleted, and confirmed by a 404: ${proven404(event.controlPlane, event.facts)}`;
    case "kept":
      return safe`kept: ${describeControlPlane(event.controlPlane)} is declared by ${event.by ?? safe`another resource`}; only the old one leaves the state`;
    case "let go": {
      const why =
        event.movedTo === undefined
          ? safe`is no longer in the list`
          : safe`was not taken over by ${event.movedTo}, to which its set has moved`;
      return safe`kept: ${describeControlPlane(event.controlPlane)} ${why}; it leaves the state and stays in the service`;
    }
    case "call ended":
    case "set started":
    case "set ended":
      return undefined;
    case "set is empty":
      return safe`the set is empty: a destroy deletes nothing`;
    case "recorded address differs": {
      const now =
        event.inSettings === undefined ? safe`name none` : safe`say ${safeText(event.inSettings, 200)}`;
      return safe`${describeControlPlane(event.controlPlane)} stays at ${addressOf(event.controlPlane)}, where it was ${event.isCreated === true ? safe`created` : safe`adopted`}; the settings now ${now}`;
    }
    case "argument overrides environment":
      return safe`${event.variable} (${safeText(event.inEnvironment, 200)}) is not used: the argument ${overridingArgument(event.argument, event.controlPlane)}`;
    case "guard overridden":
      return safe`${describeControlPlane(event.controlPlane)}: KONNECT_FORCE_DELETE overrides ${safeText(event.guard, 20)} (${event.because})`;
    case "members detached": {
      const members = joinFirst(event.members.map(describeBriefly), LISTED);
      const when = event.purpose === "delete" ? safe` before its deletion` : safe``;
      return safe`removed from ${describeControlPlane(event.controlPlane)}${when}: ${members}`;
    }
    case "look-up says":
      return event.text;
    case "warning":
      return safe`warning: ${event.text}`;
  }
}

function setLine({ size, added, left }: Extract<OutcomeEvent, { type: "set recorded" }>): SafeText {
  const list = (what: SafeText, which: typeof added) =>
    which.length === 0 ? safe`` : safe`; ${what}: ${joinFirst(which.map(describeBriefly), LISTED)}`;
  const count = size === 1 ? safe`1 control plane` : safe`${size} control planes`;
  return safe`the set records ${count}${list(safe`new`, added)}${list(safe`left the list`, left)}`;
}

function forbiddenLine({ controlPlanes }: Extract<OutcomeEvent, { type: "forbidden already" }>): SafeText {
  const [first] = controlPlanes;
  if (controlPlanes.length === 1 && first !== undefined) {
    return safe`warning: a destroy would not delete ${describeControlPlane(first.controlPlane)} as it is now: ${first.because}`;
  }
  const each = controlPlanes.map(
    ({ controlPlane, because }) => safe`${describeBriefly(controlPlane)} (${because})`,
  );
  return safe`warning: a destroy would not delete ${controlPlanes.length} of them as they are now: ${joinFirst(each, LISTED)}`;
}

/** Describes a retry. What matters most comes first, because a live row of the CLI shows about forty characters. */
export function retryLine(event: RetryingEvent): SafeText {
  const { answer, problem, attempt, maxAttempts, delayMs, subject, awaits } = event;
  const which = describeSubjectBriefly(subject);
  const next = safe`${attempt} of ${maxAttempts} in ${describeDuration(delayMs)}: ${which}`;
  if (answer.kind === "no reply") {
    return safe`no answer, retry ${next} ${safeText(answer.cause, 40)} (${safeText(answer.detail, 120)})`;
  }
  if (awaits === "deletion") return safe`accepted, not gone yet, poll ${next}`;
  if (awaits === "creation") return safe`not listed yet, look-up ${next}`;
  const { status, words } = statusWords(answer.status, problem);
  return safe`${status}, retry ${next} ${words}${inBrackets(problem.instance)}`;
}

/** A token of another organization gets the same 404, so the line shows where it came from. */
function proven404(controlPlane: ControlPlaneRef, { traceId, tokenSource }: CallFacts): SafeText {
  const source = [addressOf(controlPlane), ...(traceId === undefined ? [] : [traceId]), tokenSource];
  return safe`${describeControlPlane(controlPlane)}: 404 from ${joinSafe(source, ", ")}`;
}

function detailOf({ problem, facts }: ControlPlaneError): SafeText {
  return safe`${sentence(problem?.detail)} (${facts?.traceId ?? safe`no trace`})`;
}

function sentence(detail: string | undefined): SafeText {
  return detail === undefined ? safe`` : safe`. ${safeText(detail, 300)}`;
}

function inBrackets(trace: string | undefined): SafeText {
  return trace === undefined ? safe`` : safe` (${safeText(trace, 80)})`;
}

function addressOf({ address }: CallSubject): SafeText {
  return safeText(address, 200);
}

/** The value of `baseUrl` can be a secret of the program, so only a region's address is shown. */
function overridingArgument(argument: "region" | "baseUrl", controlPlane: CallSubject): SafeText {
  return argument === "region"
    ? safe`region wins, and requests go to ${addressOf(controlPlane)}`
    : safe`baseUrl wins`;
}
