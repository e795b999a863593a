import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "chai";
import { cliEnvironment } from "../../../tools/pulumi-cli/index.js";
import { withoutKonnectAndPulumi } from "../../../tools/environment.js";
import { startEmulator } from "../../../emulator/index.js";
import { idOf, pulumiCli, TOKEN } from "../scene.js";
import { type GithubResult, runGithubJob } from "./github-runner.js";
import { runGitlabJob } from "./gitlab-runner.js";
import { type FollowedGuide, followGuide } from "./guide.js";
import { runPlainShell } from "./plain-shell.js";
import { addSixty, changeBeforeThirdNight, namesAfter } from "./sixty-control-planes.js";
import { createWorkplace, type Workplace } from "./workplace.js";

const NIGHTLY = ".github/workflows/github-nightly.yml";
const CLOSE = ".github/workflows/github-close.yml";

const SECRETS = { KONNECT_SPAT: TOKEN, PULUMI_ACCESS_TOKEN: "pul-SENTINELsentinelSENTINEL" };
const ofPullRequest = (number: number) => ({
  secrets: SECRETS,
  github: { event: { pull_request: { number }, repository: { default_branch: "main", name: "shop" } } },
});
const ofMergeRequest = (iid: string) => ({
  CI_MERGE_REQUEST_IID: iid,
  CI_PROJECT_NAME: "shop",
  KONNECT_SPAT: TOKEN,
});

/** Number 1 to 4 are stale: two of pull request 123, two of 124. Number 5 is young and of 123, number 6 is in production.
 * Number 7 is young, and of pull request 123 of another repository. */
function addControlPlanes({ emulator }: Workplace): void {
  for (const [n, pr, age] of [
    [1, "123", "8d"],
    [2, "123", "9d"],
    [3, "124", "8d"],
    [4, "124", "9d"],
    [5, "123", "1h"],
  ] as const) {
    emulator.add({ id: idOf(n), name: `preview-${n}`, age, labels: { env: "preview", repo: "shop", pr } });
  }
  emulator.add({
    id: idOf(6),
    name: "production",
    age: "20w",
    labels: { env: "production", repo: "shop", pr: "123" },
  });
  emulator.add({
    id: idOf(7),
    name: "other-repository",
    age: "1h",
    labels: { env: "preview", repo: "web", pr: "123" },
  });
}

const deletedIn = ({ requests }: Pick<Workplace["emulator"], "requests">) =>
  requests.flatMap(({ method, operation, id }) =>
    method === "DELETE" && operation === "delete-control-plane" && id !== undefined ? [id] : [],
  );

const idsLeft = ({ emulator }: Workplace) => [...emulator.controlPlanes.keys()].sort();

/** Makes one deletion wait for a minute, so that the job can be canceled meanwhile. */
const hold = ({ emulator }: Workplace) =>
  emulator.script({ method: "DELETE", id: idOf(4) }, { status: 503, headers: { "retry-after": "60" } });
const HELD = "503, retry 2 of 10";

/** The files of a report. */
const filesOf = (name: string) => [
  ...["jsonl", "txt", "json", "md", "xml", "html", "plan.txt", "plan.json", "plan.md", "plan.html"].map(
    (end) => `${name}.${end}`,
  ),
];

/** A night of the guide's own stack, and the names of what is left in the service after it. */
type PlayedNight = GithubResult & { readonly left: readonly string[] };

/** How many scenes run at a time. */
const AT_ONCE = 3;

describe("the pipelines, run in the repository that the guide makes", function () {
  this.timeout(400_000);
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "pipelines-")));
  let guide: FollowedGuide;
  let namesById: ReadonlyMap<string, string>;
  let env: NodeJS.ProcessEnv;
  let hasFailed = false;

  let nights: {
    readonly first: { readonly left: readonly string[] };
    readonly second: PlayedNight;
    readonly third: PlayedNight;
    /** The names of the control planes whose deletion was asked for. */
    readonly asked: readonly string[];
  };

  const scenes: (() => Promise<void>)[] = [];

  /** Registers a scene, which runs beside others before the tests. Returns a function that returns its result. */
  function scene<T>(play: (workplace: Workplace) => Promise<T>) {
    let result: PromiseSettledResult<T & { readonly workplace: Workplace }> | undefined;
    const folder = path.join(root, `scene-${scenes.length}`);
    scenes.push(async () => {
      const prepare = async () => {
        mkdirSync(folder);
        const workplace = await createWorkplace(folder, { repository: guide.folder, env });
        addControlPlanes(workplace);
        return { ...(await play(workplace)), workplace };
      };
      [result] = await Promise.allSettled([prepare()]);
    });
    return () => {
      if (result === undefined) throw new Error("the scenes have not run");
      if (result.status === "rejected") throw result.reason;
      return result.value;
    };
  }

  before(async () => {
    const emulator = await startEmulator({ tokens: { [TOKEN]: { name: "sa-ci" } }, controlPlanes: [] });
    namesById = addSixty(emulator);
    expect(emulator.controlPlanes.size).to.equal(60);
    const part = (name: string) => path.join(root, name);
    for (const name of ["backend", "home"]) mkdirSync(part(name));
    env = cliEnvironment(await pulumiCli(), withoutKonnectAndPulumi(process.env));
    const identity = { NAME: "A", EMAIL: "a@example.com" };
    guide = await followGuide(root, {
      ...env,
      ...{ GIT_AUTHOR_NAME: identity.NAME, GIT_AUTHOR_EMAIL: identity.EMAIL },
      ...{ GIT_COMMITTER_NAME: identity.NAME, GIT_COMMITTER_EMAIL: identity.EMAIL },
      ...{ PULUMI_BACKEND_URL: `file://${part("backend")}`, PULUMI_HOME: part("home") },
      ...{ PULUMI_CONFIG_PASSPHRASE: "", PULUMI_SKIP_CONFIRMATIONS: "true" },
      ...{ KONNECT_SPAT: TOKEN, KONNECT_SERVER_URL: emulator.baseUrl },
    });
    expect(guide.result.exitCode, guide.result.output).to.equal(0);
    const names = () => [...emulator.controlPlanes.values()].map(({ name }) => name);
    const shared = { backend: part("backend"), emulator };
    const playNight = async (name: string, install: boolean): Promise<PlayedNight> => {
      mkdirSync(part(name));
      const options = { repository: guide.folder, env, install, shared };
      const workplace = await createWorkplace(part(name), options);
      return { ...(await runGithubJob(workplace, NIGHTLY, { secrets: SECRETS })), left: names() };
    };
    const playNights = async () => {
      const first = { left: names() };
      const second = await playNight("second", true);
      changeBeforeThirdNight(emulator);
      const excluded = await guide.excludeKnownFailure();
      expect(excluded.exitCode, excluded.output).to.equal(0);
      const third = await playNight("third", false);
      const asked = deletedIn(emulator).map((id) => namesById.get(id) ?? id);
      nights = { first, second, third, asked };
      await emulator.close();
    };
    const rest = [...scenes];
    const playNext = async (): Promise<void> => {
      const next = rest.shift();
      if (next === undefined) return;
      await next();
      await playNext();
    };
    // One after the other, while the scenes run.
    await Promise.all([playNights(), ...Array.from({ length: AT_ONCE - 1 }, playNext)]);
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  after(() => {
    if (hasFailed) console.error(`The failed tests left their folder: ${root}`);
    else rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  it("the guide's commands work as they stand: an inventory, a dry run, a first night of five, and a dry run of the rest", () => {
    const { output } = guide.result;
    expect(output).to.contain("60 control planes, with these labels:").and.to.contain("12  env=production");
    const [dryRun = "", first = "", second = ""] = output.split("Selecting and recording").slice(1);
    expect(dryRun).to.contain("5 control planes").and.to.contain("due-yesterday");
    expect(dryRun).not.to.contain("exit code");
    expect(first).to.contain("5 control planes: 5 deleted").and.not.to.contain("exit code");
    expect(second).to.contain("connected-for-long").and.to.contain("exit code 1");
    expect(output).to.match(/due-someday.* is kept: its label delete-after is "someday"/);
    expect(output).not.to.match(/npm warn|DeprecationWarning/);
    expect(output).not.to.contain(TOKEN);
    expect(nights.first.left).to.have.members(namesAfter("first night"));
  });

  it("the second night deletes what is stale, is red, and names what is in use, forbidden or not its own", () => {
    const { conclusion, exitCodes, summary, artifact, left, log } = nights.second;
    expect(conclusion, log).to.equal("failure");
    expect(exitCodes).to.deep.equal({ Install: 0, Delete: 1 });
    expect(left).to.have.members(namesAfter("second night"));
    for (const name of ["preview-shared", "connected-at-first", "connected-for-long", "group-of-others"]) {
      expect(summary).to.contain(name);
    }
    expect(summary).to.contain("403 Permission denied");
    expect(artifact).to.include.keys(filesOf("night"));
    expect(artifact["night.md"]).to.equal(summary);
  });

  it("the third night is green: a control plane is free, two have the label keep, and one is excluded", () => {
    const { conclusion, exitCodes, summary, left, log } = nights.third;
    expect(conclusion, log).to.equal("success");
    expect(exitCodes).to.deep.equal({ Install: 0, Delete: 0 });
    expect(left).to.have.members(namesAfter("third night"));
    expect(summary).to.contain("nothing is left").and.to.contain("connected-at-first");
    const stay = ["preview-shared", "group-of-others"];
    const gone = [...namesById.values()].filter((name) => !namesAfter("third night").includes(name));
    expect([...new Set(nights.asked)]).to.have.members([...gone, ...stay]);
  });

  const githubClose = scene((workplace) => runGithubJob(workplace, CLOSE, ofPullRequest(123)));
  it("GitHub's workflow for a closed pull request deletes its control planes only, and keeps no state", async () => {
    const { workplace, conclusion, exitCodes, summary, artifact, log } = githubClose();
    expect(conclusion, log).to.equal("success");
    expect(exitCodes).to.deep.equal({ Install: 0, Delete: 0 });
    expect(idsLeft(workplace)).to.deep.equal([3, 4, 6, 7].map(idOf));
    expect(summary).to.contain("3 control planes: 3 deleted");
    expect(artifact).to.include.all.keys(filesOf("close"));
    expect((await workplace.stack.read()).urns).to.deep.equal([]);
  });

  const githubCanceled = scene((workplace) => {
    hold(workplace);
    return runGithubJob(workplace, NIGHTLY, { secrets: SECRETS }, { step: "Delete", output: HELD });
  });
  it("GitHub's nightly workflow, canceled, stops at the first signal with a clean state, and keeps the report", async () => {
    const { workplace, conclusion, signals, exitCodes, summary, artifact, log } = githubCanceled();
    expect(conclusion).to.equal("canceled");
    expect(signals, log).to.deep.equal(["SIGINT"]);
    expect(exitCodes).to.deep.equal({ Install: 0, Delete: 1 });
    expect(idsLeft(workplace)).to.include.members([4, 5, 6, 7].map(idOf));
    expect((await workplace.stack.read()).pending).to.equal(0);
    expect(summary).to.contain("interrupted");
    expect(artifact["night.jsonl"]).to.contain('"outcome":"interrupted"');
  });

  const gitlabClose = scene(async (workplace) => {
    const preview = await runGitlabJob(workplace, "preview", ofMergeRequest("124"));
    return { preview, ...(await runGitlabJob(workplace, "close", ofMergeRequest("124"))) };
  });
  it("GitLab's job for a closed merge request deletes its control planes only", async () => {
    const { workplace, preview, exitCode, junit, log } = gitlabClose();
    expect(preview.log).to.contain("env=preview, repo=shop and pr=124");
    expect(exitCode, log).to.equal(0);
    expect(idsLeft(workplace)).to.deep.equal([1, 2, 5, 6, 7].map(idOf));
    expect(junit)
      .to.match(/tests="\d+" failures="0"/)
      .and.to.contain("preview-3")
      .and.to.contain("preview-4");
    expect((await workplace.stack.read()).urns).to.deep.equal([]);
  });

  const gitlabCanceled = scene((workplace) => {
    hold(workplace);
    return runGitlabJob(workplace, "nightly", SECRETS, HELD);
  });
  it("GitLab's nightly job, canceled by a signal to all its processes, leaves a clean state and the report", async () => {
    const { workplace, exitCode, junit, artifact, log } = gitlabCanceled();
    expect(exitCode, log).to.equal(1);
    expect(idsLeft(workplace)).to.include.members([4, 5, 6, 7].map(idOf));
    expect((await workplace.stack.read()).pending).to.equal(0);
    expect(junit).to.contain("Interrupted");
    expect(artifact["night.jsonl"]).to.contain('"outcome":"interrupted"');
  });

  const plainNight = scene((workplace) => {
    for (const n of [1, 2, 3, 4]) workplace.emulator.change(idOf(n), { labels: { env: "production" } });
    return runPlainShell(workplace, "night");
  });
  it("the commands for a plain shell end with 0 on a night on which nothing is stale", () => {
    const { workplace, exitCode, output } = plainNight();
    expect(exitCode, output).to.equal(0);
    expect(output).to.contain("No control planes: there was nothing to do.");
    expect(workplace.emulator.controlPlanes.size).to.equal(7);
  });

  const plainClose = scene((workplace) => runPlainShell(workplace, "close", { NUMBER: "123" }));
  it("the commands for a plain shell close a pull request", () => {
    const { workplace, exitCode, output } = plainClose();
    expect(exitCode, output).to.equal(0);
    expect(idsLeft(workplace)).to.deep.equal([3, 4, 6, 7].map(idOf));
  });

  it("show a secret nowhere", () => {
    const places = [
      ...[githubClose(), githubCanceled()],
      ...[gitlabClose(), gitlabCanceled(), plainNight(), plainClose()],
    ].map(({ workplace, ...result }) => JSON.stringify([result, workplace.emulator.requests]));
    for (const place of [...places, JSON.stringify(nights)]) expect(place).not.to.match(/SENTINEL/);
  });
});
