import { expect } from "chai";
import type { SeedControlPlane } from "../../../../emulator/index.js";
import { id, other, RunningEmulator } from "../running-emulator.js";

const HOUR_MS = 3_600_000;

describe("a seed of the emulator", () => {
  const running = new RunningEmulator();

  it("sets the time of creation in UTC with milliseconds", () => {
    const { created_at, updated_at } = running.emulator.add({
      name: "old",
      createdAt: "2026-01-05T12:00:00+02:00",
    });
    expect([created_at, updated_at]).to.deep.equal(["2026-01-05T10:00:00.000Z", "2026-01-05T10:00:00.000Z"]);
  });

  const ages: readonly (readonly [age: string, hours: number])[] = [
    ["36h", 36],
    ["7d", 168],
    ["2w", 336],
    ["0h", 0],
  ];
  for (const [age, hours] of ages) {
    it(`sets the time of creation to ${hours} hours ago with the age ${age}`, () => {
      const nowMs = Date.now();
      const { created_at } = running.emulator.add({ name: "old", age });
      expect(Date.parse(created_at)).to.be.within(nowMs - hours * HOUR_MS, nowMs - hours * HOUR_MS + 5_000);
    });
  }

  it("sets the type and whether it is a cloud gateway", () => {
    const { config } = running.emulator.add({
      name: "cloud",
      clusterType: "CLUSTER_TYPE_SERVERLESS",
      cloudGateway: true,
    });
    expect(config).to.include({ cluster_type: "CLUSTER_TYPE_SERVERLESS", cloud_gateway: true });
  });

  const mistakes: readonly (readonly [seed: Partial<SeedControlPlane>, message: string])[] = [
    [
      { age: "7 days" },
      'The age of a control plane must be hours, days or weeks, such as 36h, 7d or 2w, not "7 days".',
    ],
    [
      { age: "-1d" },
      'The age of a control plane must be hours, days or weeks, such as 36h, 7d or 2w, not "-1d".',
    ],
    [
      { createdAt: "2026-01-05" },
      'The createdAt of a control plane must be a time such as 2026-01-05T10:00:00Z, not "2026-01-05".',
    ],
    [
      { createdAt: "2026-13-05T10:00:00Z" },
      'The createdAt of a control plane must be a time such as 2026-01-05T10:00:00Z, not "2026-13-05T10:00:00Z".',
    ],
    [
      { createdAt: "2026-02-30T10:00:00Z" },
      'The createdAt of a control plane must be a time such as 2026-01-05T10:00:00Z, not "2026-02-30T10:00:00Z".',
    ],
    [
      { createdAt: "2026-01-05T10:00:00Z", age: "1d" },
      "A control plane has either createdAt or age, not both.",
    ],
    [
      { nodes: [{ hostname: "dp-1", lastPingSecondsAgo: -1 }] },
      "The lastPingSecondsAgo of a node must be a whole number from 0, not -1.",
    ],
    [{ entities: { routes: 1.5 } }, "The number of routes must be a whole number from 0, not 1.5."],
  ];
  for (const [seed, message] of mistakes) {
    it(`is refused, and nothing is added, with: ${message}`, () => {
      expect(() => running.emulator.add({ id: other, name: "x", ...seed })).to.throw(RangeError, message);
      expect(running.emulator.controlPlanes.has(other)).to.be.false;
    });
  }
});

describe("a change of a control plane in the emulator", () => {
  const running = new RunningEmulator();

  it("replaces the labels as a whole, keeps the rest, and sets the time of the change", () => {
    running.emulator.add({ id: other, name: "old", age: "7d", labels: { env: "preview", team: "payments" } });
    const before = running.emulator.controlPlanes.get(other)!;
    const after = running.emulator.change(other, { labels: { env: "production" } });
    expect(running.emulator.controlPlanes.get(other)).to.equal(after);
    expect(after).to.deep.equal({
      ...before,
      labels: { env: "production" },
      updated_at: after.updated_at,
    });
    expect(after.updated_at > before.updated_at).to.be.true;
  });

  it("is refused for a control plane that does not exist", () => {
    running.emulator.remove(id);
    expect(() => running.emulator.change(id, { labels: {} })).to.throw(
      RangeError,
      `No control plane has the id ${id}.`,
    );
  });

  it("changes nothing when it is not valid", () => {
    expect(() => running.emulator.change(id, { labels: { a: "b" }, entities: { routes: -1 } })).to.throw(
      RangeError,
      "The number of routes must be a whole number from 0, not -1.",
    );
    expect(running.emulator.controlPlanes.get(id)?.labels).to.deep.equal({});
  });
});
