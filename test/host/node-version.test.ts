import { expect } from "chai";
import { failureOf } from "./spawned-host.js";
import { type Scene, setScene } from "./host-scene.js";

describe("Pulumi's dynamic-provider process under a Node that cannot require an ES module", () => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await setScene({ planes: 1 });
  });
  afterEach(() => scene.end());

  it("answers every call with the versions of Node that it needs, and deletes nothing", async () => {
    const host = await scene.start({ env: { NODE_OPTIONS: "--no-experimental-require-module" } });
    for (const call of [1, 2]) {
      const { details } = await failureOf(scene.delete(host, 1));
      expect(details, `call ${call}`).to.match(
        /^Node\.js \d+\.\d+\.\d+ is too old: Node\.js 20\.19\+, 22\.12\+ or 24\+ is required\n/,
      );
      expect(details).to.match(/^ {2}next +/m);
    }
    expect(host.stderr).not.to.match(/^\s+at /m);
    expect(scene.emulator.requests).to.deep.equal([]);
  });
});
