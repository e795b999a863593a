import { statSync } from "node:fs";
import { expect } from "chai";
import { diagnosticsOf, idOf, sceneForEachTest, sharedScene, TOKEN } from "./scene.js";

describe("pulumi up of control planes that exist already", function () {
  this.timeout(120_000);
  const scene = sceneForEachTest({ planes: 11 });

  it("reads each one once, writes nothing, and has nothing to do the second time", async () => {
    const { emulator, stack, declare, adopt, pulumi } = scene();
    const one = { controlPlaneId: idOf(1) };
    declare({ one, two: { controlPlaneId: idOf(2).toUpperCase() } });
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(emulator.requests.map(({ method, id }) => `${method} ${id}`)).to.have.members([
      `GET ${idOf(1)}`,
      `GET ${idOf(2)}`,
    ]);
    const real = await stack.state();
    expect(real.resources.map(({ id }) => id)).to.have.members([idOf(1), idOf(2)]);

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

  it("refuses an id that the service does not know, so that a destroy cannot take it for deleted", async () => {
    const { stack, declare, pulumi } = scene();
    declare({ mistyped: { controlPlaneId: idOf(404) } });
    const { exitCode, output } = await pulumi("up --yes --skip-preview");
    expect(exitCode).to.equal(1);
    const text = diagnosticsOf("mistyped", output);
    expect(text.split("\n")[0]).to.equal(`error: 404 Not Found: control plane ${idOf(404)} was not adopted`);
    expect(text).to.contain("correct the id or the address");
    expect((await stack.state()).resources).to.deep.equal([]);
  });

  it("adopts a control plane that the token may delete but not read, and warns with the problem's detail", async () => {
    const { emulator, stack, declare, pulumi } = scene();
    emulator.grant(TOKEN, { name: "sa-ci", read: false });
    declare({ unread: { controlPlaneId: idOf(1) } });
    const up = await pulumi("up --yes --skip-preview");
    expect(up.exitCode, up.output).to.equal(0);
    expect(up.output).to.match(
      new RegExp(
        `adopted without reading: control plane ${idOf(1)}: 403 Permission denied; .* not checked\\. The role-set of \\[sa-ci\\] .* \\(konnect:trace:\\d+\\)`,
      ),
    );
    const [resource] = (await stack.state()).resources;
    expect(resource!.outputs.lastProblem).to.include({ status: 403, title: "Permission denied" });
    const destroy = await pulumi("destroy --yes --skip-preview");
    expect(destroy.exitCode, destroy.output).to.equal(0);
    expect(emulator.controlPlanes.has(idOf(1))).to.equal(false);
  });

  it("takes at most 1,300 bytes of state with a resource name of 40 characters, and 1,150 with a short one", async () => {
    const { stack, declare, pulumi } = scene();
    const planes: Record<string, { readonly controlPlaneId: string }> = {};
    const bytesFor = async (count: number, nameOf: (n: number) => string) => {
      for (let n = 0; n < count; n++) {
        planes[nameOf(n + 10)] = { controlPlaneId: idOf(Object.keys(planes).length + 1) };
      }
      declare(planes);
      const up = await pulumi("up --yes --skip-preview");
      expect(up.exitCode, up.output).to.equal(0);
      return statSync(stack.stateFile).size;
    };
    const one = await bytesFor(1, () => "first");
    const withShort = await bytesFor(5, (n) => `cp-${n}`);
    const withLong = await bytesFor(5, (n) => `${"x".repeat(38)}${n}`);
    console.log(`      ${(withLong - withShort) / 5} and ${(withShort - one) / 5} bytes`);
    expect((withLong - withShort) / 5).to.be.at.most(1_300);
    expect((withShort - one) / 5).to.be.at.most(1_150);
  });
});

describe("pulumi preview of unusable arguments and settings", function () {
  this.timeout(120_000);
  const scene = sharedScene({ planes: 1 });
  const id = idOf(1);

  const preview = async (args: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) => {
    scene().declare({ edge: args });
    const { exitCode, output } = await scene().pulumi("preview", env);
    expect(exitCode, output).to.equal(1);
    expect(scene().emulator.requests, "requests").to.deep.equal([]);
    return output;
  };

  // What is refused, and in which words, is tested without the CLI: test/pure/hooks/check.test.ts.

  it("names everything that is wrong, and what is allowed, in the words of invalid_parameters", async () => {
    const output = await preview(
      { controlPlaneId: `${id}/../x?force=1`, region: "EU", labels: {}, color: "red" },
      { KONNECT_MAX_ATTEMPTS: "many" },
    );
    expect(output).to.match(
      /property controlPlaneId value \{.*\} has a problem: must be a UUID.*\(rule is_uuid\)/,
    );
    expect(output).to.contain('is not a known region; did you mean "eu"? (rule enum, one of us, eu, au');
    expect(output).to.match(/color should not exist; allowed are .*\(rule unknown_property\)/);
    expect(output).to.contain("labels cannot be set together with controlPlaneId");
    expect(output).to.contain('KONNECT_MAX_ATTEMPTS must be a whole number from 1 to 100, not "many"');
  });

  it("repeats neither a token that is broken by a line break nor the password in an address", async () => {
    const output = await preview(
      { controlPlaneId: id, baseUrl: "https://me:hidden@example.com" },
      { KONNECT_SPAT: `${TOKEN}\nnext` },
    );
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
