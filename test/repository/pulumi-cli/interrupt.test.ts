import { expect } from "chai";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startCommand } from "../../../tools/commands.js";
import { waitFor } from "../../../tools/waiting.js";
import { FakeMachine, goThat } from "./fake-machine.js";

describe("a search for the Pulumi CLI that is stopped", () => {
  let machine: FakeMachine;
  beforeEach(() => (machine = new FakeMachine()));
  afterEach(() => machine.remove());

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`ends by ${signal}, stops the build and leaves no folder in the cache`, async () => {
      const started = join(machine.root, "started");
      // The grandchild holds the build's output open. The search can end before half a minute only if that ends, too.
      const grandchild = `/bin/sh -c 'echo > ${started}; exec /bin/sleep 30'; true`;
      machine.install({ go: goThat(`echo half > "$file"; ${grandchild}`) });
      const search = startCommand(
        process.execPath,
        ["--import=tsx", join(__dirname, "interrupted-search.ts")],
        { env: machine.env },
      );
      await waitFor(() => existsSync(started), {
        what: "the start of the build",
        timeoutMs: 8_000,
        soFar: () => search.output,
      });
      search.kill(signal);
      expect((await search.result).signal).to.equal(signal);
      expect(machine.cached()).to.deep.equal([]);
    });
  }
});
