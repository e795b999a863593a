import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { parse } from "yaml";
import { type LockFile, productionTree } from "../production-tree.js";

const read = (file: string) => readFileSync(path.resolve(__dirname, "../..", file), "utf8");

interface Job {
  readonly needs?: string;
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow;
const commands = (job?: Job) => (job?.steps ?? []).flatMap(({ run }) => (run === undefined ? [] : [run]));

describe("the package", () => {
  const manifest = JSON.parse(read("provider/package.json")) as {
    readonly scripts: object;
    readonly files: readonly string[];
    readonly dependencies: object;
  };
  const tree = productionTree(JSON.parse(read("package-lock.json")) as LockFile, "provider");

  it("has no script that runs at an installation, nor has anything that it brings along", () => {
    expect(manifest.scripts).to.have.all.keys("prepack");
    expect(tree.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).to.deep.equal([]);
  });

  it("lists what is published", () => {
    expect(manifest.files).to.deep.equal(["dist", "README.md", "LICENSE"]);
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
});

describe("the workflows", () => {
  const ci = workflow("ci");
  const release = workflow("release");

  it("pin every action by its commit", () => {
    const jobs = [ci, release].flatMap(({ jobs: all }) => Object.values(all));
    const used = jobs.flatMap(({ uses, steps = [] }) => [uses, ...steps.map((step) => step.uses)]);
    const actions = used.filter((name) => name !== undefined && !name.startsWith("./"));
    expect(actions).to.have.length.greaterThan(3);
    for (const action of actions) expect(action).to.match(/@[0-9a-f]{40}$/);
  });

  it("put no text from outside into a command", () => {
    for (const { jobs } of [ci, release]) {
      for (const run of Object.values(jobs).flatMap(commands)) expect(run).not.to.contain("${{");
    }
  });

  it("run all tests on Node 20, 22 and 24, on every change and before a release", () => {
    expect(ci.on).to.include.keys("push", "pull_request", "workflow_call");
    expect(ci.jobs.test?.strategy?.matrix.node).to.deep.equal([20, 22, 24]);
    expect(commands(ci.jobs.test)).to.deep.equal([".ci/run"]);
    expect(release.jobs.test?.uses).to.equal("./.github/workflows/ci.yml");
    expect(release.jobs.publish?.needs).to.equal("test");
    expect(release.jobs.announce?.needs).to.equal("publish");
  });

  it("fail on any known advisory, also when nothing has changed", () => {
    expect(ci.on).to.include.keys("schedule");
    expect(commands(ci.jobs.audit)).to.include.members([
      "npm audit --audit-level=low",
      "npm audit signatures",
    ]);
  });

  it("release from a version's tag only: audited, then published with provenance and without a token", () => {
    expect(release.on).to.deep.equal({ push: { tags: ["v*"] } });
    const steps = commands(release.jobs.publish);
    const publish = "npm publish --workspace=provider --provenance --access public";
    expect(steps).to.include("npm ci --ignore-scripts");
    expect(steps.indexOf("npm audit --omit=dev --audit-level=low")).to.be.within(
      0,
      steps.indexOf(publish) - 1,
    );
    expect(steps.at(-1)).to.equal(publish);
    expect(read(".github/workflows/release.yml")).not.to.contain("secrets.");
  });

  it("attach the SBOM to the release", () => {
    expect(commands(release.jobs.announce).slice(-2)).to.deep.equal([
      ".ci/sbom sbom.cdx.json",
      'gh release create "$GITHUB_REF_NAME" --verify-tag --generate-notes sbom.cdx.json',
    ]);
  });

  it("have the rights that they need, and no more", () => {
    expect(ci.permissions).to.deep.equal({ contents: "read" });
    expect(Object.values(ci.jobs).map(({ permissions }) => permissions)).to.deep.equal([
      undefined,
      undefined,
    ]);
    expect(release.permissions).to.deep.equal({});
    const rights = Object.entries(release.jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(rights).to.deep.equal([
      ["test", { contents: "read" }],
      ["publish", { contents: "read", "id-token": "write" }],
      ["announce", { contents: "write" }],
    ]);
  });
});

describe("SECURITY.md", () => {
  it("promises what these tests hold, and says how to report", () => {
    const text = read("SECURITY.md");
    for (const promise of ["npm audit signatures", "provenance", "SBOM", "install script", "working days"]) {
      expect(text).to.contain(promise);
    }
  });
});
