import { expect } from "chai";
import { eventLine, retryLine } from "../../../provider/report/event-line.js";
import type { OutcomeEvent } from "../../../provider/report/outcome-event.js";
import type { CallFacts, RetryingEvent } from "../../../provider/service/retry/call.js";
import type { Answer } from "../../../provider/service/http/answer.js";
import { parseProblem } from "../../../provider/service/problem/problem.js";
import { safe } from "../../../provider/text/safe-text.js";
import { EU, facts, failure, goneFacts, ID, recordedRef, ref, US } from "../hooks/fake-context.js";
import { dangerIn } from "../../dangerous-text.js";
import { noReply, reply, unavailable } from "../service/answers.js";

const NAMED = `control plane "edge" (${ID})`;
const SOURCE = `404 from ${EU}, konnect:trace:404, system account token from KONNECT_SPAT`;
const EVIL = "::error::\u001b[2J\n##[x]<{%y%}>";

function retryOf(answer: Answer, more: Partial<RetryingEvent> = {}): RetryingEvent {
  return {
    type: "retrying",
    callId: 1,
    subject: recordedRef,
    answer,
    problem: parseProblem(answer.kind === "reply" ? answer.body : ""),
    awaits: undefined,
    attempt: 2,
    maxAttempts: 10,
    delayMs: 1_449,
    leftMs: 200_000,
    ...more,
  };
}

describe("the line of a retry", () => {
  const cases: readonly (readonly [what: string, event: RetryingEvent, line: string])[] = [
    [
      "the status, the name, the id, the title and the trace of an answer",
      retryOf(unavailable),
      `503, retry 2 of 10 in 1.4 s: "edge" (9524ec7d…) Service Unavailable (konnect:trace:503)`,
    ],
    [
      "the id alone where the name is not known",
      retryOf(unavailable, { subject: ref }),
      `503, retry 2 of 10 in 1.4 s: 9524ec7d… Service Unavailable (konnect:trace:503)`,
    ],
    [
      "the words of HTTP for an answer without a problem document",
      retryOf(reply(502, "<h1>sorry</h1>"), { attempt: 10, delayMs: 30_000 }),
      `502, retry 10 of 10 in 30.0 s: "edge" (9524ec7d…) Bad Gateway`,
    ],
    [
      "the words of the system where no answer arrived",
      retryOf(noReply("connection refused", "connect ECONNREFUSED 127.0.0.1:1")),
      `no answer, retry 2 of 10 in 1.4 s: "edge" (9524ec7d…) connection refused (connect ECONNREFUSED 127.0.0.1:1)`,
    ],
    [
      "a long delay in minutes",
      retryOf(reply(429), { delayMs: 252_000 }),
      `429, retry 2 of 10 in 4 min 12 s: "edge" (9524ec7d…) Too Many Requests`,
    ],
    [
      "that an accepted deletion is looked for again",
      retryOf(reply(200, { id: ID, name: "edge" }), { awaits: "deletion" }),
      `accepted, not gone yet, poll 2 of 10 in 1.4 s: "edge" (9524ec7d…)`,
    ],
    [
      "that the name of a creation is looked for again",
      retryOf(reply(200, { data: [] }), {
        awaits: "creation",
        subject: { address: ref.address, name: "edge" },
      }),
      `not listed yet, look-up 2 of 10 in 1.4 s: "edge"`,
    ],
  ];
  for (const [what, event, line] of cases) {
    it(`shows ${what}`, () => {
      expect(retryLine(event)).to.equal(line);
      expect(eventLine(event)).to.equal(line);
    });
  }

  it("shows foreign words in a safe form only", () => {
    const subject = { ...ref, name: EVIL };
    for (const answer of [reply(503, { title: EVIL, instance: EVIL }), noReply("timed out", EVIL)]) {
      expectSafe(retryLine(retryOf(answer, { subject })));
    }
  });
});

describe("the line of an event", () => {
  const forbidden = (more: object = {}) =>
    failure("forbidden", 403, "Permission denied", { detail: "The role-set does not allow it.", ...more });
  const unnamedFacts: CallFacts = { ...goneFacts, tokenSource: safe`token from KONNECT_TOKEN` };

  const overriding = (argument: "region" | "baseUrl"): OutcomeEvent => ({
    type: "argument overrides environment",
    controlPlane: ref,
    argument,
    variable: safe`KONNECT_SERVER_URL`,
    inEnvironment: "http://127.0.0.1:8787/v2",
  });

  const lines: readonly (readonly [title: string, event: OutcomeEvent, line: string])[] = [
    [
      "names the control plane, the address, the trace and the token source when it was already gone",
      { type: "already gone", controlPlane: recordedRef, facts: goneFacts },
      `already gone: ${NAMED}: ${SOURCE}`,
    ],
    [
      "names them when a 404 proves the deletion",
      { type: "deleted", controlPlane: recordedRef, facts: goneFacts, proof: 404 },
      `deleted, and confirmed by a 404: ${NAMED}: ${SOURCE}`,
    ],
    [
      "names them when a refresh finds that the control plane is gone",
      { type: "gone", controlPlane: recordedRef, facts: goneFacts },
      `gone: ${NAMED}: ${SOURCE}; it leaves the state`,
    ],
    [
      "shows the id where the name is not known",
      { type: "already gone", controlPlane: ref, facts: unnamedFacts },
      `already gone: control plane ${ID}: 404 from ${EU}, konnect:trace:404, token from KONNECT_TOKEN`,
    ],
    [
      "leaves the trace out where the answer had none",
      { type: "already gone", controlPlane: ref, facts: { ...facts, status: 404 } },
      `already gone: control plane ${ID}: 404 from ${EU}, system account token from KONNECT_SPAT`,
    ],
    [
      "shows the detail and the trace of the problem when a control plane is adopted without reading",
      { type: "adopted unread", controlPlane: ref, error: forbidden() },
      `adopted without reading: control plane ${ID}: 403 Permission denied; this token may not read it, so its existence is not checked. The role-set does not allow it. (konnect:trace:403)`,
    ],
    [
      "shows the name, and the detail and the trace of the problem, when a refresh may not read a control plane",
      { type: "unreadable", controlPlane: recordedRef, error: forbidden() },
      `403 Permission denied: ${NAMED} could not be read. The role-set does not allow it. (konnect:trace:403)`,
    ],
    [
      "shows the labels of a control plane that is adopted, without the mark of its creation",
      {
        type: "adopted",
        controlPlane: recordedRef,
        labels: { env: "preview", "pulumi-creation-id": "x", team: "a" },
        facts: goneFacts,
      },
      `adopted: ${NAMED}, env=preview, team=a`,
    ],
    [
      "counts the members of a set, and names what is new and what left its list",
      {
        type: "set recorded",
        size: 1,
        added: [recordedRef],
        left: Array.from({ length: 12 }, (_, n) => ({ id: ID, name: `old-${n}` })),
      },
      `the set records 1 control plane; new: "edge" (9524ec7d…); left the list: ${Array.from({ length: 10 }, (_, n) => `"old-${n}" (9524ec7d…)`).join(", ")}, and 2 more`,
    ],
    [
      "warns of a control plane that its guards would not let go",
      {
        type: "forbidden already",
        controlPlanes: [{ controlPlane: recordedRef, because: safe`1 connected node: dp-1` }],
      },
      `warning: a destroy would not delete ${NAMED} as it is now: 1 connected node: dp-1`,
    ],
    ["passes on what a look-up says", { type: "look-up says", text: safe`nothing today` }, "nothing today"],
    [
      "says why a control plane is kept",
      { type: "kept", controlPlane: recordedRef },
      `kept: ${NAMED} is declared by another resource; only the old one leaves the state`,
    ],
    [
      "names the resource that holds a control plane which is kept",
      { type: "kept", controlPlane: recordedRef, by: safe`resource "b"` },
      `kept: ${NAMED} is declared by resource "b"; only the old one leaves the state`,
    ],
    [
      "says that a control plane left the list of its set",
      { type: "let go", controlPlane: recordedRef },
      `kept: ${NAMED} is no longer in the list; it leaves the state and stays in the service`,
    ],
    [
      "names the resource to which a set has moved, without one of its control planes",
      { type: "let go", controlPlane: recordedRef, movedTo: safe`resource "new"` },
      `kept: ${NAMED} was not taken over by resource "new", to which its set has moved; it leaves the state and stays in the service`,
    ],
    [
      "names the last problem of a control plane that is about to be changed",
      {
        type: "changes after a problem",
        controlPlane: recordedRef,
        changes: ["description", "labels"],
        problem: { status: 500, title: "Internal Server Error" },
      },
      `${NAMED} is about to be changed: description, labels. Last problem: 500 Internal Server Error`,
    ],
    [
      "names both addresses when the settings do not name the recorded one",
      { type: "recorded address differs", controlPlane: recordedRef, inSettings: US },
      `${NAMED} stays at ${EU}, where it was adopted; the settings now say ${US}`,
    ],
    [
      "says so when the settings name no address any more",
      { type: "recorded address differs", controlPlane: recordedRef, inSettings: undefined },
      `${NAMED} stays at ${EU}, where it was adopted; the settings now name none`,
    ],
    [
      "names the variable and both addresses when a region wins over the environment",
      overriding("region"),
      `KONNECT_SERVER_URL (http://127.0.0.1:8787/v2) is not used: the argument region wins, and requests go to ${EU}`,
    ],
    [
      "does not show the address that wins over the environment when it is a baseUrl, which can be a secret",
      overriding("baseUrl"),
      "KONNECT_SERVER_URL (http://127.0.0.1:8787/v2) is not used: the argument baseUrl wins",
    ],
    ["marks a warning as one", { type: "warning", text: safe`mind the gap` }, "warning: mind the gap"],
  ];
  it("names ten members that leave their group, and counts the others; foreign names are safe", () => {
    const members = Array.from({ length: 12 }, () => ({ id: ID, name: EVIL }));
    const event = { type: "members detached", controlPlane: recordedRef, members } as const;
    const line = eventLine({ ...event, purpose: "delete" }) ?? "";
    expect(line).to.match(
      new RegExp(`^removed from control plane "edge" \\(${ID}\\) before its deletion: "`),
    );
    expect(line.match(/9524ec7d…/g)).to.have.length(10);
    expect(line).to.match(/, and 2 more$/);
    expect(dangerIn(line)).to.equal(undefined);
    expect(eventLine({ ...event, purpose: "update" })).to.match(
      new RegExp(`^removed from control plane "edge" \\(${ID}\\): "`),
    );
  });

  for (const [title, event, line] of lines) it(title, () => expect(eventLine(event)).to.equal(line));

  const silent: readonly OutcomeEvent[] = [
    { type: "adopted", controlPlane: recordedRef, facts: goneFacts },
    { type: "found", controlPlane: recordedRef, facts: goneFacts },
    { type: "deleted", controlPlane: recordedRef, facts: goneFacts, proof: 204 },
    { type: "failed", controlPlane: recordedRef, purpose: "delete", error: forbidden() },
  ];
  for (const event of silent) {
    it(`is undefined for an event that needs none: ${event.type}`, () => {
      expect(eventLine(event)).to.equal(undefined);
    });
  }

  it("shows foreign words in a safe form only", () => {
    const controlPlane = { id: ID, address: EU, name: EVIL };
    const error = failure("forbidden", 403, EVIL, { detail: EVIL, instance: EVIL });
    const events: readonly OutcomeEvent[] = [
      { type: "kept", controlPlane },
      { type: "let go", controlPlane, movedTo: safe`resource "new"` },
      { type: "already gone", controlPlane, facts: goneFacts },
      { type: "unreadable", controlPlane, error },
      { type: "adopted unread", controlPlane, error },
      { type: "adopted", controlPlane, labels: { [EVIL]: EVIL }, facts: goneFacts },
      { type: "set recorded", size: 1, added: [controlPlane], left: [controlPlane] },
      { type: "forbidden already", controlPlanes: [{ controlPlane, because: safe`x` }] },
      { type: "recorded address differs", controlPlane, inSettings: EVIL },
      {
        type: "changes after a problem",
        controlPlane,
        changes: [],
        problem: { status: 500, title: EVIL, detail: EVIL, instance: EVIL },
      },
    ];
    for (const event of events) expectSafe(eventLine(event) ?? "no line");
  });
});

/** Expects nothing that a terminal, a pipeline or the Pulumi CLI interprets as a command. */
function expectSafe(line: string): void {
  // eslint-disable-next-line no-control-regex -- what must not be printed
  expect(line).not.to.match(/[\u0000-\u001f]|(^|\s)::|##\[|<\{%/);
  expect(line, "the words themselves").to.contain("error::");
}
