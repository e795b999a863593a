import { expect } from "chai";
import type { ConclusionEvent } from "../../../provider/report/outcome-event.js";
import { type LineContext, reportLine } from "../../../provider/report/report-line.js";
import { ControlPlaneError, settingsError } from "../../../provider/service/failure/control-plane-error.js";
import { refuseMembers } from "../../../provider/service/failure/explain-deletion.js";
import { safe } from "../../../provider/text/safe-text.js";
import { EU, facts, failure, goneFacts, ID, OTHER_ID, recordedRef, ref } from "../hooks/fake-context.js";
import { lineText } from "./report-lines.js";
import { flawsOfLine } from "./report-schemas.js";

const context: LineContext = { runId: "run-1", nowMs: Date.UTC(2026, 0, 1, 0, 0, 5) };

const COMMON = { schemaVersion: 1, runId: "run-1", time: "2026-01-01T00:00:05.000Z" };
const EDGE = { id: ID, name: "edge", address: EU };

function lineOf(event: ConclusionEvent, more: Partial<LineContext> = {}): Record<string, unknown> {
  const line = reportLine(event, { ...context, ...more }) ?? "";
  expect(flawsOfLine(line)).to.deep.equal([]);
  return JSON.parse(line) as Record<string, unknown>;
}

describe("the line of a report file", () => {
  it("has a schema that finds what is wrong", () => {
    const line = {
      ...JSON.parse(lineText({})),
      outcome: "vanished",
      attempts: -1,
      controlPlane: {},
    } as object;
    expect(flawsOfLine(JSON.stringify(line))).to.have.length(3);
    expect(flawsOfLine(lineText({ time: "yesterday" }))).to.deep.equal([
      '/time must match format "date-time"',
    ]);
  });

  it("holds what explains a failure, and names the members of a group", () => {
    const member = { id: OTHER_ID, name: "audit" };
    const error = refuseMembers(recordedRef, [member], facts);
    expect(
      lineOf({ type: "failed", purpose: "delete", controlPlane: recordedRef, error }).error,
    ).to.deep.equal({
      kind: "conflict",
      summary: "1 member added elsewhere",
      next: "if the program lists these members, run pulumi up; otherwise remove them from the group, or set detachMembers: true and run pulumi up; then run again",
      findings: [
        `The group has members that this resource did not add: control plane "audit" (${OTHER_ID}).`,
      ],
    });
  });

  it("holds the members that were removed from a group, and counts those that do not fit", () => {
    const event = { type: "deleted", controlPlane: recordedRef, facts, proof: 204 } as const;
    const few = [{ id: ID, name: "a" }, { id: OTHER_ID }];
    expect(lineOf(event, { membersRemoved: few }).membersRemoved).to.deep.equal({ count: 2, members: few });
    expect(lineOf(event, { membersRemoved: [] })).not.to.have.property("membersRemoved");
    const many = Array.from({ length: 256 }, () => ({ id: ID, name: "n".repeat(256) }));
    const { count, members } = lineOf(event, { membersRemoved: many }).membersRemoved as {
      count: number;
      members: readonly object[];
    };
    expect([count, members.length]).to.deep.equal([256, 10]);
  });

  it("holds the facts of a deletion", () => {
    const retried = {
      ...facts,
      attempts: 3,
      durationMs: 4_100.4,
      waitedMs: 3_000.6,
      earlierTraceIds: [safe`konnect:trace:1`, safe`konnect:trace:2`],
      timeline: [
        { atMs: 0, durationMs: 199.6, status: 503 },
        { atMs: 1_700.2, durationMs: 800 },
        { atMs: 4_000, durationMs: 100.4, status: 204 },
      ],
    };
    expect(lineOf({ type: "deleted", controlPlane: recordedRef, facts: retried, proof: 204 })).to.deep.equal({
      ...COMMON,
      startedAt: "2026-01-01T00:00:00.000Z",
      operation: "delete",
      outcome: "deleted",
      controlPlane: EDGE,
      status: 204,
      attempts: 3,
      durationMs: 4_100,
      waitedMs: 3_001,
      traceIds: ["konnect:trace:1", "konnect:trace:2"],
      tokenSource: "system account token from KONNECT_SPAT",
      timeline: [
        { atMs: 0, durationMs: 200, status: 503 },
        { atMs: 1_700, durationMs: 800 },
        { atMs: 4_000, durationMs: 100, status: 204 },
      ],
    });
  });

  it("holds the problem document, the error and the next step of a failure", () => {
    const invalidParameters = [{ field: "name", reason: "too long", rule: "max_length", maximum: 256 }];
    const problem = {
      status: 400,
      title: "Bad Request",
      type: "https://kongapi.info/invalid",
      instance: "konnect:trace:400",
      detail: "Invalid Parameters",
      invalidParameters,
    };
    const error = new ControlPlaneError(safe`400 Bad Request: it was not deleted`, {
      kind: "invalid",
      subject: safe`control plane`,
      summary: safe`400 Bad Request`,
      facts: { ...facts, status: 400, traceId: safe`konnect:trace:400` },
      problem,
      next: safe`correct what is named above, then run again`,
    });
    const line = lineOf({ type: "failed", purpose: "delete", controlPlane: recordedRef, error });
    expect(line).to.deep.include({
      operation: "delete",
      outcome: "failed",
      status: 400,
      traceIds: ["konnect:trace:400"],
      problem: {
        ...problem,
        invalidParameters: [{ field: "name", reason: "too long (rule max_length, maximum 256)" }],
      },
      error: {
        kind: "invalid",
        summary: "400 Bad Request",
        next: "correct what is named above, then run again",
      },
    });
  });

  const denied = failure("forbidden", 403, "Permission denied");
  const outcomes: readonly (readonly [event: ConclusionEvent, operation: string, outcome: string])[] = [
    [{ type: "adopted", controlPlane: recordedRef, facts }, "adopt", "adopted"],
    [{ type: "adopted unread", controlPlane: ref, error: denied }, "adopt", "adopted-unread"],
    [{ type: "unreadable", controlPlane: recordedRef, error: denied }, "read", "unreadable"],
    [{ type: "gone", controlPlane: recordedRef, facts: goneFacts }, "read", "gone"],
    [{ type: "already gone", controlPlane: recordedRef, facts: goneFacts }, "delete", "already-gone"],
    [{ type: "kept", controlPlane: recordedRef }, "delete", "kept"],
    [{ type: "created", controlPlane: recordedRef, isFoundByMark: false, facts }, "create", "created"],
    [{ type: "updated", controlPlane: recordedRef, facts }, "update", "updated"],
    [
      {
        type: "failed",
        purpose: "create",
        controlPlane: { id: "", name: "edge", address: EU },
        error: denied,
      },
      "create",
      "failed",
    ],
    [{ type: "failed", purpose: "update", controlPlane: recordedRef, error: denied }, "update", "failed"],
    [{ type: "let go", controlPlane: recordedRef }, "update", "kept"],
    [{ type: "let go", controlPlane: recordedRef, movedTo: safe`resource "new"` }, "delete", "kept"],
    [{ type: "failed", purpose: "adopt", controlPlane: ref, error: denied }, "adopt", "failed"],
    [{ type: "failed", purpose: "read", controlPlane: ref, error: denied }, "read", "failed"],
    [{ type: "failed", purpose: "look up", controlPlane: ref, error: denied }, "look-up", "failed"],
    [
      { type: "failed", purpose: "delete", controlPlane: ref, error: failure("interrupted", 503, "Busy") },
      "delete",
      "interrupted",
    ],
  ];
  for (const [event, operation, outcome] of outcomes) {
    it(`names the operation ${operation} and the outcome ${outcome} (${event.type})`, () => {
      expect(lineOf(event)).to.include({ operation, outcome });
    });
  }

  it("is not written for a control plane that was read and found", () => {
    expect(reportLine({ type: "found", controlPlane: recordedRef, facts }, context)).to.equal(undefined);
  });

  it("says that nothing was sent when a setting is unusable: no attempt, no token, no problem", () => {
    const error = settingsError(safe`no token`);
    const line = lineOf({ type: "failed", purpose: "delete", controlPlane: { id: "edge" }, error });
    expect(line).to.deep.equal({
      ...COMMON,
      startedAt: COMMON.time,
      operation: "delete",
      outcome: "failed",
      controlPlane: { id: "edge" },
      attempts: 0,
      durationMs: 0,
      waitedMs: 0,
      traceIds: [],
      error: { kind: "settings", summary: "no token" },
    });
  });

  it("calls an error of this package's own code internal, and removes secrets from its words", () => {
    const error = new TypeError("Bearer hunter2 is not a function");
    const line = lineOf({ type: "failed", purpose: "delete", controlPlane: recordedRef, error });
    expect(line.error).to.deep.equal({ kind: "internal", summary: "Bearer [removed] is not a function" });
  });

  it("names the whole address, however short the other texts are, because a report tells control planes apart by it", () => {
    const address = `https://gateway.example.com/${"a".repeat(168)}/v2`;
    const long = "制".repeat(5_000);
    const texts = { title: long, type: long, instance: long, detail: long };
    const error = failure("forbidden", 403, "Permission denied", {
      ...texts,
      invalidParameters: [{ field: long, reason: long }],
    });
    const controlPlane = { id: ID, address, name: "制".repeat(256) };
    expect(address).to.have.length(199);
    expect(lineOf({ type: "failed", purpose: "delete", controlPlane, error }).controlPlane).to.include({
      address,
    });
  });

  it("leaves out an address that is too long, because two of them would look alike when they are cut", () => {
    const controlPlane = { id: ID, address: `https://${"a".repeat(190)}/v2` };
    expect(controlPlane.address).to.have.length(201);
    expect(lineOf({ type: "kept", controlPlane }).controlPlane).to.deep.equal({ id: ID });
  });

  it("keeps the newest trace ids when there are many", () => {
    const earlierTraceIds = Array.from({ length: 90 }, (_, n) => safe`konnect:trace:${n}`);
    const { traceIds } = lineOf({
      type: "already gone",
      controlPlane: recordedRef,
      facts: { ...goneFacts, earlierTraceIds },
    });
    expect(traceIds).to.have.length(20);
    expect((traceIds as string[]).slice(-2)).to.deep.equal(["konnect:trace:89", "konnect:trace:404"]);
  });

  it("keeps the times of the last 20 attempts, and has none when there was one attempt", () => {
    const timeline = Array.from({ length: 90 }, (_, n) => ({ atMs: n * 1_000, durationMs: 5, status: 503 }));
    const line = lineOf({
      type: "already gone",
      controlPlane: recordedRef,
      facts: { ...goneFacts, timeline },
    });
    expect(line.timeline).to.have.length(20);
    expect((line.timeline as object[])[0]).to.deep.equal({ atMs: 70_000, durationMs: 5, status: 503 });
    expect(
      lineOf({ type: "already gone", controlPlane: recordedRef, facts: goneFacts }),
    ).not.to.have.property("timeline");
  });

  it("shortens the texts of a problem until it has at most 4,096 bytes, and keeps the facts", () => {
    const long = (text: string) => text.repeat(5_000);
    const error = failure("forbidden", 403, "Permission denied", {
      title: long("制"),
      type: long('"'),
      instance: long("\\"),
      detail: long("é"),
      invalidParameters: Array.from({ length: 500 }, () => ({ field: long("制"), reason: long("制") })),
    });
    Object.assign(error.facts ?? {}, {
      timeline: Array.from({ length: 20 }, () => ({ atMs: 3_600_000, durationMs: 300_000, status: 503 })),
    });
    const controlPlane = { id: ID, address: `https://${"a".repeat(192)}`, name: "制".repeat(256) };
    const line = reportLine({ type: "failed", purpose: "delete", controlPlane, error }, context);
    expect(Buffer.byteLength(`${line ?? ""}\n`)).to.be.at.most(4_096);
    expect(flawsOfLine(line ?? "")).to.deep.equal([]);
    const { problem, status, controlPlane: written } = JSON.parse(line ?? "") as Record<string, object>;
    expect(status).to.equal(403);
    expect(written).to.include({ name: "制".repeat(256) });
    expect(problem)
      .to.have.property("detail")
      .that.matches(/^é+… \(\d+ more characters\)$/);
  });
});
