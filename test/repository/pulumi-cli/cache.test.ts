import { expect } from "chai";
import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { verifyEntry } from "../../../tools/pulumi-cli/cache/manifest.js";
import { thisUser } from "../../../tools/pulumi-cli/cache/ownership.js";
import { CLI_VERSION } from "../../../tools/pulumi-cli/versions.js";
import { FakeMachine, FakeMaker } from "./fake-machine.js";

describe("the cache of the Pulumi CLI", () => {
  let machine: FakeMachine;
  /** The `bin` folder of a cache entry that was just made. */
  let binDir: string;

  beforeEach(async () => {
    machine = new FakeMachine();
    ({ binDir } = await machine.find([machine.workingMaker()]));
    machine.lines.length = 0;
  });
  afterEach(() => machine.remove());

  /** Expects that the entry is refused for a reason, and that a new one takes its place and is accepted. */
  const expectToReplace = async (reason: RegExp) => {
    const maker = machine.workingMaker();
    expect(await machine.find([maker])).to.include({ source: "download", binDir });
    expect(machine.lines[0]).to.match(/^Pulumi CLI: not using the one in the cache: /);
    expect(machine.lines[0]).to.match(reason);
    expect(await machine.find([])).to.include({ source: "cache", binDir });
    expect(machine.cached()).to.have.length(1);
  };

  it("holds the version that the CLI printed when it was put there", async () => {
    expect(await machine.find([])).to.include({ source: "cache", version: CLI_VERSION });
    expect(machine.lines).to.deep.equal([]);
  });

  it("is not trusted when an executable has changed, even if that prints the same version", async () => {
    appendFileSync(join(binDir, "pulumi"), "# one line more\n");
    await expectToReplace(/bin\/pulumi is not what was put there: its checksum differs$/);
  });

  it("is not trusted when a companion has changed, which no look-up runs", async () => {
    appendFileSync(join(binDir, "pulumi-language-nodejs"), "# one line more\n");
    await expectToReplace(/pulumi-language-nodejs is not what was put there/);
  });

  it("is not trusted when an executable was added, which the CLI would take for a plugin", async () => {
    writeFileSync(join(binDir, "pulumi-resource-other"), "#!/bin/sh\n", { mode: 0o755 });
    await expectToReplace(/pulumi-resource-other is not what was put there/);
  });

  it("is not trusted when a file is missing", async () => {
    rmSync(join(binDir, "pulumi-language-nodejs"));
    await expectToReplace(/pulumi-language-nodejs is missing$/);
  });

  it("is not trusted without a manifest, or with a malformed one", async () => {
    const manifest = join(dirname(binDir), "manifest.json");
    rmSync(manifest);
    await expectToReplace(/manifest\.json is missing$/);
    for (const text of ["", "null", "{}", '{ "version": 1 }']) {
      machine.lines.length = 0;
      writeFileSync(manifest, text);
      await expectToReplace(/manifest\.json is malformed$/);
    }
  });

  it("is not trusted when a link stands in place of a file, since its target can change", async () => {
    const aside = join(machine.root, "aside");
    renameSync(join(binDir, "pulumi"), aside);
    symlinkSync(aside, join(binDir, "pulumi"));
    await expectToReplace(/bin\/pulumi is no file$/);
  });

  if (process.platform !== "win32") {
    for (const [what, mode] of [
      ["bin/pulumi", 0o775],
      ["bin/pulumi-language-nodejs", 0o757],
      ["bin", 0o777],
      ["manifest.json", 0o664],
      [".", 0o775],
    ] as const) {
      it(`is not trusted when others may write to ${what} of an entry`, async () => {
        chmodSync(join(dirname(binDir), what), mode);
        await expectToReplace(
          new RegExp(`is not safe: other users may write to it \\(mode ${mode.toString(8)}\\)$`),
        );
      });
    }

    it("is refused as a whole when others may write to its folder", async () => {
      chmodSync(machine.cache, 0o777);
      const maker = machine.workingMaker();
      expect(await machine.failureOf([maker])).to.equal(
        `Pulumi CLI: the cache folder ${machine.cache} is not safe: other users may write to it (mode 777).\n` +
          "Delete it, or take the right to write away from others (chmod go-w), or set PULUMI_CLI_CACHE to another folder.",
      );
      expect(maker.calls).to.equal(0);
    });

    it("is refused as a whole when others may put another folder in its place", async () => {
      chmodSync(dirname(machine.cache), 0o777);
      expect(await machine.failureOf([machine.workingMaker()])).to.contain(
        "is not safe: other users may write to the folder that it is in (mode 777)",
      );
      chmodSync(dirname(machine.cache), 0o1777);
      expect(await machine.find([machine.workingMaker()])).to.include({ source: "cache" });
    });

    it("is refused as a whole when another user owns its folder", async () => {
      const user = Number(thisUser()) + 1;
      const maker = machine.workingMaker();
      expect(await machine.failureOf([maker], { user })).to.contain(
        `is not safe: it belongs to another user (uid ${thisUser()}, not ${user})`,
      );
      expect(maker.calls).to.equal(0);
    });

    it("does not trust an entry that another user owns", async () => {
      const failure = await verifyEntry(dirname(binDir), Number(thisUser()) + 1).catch(
        (error: unknown) => error,
      );
      expect((failure as Error).message).to.contain("it belongs to another user");
      expect(await verifyEntry(dirname(binDir), thisUser())).to.equal(CLI_VERSION);
    });

    it("can be used by who lets a group write to all new files", async () => {
      const before = process.umask(0o002);
      try {
        rmSync(machine.cache, { recursive: true });
        const maker = new FakeMaker((staging) => {
          machine.installPulumi(CLI_VERSION, join(staging, "bin"));
          chmodSync(join(staging, "bin/pulumi"), 0o775);
        });
        await machine.find([maker]);
        expect(await machine.find([])).to.include({ source: "cache" });
      } finally {
        process.umask(before);
      }
    });
  }
});
