import { expect } from "chai";
import { diagnosticsOf, idOf, sceneForEachTest, sharedScene, TOKEN } from "./scene.js";

describe("pulumi up of control planes that exist already", function () {
  this.timeout(120_000);
  const scene = sceneForEachTest({ planes: 12 });

  it("reads each one once, writes nothing, records little, and has nothing to do the second time", async () => {
    const { emulator, stack, declare, adopt, pulumi } = scene();
    const one = { controlPlaneId: idOf(1) };
    const named = (from: number, nameOf: (n: number) => string) =>
      Object.fromEntries(
        Array.from({ length: 5 }, (_, n) => [nameOf(n + 10), { controlPlaneId: idOf(from + n) }]),
      );
    const short = named(3, (n) => `cp-${n}`);
    const long = named(8, (n) => `${"x".repeat(38)}${n}`);
    declare({ one, two: { controlPlaneId: idOf(2).toUpperCase() }, ...short, ...long });
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    const ids = Array.from({ length: 12 }, (_, n) => idOf(n + 1));
    expect(emulator.requests.map(({ method, id }) => `${method} ${id}`)).to.have.members(
      ids.map((id) => `GET ${id}`),
    );
    const real = await stack.state();
    expect(real.resources.map(({ id }) => id)).to.have.members(ids);
    // At most 1,300 bytes with a resource name of 40 characters, and 1,150 with a short one.
    const [ofLong, ofShort] = [bytesOf(Object.keys(long), real.text), bytesOf(Object.keys(short), real.text)];
    console.log(`      ${ofLong} and ${ofShort} bytes`);
    expect(ofLong).to.be.within(600, 1_300);
    expect(ofShort).to.be.within(600, 1_150);

    const again = await pulumi("up --yes --skip-preview --expect-no-changes");
    expect(again.exitCode, again.output).to.equal(0);

    // The state that other tests take for adopted is the same.
    await adopt({ one });
    const written = await stack.state();
    const isOne = (urn: string) => urn.endsWith("::one");
    expect(written.urns.filter(isOne)).to.deep.equal(real.urns.filter(isOne));
    const { created, modified, provider, sourcePosition, stackTrace, ...rest } = {
      ...real.resources.find(({ urn }) => isOne(urn)),
    } as Record<string, unknown>;
    expect([created, modified, provider]).not.to.include(undefined);
    expect(sourcePosition === undefined).to.equal(stackTrace === undefined);
    expect(written.resources.find(({ urn }) => isOne(urn))).to.deep.include(rest);
  });

  it("refuses an id that the service does not know, and adopts what it may not read, with the problem's detail", async () => {
    const { emulator, stack, declare, pulumi } = scene();
    emulator.grant(TOKEN, { name: "sa-ci", deny: { read: [idOf(1)] } });
    declare({ mistyped: { controlPlaneId: idOf(404) }, unread: { controlPlaneId: idOf(1) } });
    const { exitCode, output } = await pulumi("up --yes --skip-preview --continue-on-error");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("mistyped", output);
    expect(text.split("\n")[0]).to.equal(`error: 404 Not Found: control plane ${idOf(404)} was not adopted`);
    expect(text).to.contain("correct the id or the address");
    expect(output).to.match(
      new RegExp(
        `adopted without reading: control plane ${idOf(1)}: 403 Permission denied; .* not checked\\. The role-set of \\[sa-ci\\] .* \\(konnect:trace:\\d+\\)`,
      ),
    );
    const { resources } = await stack.state();
    expect(resources.map(({ id }) => id)).to.deep.equal([idOf(1)]);
    expect(resources[0]!.outputs.lastProblem).to.include({ status: 403, title: "Permission denied" });
    const destroy = await pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(emulator.controlPlanes.has(idOf(1))).to.equal(false);
  });
});

/** Returns how many bytes of a state file each of some resources takes. */
function bytesOf(names: readonly string[], text: string): number {
  const state = JSON.parse(text) as {
    readonly checkpoint: { readonly latest: { resources: readonly { readonly urn: string }[] } };
  };
  const sizeNow = () => JSON.stringify(state).length;
  const before = sizeNow();
  expect(before, "the layout of the file").to.be.within(text.length - 10, text.length + 10);
  const { latest } = state.checkpoint;
  latest.resources = latest.resources.filter(({ urn }) => !names.includes(urn.split("::").at(-1) ?? ""));
  return (before - sizeNow()) / names.length;
}

describe("pulumi preview of unusable arguments and settings", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 1 });
  const id = idOf(1);

  // What is refused, and in which words, is tested without the CLI: test/pure/hooks/check.test.ts.

  it("names everything that is wrong in the words of invalid_parameters, and repeats no token and no password", async () => {
    const { declare, emulator, pulumi } = scene();
    const baseUrl = "https://me:hidden@example.com";
    declare({ edge: { controlPlaneId: `${id}/../x?force=1`, baseUrl, labels: {}, color: "red" } });
    // A token that is broken by a line break.
    const env = { KONNECT_MAX_ATTEMPTS: "many", KONNECT_SPAT: `${TOKEN}\nnext` };
    const { exitCode, output } = await pulumi("preview", env);
    expect(exitCode, output).to.equal(1);
    expect(emulator.requests, "requests").to.deep.equal([]);
    expect(output).to.match(
      /property controlPlaneId value \{.*\} has a problem: must be a UUID.*\(rule is_uuid\)/,
    );
    expect(output).to.match(/color should not exist; allowed are .*\(rule unknown_property\)/);
    expect(output).to.contain("labels cannot be set together with controlPlaneId");
    expect(output).to.contain('KONNECT_MAX_ATTEMPTS must be a whole number from 1 to 100, not "many"');
    expect(output).to.contain("baseUrl must not contain user information").and.not.to.contain("hidden");
    expect(output).to.contain("KONNECT_SPAT contains white space or a line break");
  });

  it("says in one line that an argument wins over an address in the environment", async () => {
    const { declare, pulumi } = scene();
    declare({ edge: { controlPlaneId: id, region: "eu" }, other: { controlPlaneId: idOf(2), region: "eu" } });
    const { exitCode, output } = await pulumi("preview", { KONNECT_SERVER_URL: "http://127.0.0.1:1" });
    expect(exitCode, output).to.equal(0);
    const line =
      "KONNECT_SERVER_URL (http://127.0.0.1:1/v2) is not used: the argument region wins, and requests go to https://eu.api.konghq.com/v2";
    expect(output.split("\n").filter((printed) => printed.trim() === line)).to.have.length(1);
  });
});
