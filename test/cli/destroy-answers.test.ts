import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { problem } from "../../emulator/index.js";
import type { CommandResult, StoredResource } from "../../tools/local-stack/index.js";
import { startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";
import { diagnosticsOf, idOf, planeText, sharedScene, TOKEN } from "./scene.js";

const COMMAND_LINE = path.join(ROOT, "provider/bin/pulumi-konnect-control-planes.mjs");

const PLANES = {
  deleted: 1,
  unavailable: 2,
  gone: 3,
  foreign: 4,
  invalid: 5,
  forbidden: 6,
  failing: 7,
  reset: 8,
  lost: 9,
  limited: 10,
  redirected: 11,
  unproven: 12,
} as const;

const SHAPES = [
  { field: "id", reason: "invalid format", rule: "is_uuid" },
  { field: "name", reason: "too short", rule: "min_length", minimum: 2 },
  { field: "name", reason: "too long", rule: "max_length", maximum: 256, source: "body" },
  { field: "cluster_type", reason: "not a choice", rule: "enum", choices: ["A", "B"] },
  { field: "auth_type", reason: "needs others", rule: "dependent_fields", dependents: ["cert"] },
];

/** One destroy of a stack in which every control plane meets another answer. */
describe("pulumi destroy of a stack in which every control plane meets another answer", () => {
  let run: CommandResult;
  let left: readonly StoredResource[];
  let pending: number;

  const requests = (name: keyof typeof PLANES) => scene().emulator.requestsFor(idOf(PLANES[name]), "DELETE");
  const message = (name: keyof typeof PLANES) => diagnosticsOf(name, run.output);
  const kept = (name: keyof typeof PLANES) => left.some(({ id }) => id === idOf(PLANES[name]));
  const exists = (name: keyof typeof PLANES) => scene().emulator.controlPlanes.has(idOf(PLANES[name]));

  const scene = sharedScene(
    { planes: Object.keys(PLANES).length },
    async ({ emulator, adopt, pulumi, stack }) => {
      const planes = Object.entries(PLANES).map(([name, n]) => [name, { controlPlaneId: idOf(n) }] as const);
      await adopt(Object.fromEntries(planes));
      const script = (name: keyof typeof PLANES, ...faults: Parameters<typeof emulator.script>[1][]) =>
        emulator.script({ method: "DELETE", id: idOf(PLANES[name]) }, ...faults);
      script("unavailable", { status: 503, times: 2 });
      emulator.remove(idOf(PLANES.gone));
      script("foreign", {
        status: 404,
        headers: { "content-type": "text/html" },
        body: "<h1>nginx: not here</h1>",
      });
      script("invalid", { status: 400, body: problem(400, { invalid_parameters: SHAPES }) });
      script("forbidden", { status: 403 });
      script("failing", { status: 500 });
      script("reset", { reset: "before" });
      script("lost", { reset: "after" });
      script("limited", {
        status: 429,
        headers: { "retry-after": "1" },
        body: { message: "API rate limit exceeded" },
      });
      script("redirected", { status: 302, headers: { location: "http://127.0.0.1:1/elsewhere" } });
      script("unproven", { status: 200, body: { captive: true } });
      run = await pulumi("destroy --yes --skip-preview --continue-on-error", {
        KONNECT_REPORT_FILE: "first.jsonl",
      });
      ({ resources: left, pending } = await stack.state());
    },
  );

  it("ends with exit code 1 and no pending operation, since some control planes were not deleted", () => {
    expect(run.exitCode).to.equal(1);
    expect(pending).to.equal(0);
  });

  it("deletes a control plane with one request and says nothing of it", () => {
    expect(requests("deleted").map(({ status }) => status)).to.deep.equal([204]);
    expect(exists("deleted")).to.equal(false);
    expect(kept("deleted")).to.equal(false);
    expect(run.output).not.to.contain(planeText(PLANES.deleted));
  });

  it("repeats after 503 and says so while it waits", () => {
    expect(requests("unavailable").map(({ status }) => status)).to.deep.equal([503, 503, 204]);
    expect(run.output).to.match(
      new RegExp(
        `503, retry 2 of 10 in [\\d.]+ s: "plane-2" \\(9524ec7d…\\) Service Unavailable \\(konnect:trace:\\d+\\)`,
      ),
    );
    expect(kept("unavailable")).to.equal(false);
  });

  it("takes the service's own 404 for success, in one line with address, trace and token source", () => {
    expect(requests("gone")).to.have.length(1);
    expect(kept("gone")).to.equal(false);
    expect(run.output).to.match(
      new RegExp(
        `already gone: control plane "plane-3" \\(${idOf(3)}\\): 404 from http://\\S+/v2, konnect:trace:\\d+, .*KONNECT_SPAT`,
      ),
    );
  });

  it("refuses a 404 that is not from the service, and keeps the resource", () => {
    expect(requests("foreign")).to.have.length(1);
    expect(kept("foreign")).to.equal(true);
    expect(message("foreign")).to.match(
      /^error: 404 Not Found, not from the service: control plane "plane-4" \S+ was not deleted\n/,
    );
    expect(message("foreign")).to.contain("did not come from the service").and.to.contain("nginx: not here");
  });

  it("lists every invalid parameter of a 400, in all five shapes", () => {
    expect(requests("invalid")).to.have.length(1);
    expect(kept("invalid")).to.equal(true);
    expect(message("invalid"))
      .to.contain("id            invalid format (rule is_uuid)")
      .and.to.contain("name          too short (rule min_length, minimum 2)")
      .and.to.contain("name          too long (rule max_length, maximum 256, in body)")
      .and.to.contain("cluster_type  not a choice (rule enum, one of A, B)")
      .and.to.contain("auth_type     needs others (rule dependent_fields, together with cert)");
  });

  it("explains a 403 with detail, request, trace, token source, state and next step", () => {
    expect(requests("forbidden")).to.have.length(1);
    expect(kept("forbidden")).to.equal(true);
    const text = message("forbidden");
    expect(text.split("\n")[0]).to.equal(`error: 403 Permission denied: ${planeText(6)} was not deleted`);
    expect(text).to.match(/request {3}DELETE http:\/\/\S+\/v2\/control-planes\//);
    expect(text).to.match(/trace {5}konnect:trace:\d+/);
    expect(text).to.contain("token     system account token from KONNECT_SPAT");
    expect(text).to.contain("state     the control plane still exists");
    expect(text).to.contain("Admin role");
  });

  it("does not repeat a 500", () => {
    expect(requests("failing").map(({ status }) => status)).to.deep.equal([500]);
    expect(message("failing")).to.contain("500 Internal Server Error");
    expect(kept("failing")).to.equal(true);
  });

  it("repeats after a connection that was reset", () => {
    expect(requests("reset").map(({ status }) => status)).to.deep.equal([undefined, 204]);
    expect(kept("reset")).to.equal(false);
  });

  it("knows that a deletion whose answer was lost had worked", () => {
    expect(requests("lost").map(({ status }) => status)).to.deep.equal([undefined, 404]);
    expect(kept("lost")).to.equal(false);
    expect(run.output).not.to.contain(`already gone: ${planeText(PLANES.lost)}`);
    expect(run.output).to.contain(
      `deleted, and confirmed by a 404: ${planeText(PLANES.lost)}: 404 from http://`,
    );
  });

  it("waits as long as Retry-After says", () => {
    const [first, second] = requests("limited");
    expect(second!.atMs - first!.atMs).to.be.at.least(990);
    expect(kept("limited")).to.equal(false);
  });

  it("follows no redirect", () => {
    expect(requests("redirected")).to.have.length(1);
    expect(message("redirected")).to.contain("302 Found").and.to.contain("Redirects are not followed");
    expect(kept("redirected")).to.equal(true);
  });

  it("counts only 204 as a deletion, and reads the control plane after any other 2xx", () => {
    expect(
      scene()
        .emulator.requestsFor(idOf(12))
        .map(({ method, status }) => `${method} ${status}`),
    ).to.deep.equal(["DELETE 200", "GET 200"]);
    expect(kept("unproven")).to.equal(true);
    expect(message("unproven").split("\n")[0]).to.equal(
      `error: 200 OK, but it still exists: ${planeText(12)} was not deleted`,
    );
  });

  it("names the control plane in the line that the host adds", () => {
    expect(run.output).to.contain(`${planeText(PLANES.forbidden)}: 403 Permission denied\n`);
  });

  it("leaves a report file, and a report of both runs shows that the next destroy deleted the rest", async () => {
    const { stack, pulumi } = scene();
    const report = (...args: readonly string[]) =>
      startCommand(process.execPath, [COMMAND_LINE, "report", ...args], { cwd: stack.folder, env: {} })
        .result;

    const first = await report("first.jsonl");
    expect(first.exitCode, first.output).to.equal(1);
    expect(first.stdout).to.contain("12 control planes: 5 deleted, 1 already gone, 6 failed\n");
    expect(first.stdout).to.match(new RegExp(`^ {2}plane-6 +${idOf(6)} {2}failed`, "m"));
    expect(first.stdout).to.contain("next      give the system account the Admin role on this control plane");

    const env = { KONNECT_REPORT_FILE: "second.jsonl" };
    const again = await pulumi("destroy --yes --skip-preview", env);
    expect(again.exitCode, again.output).to.equal(0);
    const printed = await Promise.all(
      ["text", "json", "markdown", "junit"].map((format) =>
        report("first.jsonl", "second.jsonl", "--format", format),
      ),
    );
    for (const { exitCode, output } of printed) expect(exitCode, output).to.equal(0);
    expect(printed[0]?.stdout).to.contain("12 control planes: 11 deleted, 1 already gone\n2 runs, from ");
    const files = ["first.jsonl", "second.jsonl"].map((file) =>
      readFileSync(path.join(stack.folder, file), "utf8"),
    );
    for (const text of [...files, first.output, ...printed.map(({ output }) => output)]) {
      expect(text).not.to.contain(TOKEN);
    }
  }).timeout(60_000);
});
