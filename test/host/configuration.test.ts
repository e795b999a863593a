import { expect } from "chai";
import { failureOf, PROVIDER, secret } from "./spawned-host.js";
import { idOf, type Scene, setScene, TOKEN } from "./host-scene.js";

const CALLS = Array.from({ length: 50 }, (_, index) => index + 1);

describe("the stack configuration in Pulumi's dynamic-provider process", function () {
  this.timeout(20_000);
  let scene: Scene;

  beforeEach(async () => {
    scene = await setScene({ planes: CALLS.length });
  });
  afterEach(() => scene.end());

  const inputs = (n: number) => ({ __provider: PROVIDER, controlPlaneId: idOf(n) });

  it("is used by fifty first calls that come at once, and wins over the environment", async () => {
    const host = await scene.start({ env: { KONNECT_SPAT: "spat_other", KONNECT_SERVER_URL: undefined } });
    await host.configure({ "konnect:token": secret(TOKEN), "konnect:baseUrl": scene.emulator.baseUrl });
    await Promise.all(
      CALLS.map(async (n) => {
        host.resource = `plane-${n}`;
        if (n % 3 === 0) await host.create(inputs(n));
        else if (n % 3 === 1) await host.read(idOf(n), scene.stored(n));
        else await scene.delete(host, n);
      }),
    );
    expect(scene.emulator.requests).to.have.lengthOf(CALLS.length);
    expect(new Set(scene.emulator.requests.map(({ role }) => role))).to.have.all.keys("sa-ci");
  });

  it("may be empty, and then the environment is used", async () => {
    const host = await scene.start();
    await Promise.all(CALLS.map((n) => scene.delete(host, n)));
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });

  it("fails every call with the same message when it is unusable, also the second time", async () => {
    // Each run has a process of its own, because a run does not delete what its program declares.
    const [host, preview] = await Promise.all([scene.start(), scene.start()]);
    for (const each of [host, preview]) {
      await each.configure({ "konnect:token": secret(`${TOKEN}\n${TOKEN}`), "konnect:maxAttempts": "many" });
    }
    const limit = 'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"';
    for (const time of ["first", "second"]) {
      const [failures, checks] = await Promise.all([
        Promise.all(CALLS.map((n) => failureOf(scene.delete(host, n)))),
        Promise.all(CALLS.map((n) => preview.check({ ...inputs(n), region: "eu" }))),
      ]);
      for (const { code, details } of failures) {
        const [first] = details.split("\n");
        expect(code, time).to.equal(2);
        expect(first?.replace(/"plane-\d+" \([0-9a-f-]{36}\)/, "<name and id>"), time).to.equal(
          `control plane <name and id> was not deleted: ${limit}`,
        );
      }
      const reasons = checks.map((checked) => checked.failures.map(({ reason }) => reason).join("\n"));
      expect(new Set(reasons), time).to.have.keys(
        `${limit}\nstack configuration konnect:token contains white space or a line break; it must hold the token alone, without "Bearer"`,
      );
    }
    expect(scene.emulator.requests).to.deep.equal([]);
  });
});
