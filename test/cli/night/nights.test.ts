import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { FaultRoute } from "../../../emulator/faults/fault.js";
import type { CommandResult, RunningCommand } from "../../../tools/commands.js";
import { waitFor } from "../../../tools/waiting.js";
import { createScene, idOf, type Scene, TOKEN } from "../scene.js";
import { startNight } from "./start-night.js";

/** A night on a stack that holds the control planes 1 to 3, and what has to become of it. */
interface NightCase {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly prepare?: (scene: Scene) => void;
  /** Something that happens while the night waits for the answer to a request. */
  readonly during?: {
    readonly route: FaultRoute;
    /** Whether the night waits for a moment only. Default: for longer than the test. */
    readonly goesOn?: true;
    readonly act: (scene: Scene, run: RunningCommand) => unknown;
  };
  /** Undefined when the night is killed. */
  readonly exitCode: 0 | 1 | 2 | undefined;
  /** What the report has to say in every format. */
  readonly says: readonly RegExp[];
  /** The control planes that are left in the service, by number. */
  readonly left: readonly number[];
}

const ALL = [1, 2, 3];

/** The request that tells the step: only the refresh reads a single control plane, and only the plan lists them. */
const IN_UP = { operation: "get-control-plane", id: idOf(3) } as const;
const IN_PLAN = { operation: "list-control-planes" } as const;
const IN_DESTROY = { operation: "delete-control-plane", id: idOf(3) } as const;

const ONCE = { KONNECT_MAX_ATTEMPTS: "1" };

const stopsIn = (route: FaultRoute, act: (run: RunningCommand) => void) => ({
  during: { route, act: (_: Scene, run: RunningCommand) => act(run) },
  exitCode: 1 as const,
  left: route === IN_DESTROY ? [3] : ALL,
});

const CASES: Readonly<Record<string, NightCase>> = {
  "deletes everything in normal mode when the user says so, and warns of connected nodes that no guard is about":
    {
      env: { PULUMI_SKIP_CHECKPOINTS: "false" },
      prepare: ({ emulator }) =>
        emulator.change(idOf(3), { nodes: [{ hostname: "dp-1", lastPingSecondsAgo: 30 }] }),
      exitCode: 0,
      says: [
        /Normal mode: PULUMI_SKIP_CHECKPOINTS is false/,
        /deleted although nodes were connected: .{0,6}plane-3/,
      ],
      left: [],
    },
  "ends with 1 when something stands in the way of a dry run": {
    args: ["--dry-run"],
    prepare: ({ emulator, declare }) => {
      const guarded = { controlPlaneId: idOf(3), onlyIfLabels: { team: "other" } };
      declare({ ...declared([1, 2]), "plane-3": guarded });
      emulator.change(idOf(3), { labels: { team: "payments" } });
    },
    ...{ exitCode: 1, says: [/labels no longer match/], left: ALL },
  },
  "ends with 1 in a dry run, too, when up would delete what the program no longer declares": {
    args: ["--dry-run"],
    prepare: ({ declare }) => declare(declared([1, 2])),
    ...{ exitCode: 1, says: [/KONNECT_NO_DELETE forbids/, /plane-3/], left: ALL },
  },
  "stack does not exist": {
    args: ["--stack", "other"],
    ...{ exitCode: 2, says: [/there is no such stack/], left: ALL },
  },
  "Pulumi CLI is missing": {
    env: { PATH: path.dirname(process.execPath) },
    ...{ exitCode: 2, says: [/the Pulumi CLI was not found on PATH/], left: ALL },
  },
  "token is missing": {
    env: { KONNECT_SPAT: undefined },
    ...{ exitCode: 2, says: [/No token is set|KONNECT_TOKEN_FILE/], left: ALL },
  },
  "time limit is shorter than the first step": {
    args: ["--time-limit", "1s"],
    ...{ exitCode: 1, says: [/the time limit of 1s is reached, during (?:the checks|`up`)/], left: ALL },
  },
  "stack is locked by another run": {
    prepare: ({ stack }) => {
      const locks = path.join(stack.folder, "../backend/.pulumi/locks/organization/scene/dev");
      mkdirSync(locks, { recursive: true });
      writeFileSync(path.join(locks, "7.json"), JSON.stringify({ pid: 7, username: "a", hostname: "b" }));
    },
    ...{ exitCode: 1, says: [/another run holds the stack/], left: ALL },
  },
  "refresh of up fails": {
    env: ONCE,
    prepare: ({ emulator }) => emulator.script(IN_UP, { status: 500, times: 3 }),
    ...{ exitCode: 1, says: [/`up` failed, so nothing is destroyed/], left: ALL },
  },
  "up cannot adopt what the program declares": {
    prepare: ({ declare }) => declare(declared([1, 2, 3, 9])),
    ...{ exitCode: 1, says: [/404 Not Found/i], left: ALL },
  },
  "plan cannot be made": {
    env: ONCE,
    prepare: ({ emulator }) => emulator.script(IN_PLAN, { status: 500 }),
    ...{ exitCode: 1, says: [/500 .*during|500 /], left: ALL },
  },
  "state changes after the plan": {
    during: {
      route: IN_PLAN,
      goesOn: true,
      async act({ stack }) {
        const { text } = await stack.state();
        await stack.writeState(text.replace(/"time": ?"[^"]+"/, '"time":"2026-01-01T00:00:00Z"'));
      },
    },
    ...{ exitCode: 1, says: [/the state has changed since the plan, so nothing is destroyed/], left: ALL },
  },
  "fast mode is demanded where it is not safe": {
    env: { PULUMI_SKIP_CHECKPOINTS: "true" },
    prepare: ({ stack }) => {
      const program = readFileSync(path.join(stack.folder, "index.js"), "utf8");
      const component = `new (require("@pulumi/pulumi").ComponentResource)("team:index:Gateway", "gateway");`;
      stack.write("index.js", `${program}\n${component}`);
    },
    ...{ exitCode: 1, says: [/fast mode is not safe here, so nothing is destroyed/], left: ALL },
  },
  "report folder is lost": {
    during: {
      route: IN_PLAN,
      goesOn: true,
      act({ stack }) {
        rmSync(path.join(stack.folder, "report"), { recursive: true });
        writeFileSync(path.join(stack.folder, "report"), "");
      },
    },
    ...{ exitCode: 1, says: [/the report cannot be written/], left: [] },
  },
  "all processes get SIGINT, during up": {
    ...stopsIn(IN_UP, (run) => run.killGroup("SIGINT")),
    says: [/SIGINT, during `up`/],
  },
  "only the night gets SIGTERM, during the plan": {
    ...stopsIn(IN_PLAN, (run) => run.kill("SIGTERM")),
    says: [/SIGTERM, during the plan/],
  },
  "only the night gets SIGINT, during the destroy": {
    ...stopsIn(IN_DESTROY, (run) => run.kill("SIGINT")),
    says: [/SIGINT, during the destroy/],
  },
  "time limit is reached during the destroy": timeIsUpIn(
    IN_DESTROY,
    /the time limit of 7200s is reached, during the destroy/,
  ),
  "all processes are killed during the plan": {
    ...stopsIn(IN_PLAN, (run) => run.killGroup("SIGKILL")),
    ...{ exitCode: undefined, says: [/did not end: it was killed|"ending": ?"unfinished"/] },
  },
};

/** A night whose time limit is reached when a file appears, because a test cannot know how long a step takes. */
function timeIsUpIn(route: FaultRoute, says: RegExp): NightCase {
  return {
    args: ["--time-limit", "7200s"],
    env: { NODE_OPTIONS: `--require=${path.join(__dirname, "time-is-up.cjs")}` },
    ...stopsIn(route, () => undefined),
    during: { route, act: ({ stack }) => stack.write("time-is-up", "") },
    says: [says],
  };
}

function declared(numbers: readonly number[]) {
  return Object.fromEntries(numbers.map((n) => [`plane-${n}`, { controlPlaneId: idOf(n) }]));
}

/** What is known of a night afterwards. */
interface Ended {
  readonly result: CommandResult;
  readonly files: Readonly<Record<string, string>>;
  readonly left: readonly number[];
}

/** How many nights run at a time. Most of them wait. */
const AT_ONCE = 4;

describe("a night, with the real CLI and the emulator", function () {
  this.timeout(300_000);
  const ended = new Map<string, PromiseSettledResult<Ended>>();

  before(async () => {
    const rest = Object.entries(CASES);
    const playNext = async (): Promise<void> => {
      const next = rest.shift();
      if (next === undefined) return;
      const [ending] = await Promise.allSettled([play(next[1])]);
      ended.set(next[0], ending);
      await playNext();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, playNext));
  });

  for (const [title, { exitCode, says, left }] of Object.entries(CASES)) {
    const what = exitCode === 0 ? title : `is not green, says why and deletes nothing else: ${title}`;
    it(what, () => {
      const ending = ended.get(title);
      if (ending === undefined || ending.status === "rejected") {
        throw ending?.reason ?? new Error("not played");
      }
      const { result, files, left: numbers } = ending.value;
      const { output } = result;
      expect(result.exitCode, output).to.equal(exitCode);
      expect(numbers, output).to.deep.equal(left);
      if (exitCode !== undefined && !output.includes("the report cannot be written")) {
        expect(output).to.match(/The report of this night, from /);
      }
      if (title === "report folder is lost") {
        for (const text of says) expect(output).to.match(text);
      } else {
        const reports = Object.entries(files).filter(([name]) => /^night\.[a-z]+$/.test(name));
        expect(reports.map(([name]) => name)).to.have.members(
          ["html", "json", "jsonl", "md", "txt", "xml"].map((end) => `night.${end}`),
        );
        for (const [name, text] of reports) {
          for (const said of says) expect(text, name).to.match(said);
          if (exitCode !== 0) expect(text, name).not.to.match(/nothing is left|nothing to do/i);
        }
        const isGreen = exitCode === 0 && left.length === 0;
        expect(files["night.json"]).to.contain(`"isComplete": ${isGreen}`);
        const hasFailure = files["night.xml"]?.includes("<failure");
        expect(hasFailure, "a failure in JUnit").to.equal(exitCode !== 0);
      }
      for (const text of [output, ...Object.values(files)]) expect(text).not.to.contain(TOKEN);
      expect(output).not.to.match(/npm warn|DeprecationWarning|internal error|TypeError|Diagnostics:/);
      // eslint-disable-next-line no-control-regex -- color codes
      expect(output).not.to.match(/\u001b/);
    });
  }
});

async function play({ args = [], env, prepare, during }: NightCase): Promise<Ended> {
  const scene = await createScene({ planes: 3 });
  const { emulator, stack } = scene;
  let hasFailed = true;
  try {
    await scene.adoptAll(3);
    if (during !== undefined) {
      const headers = { "retry-after": during.goesOn === true ? "2" : "60" };
      emulator.script(during.route, { status: 503, headers });
    }
    prepare?.(scene);
    const run = startNight(scene, [...args, "--report", "report"], env);
    if (during !== undefined) {
      const { operation, id } = during.route;
      const { controlPlanes } = emulator;
      const isMet = () =>
        emulator.requests.some(
          (request) => request.operation === operation && (id === undefined || request.id === id),
        );
      await waitFor(() => isMet() || run.hasEnded(), { what: "the request", timeoutMs: 90_000 });
      // What is deleted beside it is deleted by then.
      if (operation === "delete-control-plane") {
        await waitFor(() => controlPlanes.size === 1 || run.hasEnded(), {
          what: "the other deletions",
        });
      }
      await during.act(scene, run);
    }
    const result = await run.result;
    const report = path.join(stack.folder, "report");
    const names = existsSync(report) && !readFileIfFile(report) ? readdirSync(report) : [];
    const files = Object.fromEntries(
      names.map((name) => [name, readFileSync(path.join(report, name), "utf8")]),
    );
    const left = [...emulator.controlPlanes.keys()].map((id) => Number(id.slice(-12))).sort();
    if (result.exitCode !== undefined) {
      const { resources, pending } = await stack.state();
      expect(resources.map(({ id }) => Number(id.slice(-12))).filter((n) => n > 0)).to.include.members(left);
      expect(pending).to.equal(0);
    }
    emulator.reset();
    hasFailed = false;
    return { result, files, left };
  } finally {
    await scene.end(hasFailed);
  }
}

function readFileIfFile(place: string): boolean {
  try {
    readFileSync(place);
    return true;
  } catch {
    return false;
  }
}
