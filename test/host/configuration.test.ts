import { expect } from "chai";
import { failureOf, type HostProcess, PROVIDER, secret } from "./host-process.js";
import { idOf, type Scene, setScene, TOKEN } from "./scene.js";

const CALLS = Array.from({ length: 50 }, (_, index) => index + 1);

describe("the stack configuration in Pulumi's dynamic-provider process", function () {
  this.timeout(20_000);
  let scene: Scene;

  beforeEach(async () => {
    scene = await setScene({ planes: CALLS.length });
  });
  afterEach(() => scene.end());

  /** A host that has nothing from its environment. */
  const unset = { KONNECT_SPAT: undefined, KONNECT_SERVER_URL: undefined };
  const inputs = (n: number) => ({ __provider: PROVIDER, controlPlaneId: idOf(n) });

  it("is seen by all of fifty first calls that come at once", async () => {
    const host = await scene.start({ env: unset });
    await host.configure({ "konnect:token": secret(TOKEN), "konnect:baseUrl": scene.emulator.baseUrl });
    await Promise.all(
      CALLS.map(async (n) => {
        if (n % 3 === 0) await host.create(inputs(n));
        else if (n % 3 === 1) await host.read(idOf(n), scene.stored(n));
        else await scene.delete(host, n);
      }),
    );
    expect(scene.emulator.requests).to.have.lengthOf(CALLS.length);
    expect(new Set(scene.emulator.requests.map(({ role }) => role))).to.have.all.keys("sa-ci");
  });

  it("goes before the environment", async () => {
    const host = await scene.start({ env: { KONNECT_SPAT: "spat_of_another_organisation" } });
    await host.configure({ "konnect:token": secret(TOKEN) });
    await scene.delete(host, 1);
    expect(scene.emulator.requests.map(({ role }) => role)).to.deep.equal(["sa-ci"]);
  });

  it("leaves everything to the environment when it is empty", async () => {
    const host = await scene.start();
    await Promise.all(CALLS.map((n) => scene.delete(host, n)));
    expect(scene.emulator.controlPlanes.size).to.equal(0);
  });

  it("fails every call with the same message, the second time too, when its token is unusable", async () => {
    const host = await scene.start();
    await host.configure({ "konnect:token": secret(`${TOKEN}\n${TOKEN}`) });
    const messages = async () => {
      const failures = await Promise.all(CALLS.map((n) => failureOf(scene.delete(host, n))));
      return new Set(failures.map(({ code, details }) => `${code} ${details}`));
    };
    const first = await messages();
    expect([...first]).to.deep.equal([
      "2 stack configuration konnect:token contains white space or a line break; it must be the bare token",
    ]);
    expect(await messages()).to.deep.equal(first);
    expect(scene.emulator.requests).to.deep.equal([]);
  });

  it("says at each check what is wrong with it, the second time too", async () => {
    const host = await scene.start();
    await host.configure({ "konnect:maxAttempts": "many" });
    const reasons = async (process: HostProcess) => {
      const checks = await Promise.all(CALLS.map((n) => process.check(inputs(n))));
      return new Set(checks.flatMap(({ failures }) => failures.map(({ reason }) => reason)));
    };
    const first = await reasons(host);
    expect([...first]).to.deep.equal([
      'stack configuration konnect:maxAttempts must be a whole number from 1 to 100, not "many"',
    ]);
    expect(await reasons(host)).to.deep.equal(first);
  });

  it("names all four places of a token when there is none", async () => {
    const host = await scene.start({ env: unset });
    const { details } = await failureOf(scene.delete(host, 1));
    for (const place of ["KONNECT_SPAT", "KONNECT_TOKEN", "KONNECT_TOKEN_FILE", "konnect:token"]) {
      expect(details).to.contain(place);
    }
  });
});
