import { status } from "@grpc/grpc-js";
import { expect } from "chai";
import { waitFor } from "../../tools/waiting.js";
import { problem } from "../../emulator/index.js";
import { failureOf, HostProcess, type Properties, PROVIDER } from "./spawned-host.js";
import { describePlane, idOf, type Scene, setScene, TOKEN } from "./host-scene.js";

const DENIED = problem(403, { detail: "The role-set of [sa-ci] does not allow this action." });
const STACK_TRACE = /^\s+at .+:\d+/m;

describe("a failure in Pulumi's dynamic-provider process", function () {
  this.timeout(20_000);
  let scene: Scene;

  /** Several tests share this process. */
  let host: HostProcess;

  before(async () => {
    scene = await setScene({ planes: 12 });
    host = await scene.start({ env: { KONNECT_MAX_ATTEMPTS: "1" } });
  });
  beforeEach(() => {
    scene.emulator.reset();
    host.stderr = "";
  });
  after(() => scene.end());

  it("reaches the engine as a complete message, and the console as one short line", async () => {
    scene.emulator.script({ id: idOf(1) }, { status: 403, body: DENIED });
    const { code, details } = await failureOf(scene.delete(host, 1));
    expect(code).to.equal(status.UNKNOWN);
    const trace = scene.emulator.requests[0]?.traceId;
    expect(details.replace(/ in \d+\.\d s$/m, " in … s").split("\n")).to.deep.equal([
      `403 Permission denied: ${describePlane(1)} was not deleted`,
      "  The role-set of [sa-ci] does not allow this action.",
      "",
      `  request   DELETE ${scene.emulator.baseUrl}/control-planes/${idOf(1)}`,
      `  trace     konnect:trace:${trace}`,
      "  type      https://kongapi.info/konnect/unauthorized",
      "  attempts  1 in … s",
      "  token     system account token from KONNECT_SPAT",
      "  state     the control plane still exists",
      "  next      give the system account the Admin role on this control plane, then run again",
    ]);
    expect(host.stderr).to.equal(`${describePlane(1)}: 403 Permission denied\n`);
    expect(host.stdout).to.equal("");
  });

  it("has the gRPC status UNKNOWN, whatever the service answered", async () => {
    const faults = [
      ...[301, 400, 401, 403, 409, 418, 429, 500, 502, 503, 504].map((code) => ({ status: code })),
      { reset: "before" as const },
    ];
    const failures = await Promise.all(
      faults.map((fault, index) => {
        scene.emulator.script({ id: idOf(index + 1) }, fault);
        return failureOf(scene.delete(host, index + 1));
      }),
    );
    expect(failures.map(({ code }) => code)).to.deep.equal(faults.map(() => status.UNKNOWN));
    for (const [index, { details }] of failures.entries()) {
      expect(details.split("\n")[0]).to.contain(`: ${describePlane(index + 1)} `);
    }
    // The last line may still be on its way.
    await waitFor(() => host.stderr.trimEnd().split("\n").length >= faults.length, {
      what: "a line for each",
    });
    expect(host.stderr.trimEnd().split("\n")).to.have.lengthOf(faults.length);
    expect(host.stderr).not.to.match(STACK_TRACE);
  });

  it("comes without a request when the state is not as it was recorded", async () => {
    const { baseUrl } = scene.emulator;
    const address = (text: unknown): [string, Properties] => [
      idOf(1),
      { __provider: PROVIDER, baseUrl: text } as Properties,
    ];
    const id = (text: string): [string, Properties] => [text, scene.stored(1)];
    const states = [
      [idOf(1), { __provider: PROVIDER }] as [string, Properties],
      ...[42, null, true, [], {}, "", "nonsense", "//", "/v2", "https://", "file:///v2"].map(address),
      ...[`${baseUrl}?x=1`, `${baseUrl}#x`, "http://service.example/v2", "ftp://127.0.0.1/v2"].map(address),
      address(baseUrl.replace("//", "//somebody:pa55word@")),
      ...["", "edge", "..", "../..", `${idOf(1)}/..`, ` ${idOf(1)}`, `${idOf(1)}?force`].map(id),
      ...["x".repeat(100_000), "<{%nonsense%}>\u001b[31m\n::error::", "%2e%2e"].map(id),
    ];
    const failures = await Promise.all(
      states.map(([id, properties]) => failureOf(host.delete(id, properties))),
    );
    for (const [index, { code, details }] of failures.entries()) {
      const state = JSON.stringify(states[index]).slice(0, 200);
      expect(code, state).to.equal(status.UNKNOWN);
      expect(details, state).to.match(/^.+ was left alone: the state's .+\n {2}Nothing was sent\./);
      expect(details.length, state).to.be.lessThan(600);
    }
    expect(scene.emulator.requests).to.deep.equal([]);
    expect(scene.emulator.controlPlanes.size).to.equal(12);
    // eslint-disable-next-line no-control-regex -- what must not be printed
    expect(host.transcript).not.to.match(/pa55word|<\{%|\u001b|^::/m);
    expect(host.stderr).not.to.match(STACK_TRACE);
    // The last line may still be on its way.
    await waitFor(() => host.stderr.trimEnd().split("\n").length >= states.length, {
      what: "a line for each",
    });
    expect(host.stderr.trimEnd().split("\n")).to.have.lengthOf(states.length);
  });

  it("shows where an internal error happened only with KONNECT_DEBUG=1", async () => {
    const failIn = async (env: NodeJS.ProcessEnv) => {
      const unconfigured = await HostProcess.start({ env: { KONNECT_SPAT: TOKEN, ...env } });
      try {
        // The host's own configuration object throws before it is configured. No code of ours expects that.
        const { code, details } = await failureOf(scene.delete(unconfigured, 1));
        expect(code).to.equal(status.UNKNOWN);
        expect(details).to.match(/^Internal error: .+\n.+please report it\.$/);
      } finally {
        await unconfigured.end();
      }
      return unconfigured.stderr;
    };
    const [plain, debugged] = await Promise.all([failIn({}), failIn({ KONNECT_DEBUG: "1" })]);
    expect(plain).to.match(/^pulumi-konnect-control-planes: internal error: .+\n$/);
    expect(debugged)
      .to.match(/^ {4}at .*dynamic\/\S+\.[jt]s:\d+/m)
      .and.to.contain(plain);
  });

  it("never shows the token, with KONNECT_DEBUG=1 or without, even when the service repeats it", async () => {
    const settings = { KONNECT_MAX_ATTEMPTS: "2", KONNECT_REQUEST_TIMEOUT_SECONDS: "1" };
    const hosts = await Promise.all(
      ["0", "1"].map((debug) => scene.start({ env: { ...settings, KONNECT_DEBUG: debug } })),
    );
    const echo = { detail: `Bearer ${TOKEN} is not allowed`, title: TOKEN, instance: TOKEN, type: TOKEN };
    const faults = [
      { status: 401 },
      { status: 403, body: { status: 403, ...echo } },
      { status: 503, body: { status: 503, ...echo } },
      { status: 400, body: { status: 400, ...echo, invalid_parameters: [{ field: TOKEN, reason: TOKEN }] } },
      { status: 404, body: `<html>Authorization: Bearer ${TOKEN}</html>` },
      { status: 302, headers: { location: `http://127.0.0.1:1/${TOKEN}` } },
      { hang: true as const },
      { raw: `${TOKEN}\r\n\r\n` },
      { reset: "before" as const },
    ];
    for (const [index, fault] of faults.entries()) {
      scene.emulator.script({ id: idOf(index + 1) }, { ...fault, times: Infinity });
    }
    scene.emulator.script({ id: idOf(12) }, { status: 403, body: { status: 403, ...echo }, times: 2 });
    const calls = hosts.flatMap((each) => [
      failureOf(each.read(idOf(12), scene.stored(12))),
      ...faults.map((_, index) => failureOf(scene.delete(each, index + 1))),
    ]);
    await Promise.all(calls);
    for (const [index, { transcript, stderr }] of hosts.entries()) {
      expect(transcript).to.contain("Its text is withheld, because it repeats the token.");
      expect(transcript).not.to.contain("SENTINEL");
      expect(STACK_TRACE.test(stderr)).to.equal(index === 1);
    }
  });
});
