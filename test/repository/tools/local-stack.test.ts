import { expect } from "chai";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createLocalStack,
  type LocalStack,
  type LocalStackOptions,
} from "../../../tools/local-stack/index.js";
import { waitForOutput } from "../../../tools/waiting.js";

describe("a local stack", () => {
  let folder: string;
  let stack: LocalStack;

  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "local-stack-"))));
  afterEach(() => {
    stack.remove();
    rmSync(folder, { recursive: true });
  });

  /** Creates a stack for which a script stands in for `pulumi`. */
  const createWith = (pulumi: string, options: Partial<LocalStackOptions> = {}) => {
    writeFileSync(path.join(folder, "pulumi"), `#!/bin/sh\n${pulumi}\n`);
    chmodSync(path.join(folder, "pulumi"), 0o755);
    const env = { PATH: `${folder}${path.delimiter}${process.env.PATH ?? ""}`, ...options.env };
    stack = createLocalStack({ program: { "Pulumi.yaml": "name: scene\n" }, ...options, env });
    return stack;
  };

  it("keeps backend and home in its own folder, and takes nothing from the user's Pulumi and Konnect", () => {
    const { env } = createWith("", {
      env: { KONNECT_SPAT: "secret", PULUMI_ACCESS_TOKEN: "secret", PULUMI_HOME: "/secret" },
    });
    const root = path.dirname(stack.folder);
    expect(env).to.deep.include({
      PULUMI_BACKEND_URL: `file://${root}/backend`,
      PULUMI_HOME: `${root}/home`,
      PULUMI_STACK: "dev",
      PULUMI_CONFIG_PASSPHRASE: "",
    });
    expect(JSON.stringify(env)).not.to.contain("secret");
  });

  it("copies the program without what was installed, built or configured", () => {
    const program = path.join(folder, "program");
    for (const file of ["Pulumi.yaml", "Pulumi.dev.yaml", "index.ts", "node_modules/x", "dist/x", "lib/x"]) {
      mkdirSync(path.dirname(path.join(program, file)), { recursive: true });
      writeFileSync(path.join(program, file), "name: scene\n");
    }
    createWith("", { program });
    expect(readdirSync(stack.folder).sort()).to.deep.equal(["Pulumi.yaml", "index.ts", "lib"]);
  });

  it("runs pulumi in the program's folder, with the settings of the call", async () => {
    const { exitCode, stdout } = await createWith('pwd; echo "$1 $SETTING"; exit 3').run(["up"], {
      SETTING: "on",
    });
    expect([exitCode, stdout]).to.deep.equal([3, `${stack.folder}\nup on\n`]);
  });

  it("stops pulumi at its time limit", async () => {
    const { result } = createWith("exec sleep 30", { timeoutMs: 200 }).start(["up"]);
    const message = await result.catch((error: unknown) => (error as Error).message);
    expect(message).to.equal("no end after 0.2 s");
  });

  it("keeps Ctrl-C in the terminal from pulumi when it passes the stop on itself", async () => {
    const printGroup = "ps -o pgid= -p $$";
    const { stdout: shared } = await createWith(printGroup).run([]);
    stack.remove();
    const { stdout: own } = await createWith(printGroup, { signal: new AbortController().signal }).run([]);
    expect(own.trim()).to.match(/^\d+$/).and.not.to.equal(shared.trim());
  });

  it("ends what still runs when it is removed", async () => {
    const command = createWith("echo begun; exec sleep 30").start(["up"]);
    await waitForOutput(command, "begun");
    stack.remove();
    expect((await command.result).signal).to.equal("SIGKILL");
    expect(existsSync(path.dirname(stack.folder))).to.equal(false);
  });
});
