import { existsSync } from "node:fs";
import { expect } from "chai";
import { destroyControlPlanes, renderReport } from "../../../provider/automation/index.js";
import { DENIED, lineAbout } from "../report/report-lines.js";
import { flawsOfReport } from "../report/report-schemas.js";
import { type FakeDestroy, fakeStack, idOf, planeResource } from "./fake-stack.js";

const PULUMI_FAILED = new Error("Pulumi's own error");
const failed = () => Promise.reject(PULUMI_FAILED);
const holding =
  (...numbers: readonly number[]) =>
  () => ({ resources: numbers.map((n) => planeResource(n)) });
const unreadable = () => {
  throw new Error("the backend does not answer");
};

const rejectionOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("destroyControlPlanes", () => {
  it("resolves with a complete report when every control plane was reported gone", async () => {
    const stack = fakeStack({
      states: [holding(1, 2), holding()],
      destroy: ({ report }) => report(lineAbout(1, 1, "deleted"), lineAbout(2, 2, "already-gone")),
    });
    const report = await destroyControlPlanes(stack);
    expect(report).to.deep.include({ isComplete: true, left: [], totals: { deleted: 1, "already-gone": 1 } });
    expect(report.files[0]?.name).to.equal("stack nightly");
    expect(flawsOfReport(JSON.stringify(report))).to.deep.equal([]);
  });

  it("is not complete while a creation is pending, because a control plane may exist that the state does not have", async () => {
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const urn = `urn:pulumi:nightly::cleanup::${type}::edge`;
    const pending = { type: "creating", resource: { urn, type, inputs: { name: "edge-eu" } } };
    for (const states of [
      [holding(1), () => ({ pending_operations: [pending] })],
      [() => ({ resources: [planeResource(1)], pending_operations: [pending] }), unreadable],
    ]) {
      const stack = fakeStack({ states, destroy: ({ report }) => report(lineAbout(1, 1, "deleted")) });
      const report = await destroyControlPlanes(stack);
      expect(report).to.deep.include({ isComplete: false, totals: { deleted: 1, failed: 1 } });
      expect(report.left.map(({ controlPlane, error }) => [controlPlane.name, error?.kind])).to.deep.equal([
        ["edge-eu", "pending"],
      ]);
      expect(flawsOfReport(JSON.stringify(report))).to.deep.equal([]);
      expect(await renderReport(report)).to.contain("A creation is pending");
    }
  });

  it("is complete while a change is pending that the next destroy clears, or a creation of another kind", async () => {
    const type = "pulumi-nodejs:dynamic/konnect:ControlPlane";
    const pending_operations = [
      { type: "deleting", resource: { urn: "urn:pulumi:a::b::c::d", type } },
      { type: "creating", resource: { urn: "urn:pulumi:a::b::c::d", type: "aws:s3/bucket:Bucket" } },
    ];
    const stack = fakeStack({ states: [() => ({ pending_operations })] });
    expect(await destroyControlPlanes(stack)).to.deep.include({ isComplete: true, left: [] });
  });

  it("is complete when Pulumi has dropped what an earlier run had deleted for a replacement", async () => {
    const stack = fakeStack({
      states: [() => ({ resources: [planeResource(1, { pendingReplacement: true })] }), holding()],
    });
    expect(await destroyControlPlanes(stack)).to.deep.include({ isComplete: true, left: [], totals: {} });
  });

  it("resolves with what is left when Pulumi failed because of control planes", async () => {
    const stack = fakeStack({
      states: [holding(1, 2, 3), holding(2, 3)],
      destroy({ report }) {
        report(lineAbout(1, 1, "deleted"), lineAbout(2, 2, "failed", DENIED));
        return failed();
      },
    });
    const report = await destroyControlPlanes(stack);
    expect(report.isComplete).to.equal(false);
    expect(report.left.map(({ controlPlane, error }) => [controlPlane.id, error?.summary])).to.deep.equal([
      [idOf(2), "403 Permission denied"],
      [idOf(3), "No deletion was reported"],
    ]);
    expect(flawsOfReport(JSON.stringify(report))).to.deep.equal([]);
  });

  it("is not complete when Pulumi succeeded although the state still holds control planes", async () => {
    const report = await destroyControlPlanes(fakeStack({ states: [holding(1, 2), holding(1, 2)] }));
    expect(report).to.deep.include({ isComplete: false, totals: { failed: 2 } });
  });

  it("counts what the state held before as left when the state cannot be read afterwards", async () => {
    const stack = fakeStack({
      states: [holding(1, 2), unreadable],
      destroy: ({ report }) => report(lineAbout(1, 1, "deleted")),
    });
    const { isComplete, left } = await destroyControlPlanes(stack);
    expect(isComplete).to.equal(false);
    expect(left.map(({ controlPlane, error }) => [controlPlane.id, error?.summary])).to.deep.equal([
      [idOf(2), "No deletion was reported"],
    ]);
  });

  it("rejects with Pulumi's error when Pulumi failed before it tried a control plane", async () => {
    const stack = fakeStack({ states: [holding(1)], destroy: failed });
    expect(await rejectionOf(destroyControlPlanes(stack))).to.equal(PULUMI_FAILED);
  });

  it("rejects with Pulumi's error when it failed for something else, and all control planes are gone", async () => {
    const stack = fakeStack({
      states: [holding(1), holding()],
      destroy({ report }) {
        report(lineAbout(1, 1, "deleted"));
        return failed();
      },
    });
    expect(await rejectionOf(destroyControlPlanes(stack))).to.equal(PULUMI_FAILED);
  });

  it("rejects with Pulumi's error, and destroys nothing, when the state cannot be read", async () => {
    let destroys = 0;
    const stack = fakeStack({ states: [unreadable], destroy: () => void (destroys += 1) });
    expect(String(await rejectionOf(destroyControlPlanes(stack)))).to.contain("the backend does not answer");
    expect(destroys).to.equal(0);
  });

  it("resolves with a report after an abort, also when Pulumi failed", async () => {
    for (const ending of [() => undefined, failed]) {
      const stop = new AbortController();
      const stack = fakeStack({
        states: [holding(1, 2), holding(2)],
        destroy({ report, sendEvent, options }) {
          report(lineAbout(1, 1, "deleted"));
          stop.abort();
          sendEvent();
          expect(options.signal?.aborted).to.equal(true);
          return ending();
        },
      });
      const { isComplete, totals } = await destroyControlPlanes(stack, { signal: stop.signal });
      expect([isComplete, totals]).to.deep.equal([false, { deleted: 1, interrupted: 1 }]);
    }
  });

  it("resolves with a report after an abort, also when Pulumi failed before it tried a control plane", async () => {
    const stop = new AbortController();
    const destroy = () => {
      stop.abort();
      return failed();
    };
    const stack = fakeStack({ states: [holding(1, 2)], destroy });
    const { isComplete, totals } = await destroyControlPlanes(stack, { signal: stop.signal });
    expect([isComplete, totals]).to.deep.equal([false, { interrupted: 2 }]);
  });

  it("says of what was not tried that it was interrupted, also when the run was stopped without the signal", async () => {
    const stack = fakeStack({
      states: [holding(1, 2)],
      destroy({ report }) {
        report(lineAbout(1, 1, "interrupted"));
        return failed();
      },
    });
    expect((await destroyControlPlanes(stack)).totals).to.deep.equal({ interrupted: 2 });
  });

  it("rejects with the signal's reason, and destroys nothing, when the signal aborts before the destroy", async () => {
    const reason = new Error("not tonight");
    let [reads, destroys] = [0, 0];
    for (const abortsWhen of ["called", "reading the state"]) {
      const stop = new AbortController();
      if (abortsWhen === "called") stop.abort(reason);
      const state = () => {
        reads += 1;
        stop.abort(reason);
        return holding(1)();
      };
      const stack = fakeStack({ states: [state], destroy: () => void (destroys += 1) });
      expect(await rejectionOf(destroyControlPlanes(stack, { signal: stop.signal }))).to.equal(reason);
    }
    expect([reads, destroys]).to.deep.equal([1, 0]);
  });

  it("calls onOutcome with each parsed line before it resolves, and with nothing else", async () => {
    const outcomes: string[] = [];
    const stack = fakeStack({
      states: [holding(1, 2, 3), holding(3)],
      destroy: ({ report }) =>
        report(lineAbout(2, 1, "deleted"), "not a line of this package", lineAbout(1, 2, "deleted")),
    });
    await destroyControlPlanes(stack, {
      onOutcome: ({ outcome, controlPlane }) => outcomes.push(`${outcome} ${controlPlane.name ?? ""}`),
    });
    expect(outcomes).to.deep.equal(["deleted plane-2", "deleted plane-1"]);
  });

  it("ends the destroy before it rejects with what onOutcome throws", async () => {
    const defect = new Error("a defect of the caller");
    let hasEnded = false;
    const stack = fakeStack({
      states: [holding(1)],
      async destroy({ report }) {
        report(lineAbout(1, 1, "deleted"));
        await new Promise((resolve) => setTimeout(resolve, 250));
        hasEnded = true;
      },
    });
    const onOutcome = () => {
      throw defect;
    };
    expect(await rejectionOf(destroyControlPlanes(stack, { onOutcome }))).to.equal(defect);
    expect(hasEnded).to.equal(true);
  });

  it("goes on after a failed deletion unless it is told otherwise, and passes the other options on", async () => {
    const seen: FakeDestroy["options"][] = [];
    const stack = fakeStack({ states: [holding()], destroy: ({ options }) => void seen.push(options) });
    await destroyControlPlanes(stack);
    await destroyControlPlanes(stack, { continueOnError: false, parallel: 2, onOutcome: () => undefined });
    expect(seen.map(({ continueOnError }) => continueOnError)).to.deep.equal([true, false]);
    expect(seen[1]).to.include({ parallel: 2 }).and.not.to.have.property("onOutcome");
  });

  it("leaves the environment of the workspace and of the process as it was, and deletes its file", async () => {
    const environment = { ...process.env };
    const envVars = { KONNECT_REPORT_FILE: "own.jsonl" };
    const files: string[] = [];
    const stack = fakeStack({
      states: [holding()],
      envVars,
      destroy({ envVars: { KONNECT_AUTOMATION_REPORT_FILE: file = "", ...others } }) {
        files.push(file);
        expect([existsSync(file), others]).to.deep.equal([true, envVars]);
        expect(process.env).to.deep.equal(environment);
        if (files.length === 2) return failed();
        return undefined;
      },
    });
    await destroyControlPlanes(stack);
    await rejectionOf(destroyControlPlanes(stack));
    expect(files.map((file) => existsSync(file))).to.deep.equal([false, false]);
    expect(stack.workspace.envVars).to.deep.equal(envVars);
    expect(process.env).to.deep.equal(environment);
  });

  for (const option of ["target", "exclude", "excludeProtected", "previewOnly", "remove"]) {
    it(`refuses the option ${option}, which would change what is destroyed`, async () => {
      const stack = fakeStack({ states: [unreadable] });
      const options = { [option]: true } as object;
      const rejection = await rejectionOf(destroyControlPlanes(stack, options));
      expect(rejection).to.be.instanceOf(TypeError);
      expect(String(rejection)).to.contain(`the option ${option} is not allowed`);
    });
  }

  it("accepts such an option when it is switched off", async () => {
    const options = { remove: false, target: undefined } as object;
    expect(await destroyControlPlanes(fakeStack({ states: [holding()] }), options)).to.include({
      isComplete: true,
    });
  });
});

describe("renderReport", () => {
  it("renders a report as text, or in a format of the command", async () => {
    const report = await destroyControlPlanes(fakeStack({ states: [holding(1)] }));
    expect(await renderReport(report)).to.match(/^1 control plane: 1 failed\n/);
    expect(JSON.parse(await renderReport(report, "json"))).to.deep.equal(report);
    expect(await renderReport(report, "html")).to.match(/^<!doctype html>/i);
  });

  it("refuses an unknown format, and names the known ones", async () => {
    const report = await destroyControlPlanes(fakeStack({ states: [holding()] }));
    const unknown = "yaml" as "text";
    const error: unknown = await renderReport(report, unknown).catch((reason: unknown) => reason);
    expect(error)
      .to.be.an.instanceOf(TypeError)
      .with.property("message", "renderReport: the format must be one of text, json, markdown, junit, html");
  });
});
