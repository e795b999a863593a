import { expect } from "chai";
import { type LockFile, productionTree } from "../production-tree.js";
import { actionsOf, commandsOf, type Job, readRepositoryFile as read, readWorkflow } from "../workflow.js";

interface Manifest {
  readonly version: string;
  readonly scripts: object;
  readonly files: readonly string[];
  readonly workspaces: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

const readManifest = (folder: string) => JSON.parse(read(`${folder}/package.json`)) as Manifest;

const CI = ".github/workflows/ci.yml";
const RELEASE = ".github/workflows/release.yml";
const NIGHTLY = "examples/pipelines/github-nightly.yml";
const CLOSE = "examples/pipelines/github-close.yml";
const WORKFLOWS = [CI, RELEASE, NIGHTLY, CLOSE];

describe("the package", () => {
  const manifest = readManifest("provider");
  const lock = JSON.parse(read("package-lock.json")) as LockFile;
  const tree = productionTree(lock, "provider");

  it("runs no script when it is installed, and neither does anything that it brings along", () => {
    expect(manifest.scripts).to.have.all.keys("prepack");
    expect(tree.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).to.deep.equal([]);
  });

  it("lists what is published", () => {
    expect(manifest.files).to.deep.equal([
      "bin",
      "dist",
      "!dist/**/.tsbuildinfo",
      "schemas",
      "README.md",
      "LICENSE",
    ]);
  });

  it("has two dependencies, each with a reason in docs/decisions", () => {
    expect(manifest.dependencies).to.have.all.keys("axios", "p-retry");
    for (const name of Object.keys(manifest.dependencies)) {
      expect(read("docs/decisions/dependencies.md")).to.contain(`**${name}**`);
    }
  });

  it("brings along only what the lock file pins by its content", () => {
    expect(tree).to.have.length.greaterThan(3);
    for (const { name, integrity } of tree) expect(integrity, name).to.match(/^sha512-/);
  });

  it("is asked for by its exact version in the workspace and in every example", () => {
    const examples = readManifest(".").workspaces.filter((folder) => folder.startsWith("examples/"));
    expect(examples).to.include("examples/adopt-and-destroy");
    for (const folder of [".", ...examples]) {
      const { dependencies } = readManifest(folder);
      expect(dependencies["pulumi-konnect-control-planes"], folder).to.equal(manifest.version);
      expect(dependencies["@pulumi/pulumi"], folder).to.match(/^\d+\.\d+\.\d+$/);
    }
  });

  it("resolves to this workspace, never to a registry", () => {
    expect(lock.packages["node_modules/pulumi-konnect-control-planes"]).to.deep.equal({
      resolved: "provider",
      link: true,
    });
  });
});

describe("the workflows", () => {
  const jobs = WORKFLOWS.flatMap((file) =>
    Object.entries(readWorkflow(file).jobs).map(([name, job]) => ({ place: `${file}, job ${name}`, job })),
  );
  const ci = readWorkflow(CI);

  it("pin every action by its commit and name its version in a comment", () => {
    for (const { place, job } of jobs) {
      for (const action of actionsOf(job)) expect(action, place).to.match(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    }
    for (const file of WORKFLOWS) {
      const lines = read(file)
        .split("\n")
        .filter((line) => line.includes("uses:") && !line.includes("uses: ./"));
      expect(lines, file).to.have.length.greaterThan(2);
      for (const line of lines) expect(line, file).to.match(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  it("use one commit of each action", () => {
    const used = new Set(jobs.flatMap(({ job }) => actionsOf(job)));
    const names = [...used].map((action) => action.split("@")[0]);
    expect(names)
      .to.include("pulumi/actions")
      .and.to.deep.equal([...new Set(names)]);
  });

  it("leave no credentials in a checkout", () => {
    const checkouts = jobs.flatMap(({ place, job }) =>
      (job.steps ?? [])
        .filter(({ uses }) => uses?.startsWith("actions/checkout@"))
        .map((step) => ({ place, inputs: step.with })),
    );
    expect(checkouts).to.have.lengthOf(5);
    for (const { place, inputs } of checkouts) {
      expect(inputs, place).to.include({ "persist-credentials": false });
    }
  });

  it("put no text from outside into a command", () => {
    const commands = jobs.flatMap(({ place, job }) => commandsOf(job).map((command) => ({ place, command })));
    expect(commands.length).to.be.greaterThan(6);
    for (const { place, command } of commands) expect(command, place).not.to.contain("${{");
  });

  it("have the rights that they need, and no more", () => {
    const rights = WORKFLOWS.map((file) => {
      const { permissions, jobs: all } = readWorkflow(file);
      return [
        permissions,
        Object.fromEntries(Object.entries(all).map(([name, job]) => [name, job.permissions])),
      ];
    });
    expect(rights).to.deep.equal([
      [{ contents: "read" }, { test: undefined, audit: undefined }],
      [
        {},
        {
          test: { contents: "read" },
          pack: { contents: "read" },
          publish: { "id-token": "write" },
          announce: { contents: "write" },
        },
      ],
      [{ contents: "read" }, { nightly: undefined }],
      [{ contents: "read" }, { close: undefined }],
    ]);
  });

  it("run all tests on Node 20, 22 and 24, on every change and before a release", () => {
    expect(ci.on).to.include.keys("push", "pull_request", "workflow_call");
    expect(ci.jobs.test?.strategy?.matrix.node).to.deep.equal([20, 22, 24]);
    expect(commandsOf(ci.jobs.test)).to.deep.equal([".ci/run"]);
  });

  it("test the version of Node that .nvmrc names", () => {
    expect(ci.jobs.test?.strategy?.matrix.node).to.include(Number(read(".nvmrc")));
  });

  it("fail on any known advisory, also when nothing has changed", () => {
    expect(ci.on).to.include.keys("schedule");
    expect(commandsOf(ci.jobs.audit)).to.include.members([
      "npm audit --audit-level=low",
      "npm audit signatures",
    ]);
  });
});

describe("the release workflow", () => {
  const { on, jobs } = readWorkflow(RELEASE);
  const compareChecksums = 'echo "$CHECKSUMS" | sha256sum --check --strict';
  const isWriter = ({ permissions = {} }: Job) => Object.values(permissions).includes("write");

  it("starts from a version's tag only, tests first, and knows no secret", () => {
    expect(on).to.deep.equal({ push: { tags: ["v*"] } });
    expect(jobs.test?.uses).to.equal("./.github/workflows/ci.yml");
    expect(jobs.pack?.needs).to.equal("test");
    expect(jobs.publish?.needs).to.equal("pack");
    expect(jobs.announce?.needs).to.deep.equal(["pack", "publish"]);
    expect(read(RELEASE)).not.to.contain("secrets.");
  });

  it("packs in a job that may only read: audited, with the repository named, without install scripts", () => {
    const steps = commandsOf(jobs.pack);
    const [check = "", install, audit, name = "", pack = "", sbom, plugin = "", checksums = ""] = steps;
    expect(steps).to.have.lengthOf(8);
    expect(check)
      .to.contain("./provider/package.json")
      .and.to.match(/= "\$GITHUB_REF_NAME"$/);
    expect(install).to.equal("npm ci --ignore-scripts");
    expect(audit).to.equal("npm audit --omit=dev --audit-level=low");
    expect(name).to.contain('"repository.url=git+https://github.com/$GITHUB_REPOSITORY.git"');
    expect(pack)
      .to.contain("npm pack --workspace=provider")
      .and.to.match(/ release\/package\.tgz$/);
    expect(sbom).to.equal(".ci/sbom release/package.tgz release/sbom.cdx.json");
    expect(plugin.split("\n")).to.include.members(["npm run plugin", "mv build/*.tar.gz release/"]);
    expect(checksums)
      .to.contain("sha256sum package.tgz sbom.cdx.json *.tar.gz;")
      .and.to.contain("$GITHUB_OUTPUT");
    expect(jobs.pack?.outputs).to.deep.equal({ checksums: "${{ steps.checksums.outputs.checksums }}" });
    expect(jobs.pack?.steps?.at(-1)?.with).to.include({ name: "release", path: "release/" });
  });

  it("publishes that tarball with provenance, after comparing its checksum, and runs nothing else", () => {
    expect(commandsOf(jobs.publish)).to.deep.equal([
      compareChecksums,
      "npm publish ./release/package.tgz --provenance --access public --ignore-scripts",
    ]);
  });

  it("attaches the SBOM and the plugin to the release, after comparing its checksum", () => {
    expect(commandsOf(jobs.announce)).to.deep.equal([
      compareChecksums,
      'gh release create "$GITHUB_REF_NAME" --repo "$GITHUB_REPOSITORY" --verify-tag --generate-notes release/sbom.cdx.json release/*.tar.gz',
    ]);
  });

  it("takes the checksums from the job that packed, not from the artifact", () => {
    for (const job of [jobs.publish, jobs.announce]) {
      const step = job?.steps?.find(({ run }) => run === compareChecksums);
      expect(step?.env).to.deep.equal({ CHECKSUMS: "${{ needs.pack.outputs.checksums }}" });
      expect(step?.["working-directory"]).to.equal("release");
      const download = job?.steps?.find(({ uses }) => uses?.startsWith("actions/download-artifact@"));
      expect(download?.with).to.deep.equal({ name: "release", path: "release" });
    }
  });

  it("runs no code of the project or of its dependencies where it may write", () => {
    const writers = Object.entries(jobs).filter(([, job]) => isWriter(job));
    expect(writers.map(([name]) => name)).to.deep.equal(["publish", "announce"]);
    for (const [name, job] of writers) {
      for (const action of actionsOf(job)) expect(action, name).not.to.match(/^actions\/checkout@/);
      for (const command of commandsOf(job)) {
        expect(command, name).not.to.match(/\bnpm (?!publish\b)|\bnpx\b|\bnode\b|\.ci\/|\.sh\b/);
      }
    }
  });
});
