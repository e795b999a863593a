import { expect } from "chai";
import { join } from "node:path";
import { goBuild } from "../../../tools/pulumi-cli/makers/go-build.js";
import { release } from "../../../tools/pulumi-cli/makers/release.js";
import { CLI_VERSION } from "../../../tools/pulumi-cli/versions.js";
import { FakeMachine, goThat, WRITE_BINARY } from "./fake-machine.js";

const SECRETS = {
  KONNECT_SPAT: "spat_secret",
  KONNECT_TOKEN_FILE: "/spat_secret",
  PULUMI_ACCESS_TOKEN: "pul_secret",
  PULUMI_CONFIG_PASSPHRASE: "pass_secret",
  PULUMI_CONFIG_PASSPHRASE_FILE: "/pass_secret",
};

describe("the environment of what the search for the Pulumi CLI starts", () => {
  let machine: FakeMachine;
  let noteEnvironment: string;

  beforeEach(() => {
    machine = new FakeMachine();
    Object.assign(machine.env, SECRETS, { HTTPS_PROXY: "http://proxy.test" });
    noteEnvironment = `/usr/bin/env >> ${join(machine.root, "environment")}`;
  });
  afterEach(() => machine.remove());

  const expectNoSecrets = () => {
    const environment = machine.read("environment");
    expect(environment).to.contain("HTTPS_PROXY=http://proxy.test").and.not.to.contain("secret");
  };

  it("holds no secrets when a CLI on PATH is tried", async () => {
    machine.installPulumi("3.200.0");
    machine.install({ pulumi: `#!/bin/sh\n${noteEnvironment}\necho v3.200.0\n` });
    await machine.find([]);
    expectNoSecrets();
  });

  it("holds no secrets when a release is downloaded", async () => {
    machine.install({ curl: `#!/bin/sh\n${noteEnvironment}\nexit 1\n`, tar: "#!/bin/sh\n" });
    await machine.failureOf([release]);
    expectNoSecrets();
  });

  it("holds no secrets when a CLI is built with Go and tried", async () => {
    const binary = `printf '#!/bin/sh\\n${noteEnvironment}\\necho v${CLI_VERSION}\\n' > "$file"; /bin/chmod +x "$file"`;
    machine.install({ go: goThat(`${noteEnvironment}; ${WRITE_BINARY}; ${binary}`) });
    await machine.find([goBuild]);
    expectNoSecrets();
  });
});
