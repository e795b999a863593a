import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { POLICY, type Verdict } from "../../provider/service/retry/policy.js";
import { readLimits } from "../../provider/settings/read-settings.js";
import { summarize } from "../../tools/bench/page/summary.js";
import { readResult } from "../../tools/bench/result-file.js";
import { sourcesOf } from "../pure/settings/fake-sources.js";

const ROOT = path.resolve(__dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");
const readManifest = (folder: string) =>
  JSON.parse(read(`${folder}/package.json`)) as Readonly<Record<string, Readonly<Record<string, string>>>>;

const README = read("README.md");
const lines = README.split("\n");

/** Returns the verdict of the policy on a status, whatever the body of the answer. */
function verdictOn(status: number): Verdict | undefined {
  const row = POLICY.find(
    ({ matches }) =>
      "from" in matches && matches.from <= status && status <= matches.to && !matches.body && !matches.parsed,
  );
  return row?.verdict;
}

// test/cli/packed.test.ts follows the lines of README.md, and test/cli/quickstart.test.ts holds its picture.
describe("README.md", () => {
  it("shows first what it is, a program of six lines, the warning in bold, and the picture", () => {
    const [, sentences = "", program = "", between = "", picture = ""] =
      /^# .*\n\n([^]*?)\n\n```ts\n([^]*?)```\n\n([^]*?)\n\n!\[([^\]]*)\]\(docs\/images\/destroy\.svg\)\n/.exec(
        README,
      ) ?? [];
    expect(sentences.match(/[.](\s|$)/g), "sentences").to.have.length(2);
    expect(program.trimEnd().split("\n"), "lines of the program").to.have.length(6);
    expect(between).to.contain("**Removing a resource from the program deletes the control plane**");
    expect(between.split("\n").length, "lines between program and picture").to.be.below(4);
    expect(picture, "text in place of the picture").to.contain("3 deleted, 1 already gone, 1 failed");
    expect(README.slice(0, README.indexOf("\n## ")).split("\n").length).to.be.below(45);
  });

  it("goes on with the quickstart, the answers, the installation and the limits, and stays short", () => {
    const headings = lines.filter((line) => line.startsWith("## ")).map((line) => line.slice(3));
    const expected = ["Quickstart", "What happens on each answer", "Installation", "Limits", "Documentation"];
    expect(headings.filter((heading) => expected.includes(heading))).to.deep.equal(expected);
    expect(lines.length).to.be.below(180);
  });

  it("names the commands that a newcomer runs in a clone", () => {
    expect(README).to.contain("\nnpm run quickstart\n").and.to.contain("`npm cit`");
  });

  it("lists exactly the statuses that the policy retries", () => {
    const [row = ""] = lines.filter((line) => /^\| 503.*\| retried/.test(line));
    const retried = [...(row.split("|")[1] ?? "").matchAll(/\d{3}/g)].map(([status]) => Number(status));
    const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
    expect(retried).to.have.members(statuses.filter((status) => verdictOn(status) === "retry"));
  });

  it("lists as errors only statuses that the policy does not retry", () => {
    const [row = ""] = lines.filter((line) => /^\| 400.*\| error at once/.test(line));
    const stopped = [...(row.split("|")[1] ?? "").matchAll(/\d{3}/g)].map(([status]) => Number(status));
    expect(stopped).to.deep.equal([400, 401, 403, 409, 500]);
    for (const status of stopped) expect(verdictOn(status), String(status)).to.equal("stop");
  });

  it("names the default limits of a call", () => {
    expect(README).to.contain(
      "at most 10 attempts within a retry budget of 5 minutes, each for at most 30 seconds",
    );
    const { limits } = readLimits(sourcesOf({}, {}));
    expect(limits).to.deep.equal({ maxAttempts: 10, budgetMs: 5 * 60_000, requestTimeoutMs: 30_000 });
  });

  it("names the versions that the package supports", () => {
    const { engines, peerDependencies } = readManifest("provider");
    expect(engines?.node).to.equal("^20.19.0 || ^22.12.0 || >=24.0.0");
    expect(README).to.contain("Node.js 20.19+, 22.12+ and 24+");
    expect(peerDependencies?.["@pulumi/pulumi"]).to.equal("^3.139.0");
    expect(README).to.contain("`@pulumi/pulumi` 3.139 and newer; 3.248 is the last release");
    expect(README).to.contain(` @pulumi/pulumi@${readManifest(".").dependencies?.["@pulumi/pulumi"]}\n`);
  });

  it("repeats what the benchmark measured", () => {
    const { times } = summarize(readResult(path.join(ROOT, "docs/internals/performance.json")));
    const ms = times("set", "destroy").find(({ controlPlanes }) => controlPlanes === 1000)?.ms;
    expect(README.replace(/\s+/g, " ")).to.contain(
      `A destroy of a [set](docs/sets.md) of 1,000 control planes took [${(ms! / 1_000).toFixed(1)} s](docs/internals/performance.md) against an emulated service that takes 20 ms`,
    );
    expect(read("docs/internals/reliability.md")).to.match(
      /^\| 300, with a minute of 503 in the middle .*, no failure +\|$/m,
    );
    expect(README.replace(/\s+/g, " ")).to.contain("An outage of a minute delays a run of 300 deletions");
  });
});
