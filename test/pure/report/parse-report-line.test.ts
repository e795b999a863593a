import { expect } from "chai";
import { parseReportLine } from "../../../provider/report/parse-report-line.js";
import { dangerIn } from "../../dangerous-text.js";
import { lineText } from "./report-lines.js";

const changed = (change: Record<string, unknown>) => lineText({ ...change });

describe("a line of a report file that is read", () => {
  it("is read with all its members", () => {
    const text = lineText({ resource: "urn:x", problem: { status: 403, title: "No" } });
    expect(parseReportLine(text)).to.deep.equal({ ok: true, line: JSON.parse(text) as unknown });
  });

  it("may have members that this release does not know", () => {
    const parsed = parseReportLine(changed({ shoeSize: 44 }));
    expect(parsed.ok && parsed.line)
      .to.be.an("object")
      .that.does.not.have.property("shoeSize");
  });

  it("may be exactly as long as 64 KiB", () => {
    const rest = changed({ shoeSize: "" }).length;
    expect(parseReportLine(changed({ shoeSize: "x".repeat(64 * 1024 - rest) })).ok).to.equal(true);
    expect(parseReportLine(changed({ shoeSize: "x".repeat(64 * 1024 - rest + 1) })).ok).to.equal(false);
  });

  it("has at most a hundred trace ids and invalid parameters, and none that is of another type", () => {
    const traceIds = [7, ...Array.from({ length: 200 }, (_, n) => `konnect:trace:${n}`)];
    const reasons = Array.from({ length: 200 }, (_, n) => ({ reason: `reason ${n}` }));
    const parsed = parseReportLine(changed({ traceIds, problem: { invalidParameters: reasons } }));
    expect(parsed.ok && parsed.line.traceIds).to.deep.equal(traceIds.slice(1, 100));
    expect(parsed.ok && parsed.line.problem).to.deep.equal({ invalidParameters: reasons.slice(0, 100) });
  });

  it("has the invalid parameters that have a reason, with their field where it is known", () => {
    const named = { field: "name", reason: "too long (rule max_length, maximum 256)" };
    const unnamed = { reason: "unknown" };
    const invalidParameters = [named, 7, { field: "labels" }, unnamed, { field: 7, reason: "unknown" }];
    const parsed = parseReportLine(changed({ problem: { title: "Bad Request", invalidParameters } }));
    expect(parsed.ok && parsed.line.problem).to.deep.equal({
      title: "Bad Request",
      invalidParameters: [named, unnamed, unnamed],
    });
  });

  it("has an error only with its kind and its summary, and with the next step where it is known", () => {
    const errors: readonly (readonly [error: object, parsed: object | undefined])[] = [
      [
        { kind: "forbidden", summary: "403 No" },
        { kind: "forbidden", summary: "403 No" },
      ],
      [
        { kind: "new", summary: "403 No", next: "wait" },
        { kind: "new", summary: "403 No", next: "wait" },
      ],
      [
        { kind: "conflict", summary: "409", findings: ["It is a group.", 7] },
        { kind: "conflict", summary: "409", findings: ["It is a group."] },
      ],
      [
        { kind: "conflict", summary: "409", findings: "It is a group." },
        { kind: "conflict", summary: "409" },
      ],
      [{ kind: "forbidden" }, undefined],
      [{ summary: "403 No" }, undefined],
    ];
    for (const [error, expected] of errors) {
      const parsed = parseReportLine(changed({ error }));
      expect(parsed.ok && parsed.line.error).to.deep.equal(expected);
    }
  });

  it("has the members that were removed, each with an id, and their number", () => {
    const removed: readonly (readonly [removed: unknown, parsed: object | undefined])[] = [
      [
        { count: 9, members: [{ id: "a", name: "one" }, { id: "b", name: 7 }, { name: "c" }, 7] },
        { count: 9, members: [{ id: "a", name: "one" }, { id: "b" }] },
      ],
      [{ count: 1 }, { count: 1, members: [] }],
      [{ count: 0, members: [] }, undefined],
      [{ count: "1", members: [] }, undefined],
      [[], undefined],
    ];
    for (const [membersRemoved, expected] of removed) {
      const parsed = parseReportLine(changed({ membersRemoved }));
      expect(parsed.ok && parsed.line.membersRemoved).to.deep.equal(expected);
    }
  });

  const whole = lineText({});
  const skipped: readonly (readonly [what: string, text: string, reason: string])[] = [
    ["that was cut off", whole.slice(0, 80), "torn"],
    ["that was cut off before its last character", whole.slice(0, -1), "torn"],
    ["that was cut off after its first character", "{", "torn"],
    ["that was cut off in its first member", '{"schemaV', "torn"],
    ["that begins in the middle", whole.slice(40), "torn"],
    ["that two processes wrote into each other", `${whole.slice(0, 60)}${whole}`, "torn"],
    ["that a crash filled with zeros", "\u0000".repeat(200), "torn"],
    ["with bytes that are no UTF-8", "failed\ufffd", "torn"],
    ["of a log", "Updating (dev):", "foreign"],
    ["of a log with a text in quotation marks, which may be a part of a line", 'npm warn "x"', "torn"],
    ["that is JSON of another program", '{"level":"info"}', "foreign"],
    ["that is no object", "[1]", "foreign"],
    ["that is a list of texts, which may be a part of a line", '["schemaVersion"]', "torn"],
    ["that is null", "null", "foreign"],
    ["with a version that is no number", changed({ schemaVersion: "1" }), "torn"],
    ["with a version that is null", changed({ schemaVersion: null }), "torn"],
    ["with a version of no release", changed({ schemaVersion: 0 }), "torn"],
    ["of a newer version", changed({ schemaVersion: 2 }), "newer"],
    ["of a newer version without what this one needs", '{"schemaVersion":3}', "newer"],
    ["with an outcome that this release does not know", changed({ outcome: "archived" }), "newer"],
    ["with an operation that this release does not know", changed({ operation: "pause" }), "newer"],
    ["with an outcome that is a member of every object", changed({ outcome: "constructor" }), "newer"],
    ["without an outcome", changed({ outcome: undefined }), "torn"],
    ["with an operation that is no text", changed({ operation: 7 }), "torn"],
    ["with a run that is no text", changed({ runId: 7 }), "torn"],
    ["without its start", changed({ startedAt: undefined }), "torn"],
    ["with a time in a list", changed({ time: ["2026-01-01T00:00:00Z"] }), "torn"],
    ["with a time in words", changed({ time: "January 1, 2026" }), "torn"],
    ["with endless attempts", whole.replace('"attempts":1', '"attempts":1e999'), "torn"],
    ["without a control plane", changed({ controlPlane: undefined }), "torn"],
    ["with an id that is no text", changed({ controlPlane: { id: 7 } }), "torn"],
    ["with a time that is none", changed({ time: "yesterday" }), "torn"],
    ["with a time that does not exist", changed({ time: "2026-13-45T00:00:00Z" }), "torn"],
    ["with attempts that are no number", changed({ attempts: "1" }), "torn"],
    ["with a negative duration", changed({ durationMs: -1 }), "torn"],
    ["with half an attempt", changed({ attempts: 0.5 }), "torn"],
    ["without a list of trace ids", changed({ traceIds: "konnect:trace:1" }), "torn"],
    ["of more than 64 KiB", changed({ shoeSize: "x".repeat(64 * 1024) }), "torn"],
    ["of a log with more than 64 KiB", "x".repeat(65 * 1024), "foreign"],
  ];
  for (const [what, text, reason] of skipped) {
    it(`is skipped as ${reason}: a line ${what}`, () => {
      expect(parseReportLine(text)).to.deep.equal({ ok: false, reason });
    });
  }

  it("is made safe, because any program may have written it", () => {
    const evil = "\u001b[2J::error::x";
    const parsed = parseReportLine(
      changed({
        runId: evil,
        controlPlane: { id: evil, name: evil, address: evil },
        traceIds: [evil, 7],
        tokenSource: evil,
        problem: { title: evil, detail: evil, invalidParameters: [{ field: evil, reason: evil }, 7] },
        error: { kind: evil, summary: evil, next: evil },
      }),
    );
    const line = parsed.ok ? JSON.stringify(parsed.line, undefined, 1) : "";
    expect(dangerIn(line.replaceAll("\n", "")), line).to.equal(undefined);
    expect(parsed.ok && parsed.line.controlPlane.name).to.equal("\\u001b[2J::error::x");
  });

  it("has the times of its attempts, without entries that have none", () => {
    const first = { atMs: 0, durationMs: 20, status: 503 };
    const entries = [
      first,
      7,
      { atMs: -1, durationMs: 2 },
      { atMs: 3 },
      { atMs: 0.5, durationMs: 1 },
      { atMs: 9, durationMs: 1, status: "x" },
    ];
    const parsed = parseReportLine(changed({ timeline: entries }));
    expect(parsed.ok && parsed.line.timeline).to.deep.equal([first, { atMs: 9, durationMs: 1 }]);
    for (const timeline of [[], {}, "0", [null]]) {
      const without = parseReportLine(changed({ timeline }));
      expect(without.ok && without.line).not.to.have.property("timeline");
    }
  });

  it("has its address only when that is whole, because two that were cut can look alike", () => {
    const addressOf = (address: string) => {
      const parsed = parseReportLine(changed({ controlPlane: { id: "x", address } }));
      return parsed.ok && parsed.line.controlPlane.address;
    };
    expect(addressOf(`https://${"a".repeat(189)}/v2`)).to.have.length(200);
    expect(addressOf(`https://${"a".repeat(192)}… (9 more characters)`)).to.equal(undefined);
    expect(addressOf("a".repeat(2_000))).to.equal(undefined);
  });

  it("reads the last hundred attempts of a line, however many it has", () => {
    const timeline = Array.from({ length: 500 }, (_, n) => ({ atMs: n, durationMs: 1 }));
    const parsed = parseReportLine(changed({ timeline }));
    expect(parsed.ok && parsed.line.timeline).to.have.length(100);
    expect(parsed.ok && parsed.line.timeline?.at(-1)).to.deep.equal({ atMs: 499, durationMs: 1 });
  });

  it("leaves out optional members that are of another type", () => {
    const parsed = parseReportLine(
      changed({ status: "403", problem: { status: {}, title: 7, invalidParameters: {} }, error: "no" }),
    );
    expect(parsed.ok && parsed.line).to.deep.include({ problem: {} });
    expect(parsed.ok && parsed.line).not.to.have.any.keys("status", "error");
  });

  it("names an id in lower case, and a time in UTC", () => {
    const id = "9524EC7D-36D9-465D-A8C5-83A3C9390458";
    const parsed = parseReportLine(changed({ controlPlane: { id }, time: "2026-01-01T02:00:00+02:00" }));
    expect(parsed.ok && [parsed.line.controlPlane.id, parsed.line.time]).to.deep.equal([
      id.toLowerCase(),
      "2026-01-01T00:00:00.000Z",
    ]);
  });
});
