import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { destroyExpected, heldIn } from "../automation/destroy-control-planes.js";
import { runPulumi, Stopped, withEnvironment } from "../automation/run-pulumi.js";
import { type EndedDestroy, type Fate, unreportedLines } from "../automation/unreported.js";
import { judgeCheckpoints } from "../plan/checkpoints.js";
import { describeCounts } from "../plan/describe-plan.js";
import { isBlocked, type Plan } from "../plan/make-plan.js";
import { renderMarkdownPlan } from "../plan/markdown-plan.js";
import { planOfState, requireUsable } from "../plan/plan-of-state.js";
import { parseStackState } from "../plan/stack-state.js";
import { renderTextPlan } from "../plan/text-plan.js";
import { createConsoleSink } from "../report/console-sink.js";
import { renderMarkdown } from "../report/formats/markdown-report.js";
import { renderText } from "../report/formats/text-report.js";
import type { ReportLine } from "../report/line-model.js";
import { NIGHT_VERSION, type NightLine, parseNightLine } from "../report/night-line.js";
import type { Report } from "../report/report-model.js";
import { createSession, type Session } from "../session/session.js";
import { safe, safeText } from "../text/safe-text.js";
import { createLiveOutput } from "./live-output.js";
import { type OpenedStack, openStack, openTemporaryStack } from "./open-stack.js";
import { describeOverridden, fateByPlan } from "./planned-fates.js";
import type { ReportFolder } from "./report-folder.js";
import { explainPulumi, failureOf, recordRun, StepFailure } from "./step-failure.js";
import { type StopWatch, type TimeLimit, watchForStop } from "./stop-watch.js";

/** What a night is asked for. */
export interface NightOptions {
  readonly command: NightLine["command"];
  readonly stack: string;
  /** Labels that are added to the selection of the stack's configuration. Only `close` has some. */
  readonly labels: Readonly<Record<string, string>>;
  readonly isDryRun: boolean;
  readonly timeLimit: TimeLimit | undefined;
}

/** What a night uses of its process. */
export interface NightIo {
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Width of the terminal, in cells. Undefined in a log. */
  readonly width?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The exit codes. */
const EXIT = { nothingLeft: 0, left: 1, notBegun: 2 } as const;

const STEPS = { check: "the checks", up: "`up`", plan: "the plan", destroy: "the destroy" } as const;
type Step = keyof typeof STEPS;

/** What a night has done so far. */
interface Progress {
  step: Step;
  project: string | undefined;
  readonly facts: string[];
  readonly warnings: string[];
  /** The lines of the destroy. */
  readonly reported: ReportLine[];
  plan: Plan | undefined;
}

interface Night {
  readonly options: NightOptions;
  readonly io: NightIo;
  readonly folder: ReportFolder;
  readonly watch: StopWatch;
  readonly progress: Progress;
}

/**
 * Selects and records, plans, destroys and reports. Whatever goes wrong on the way is in the report, in every format.
 *
 * @returns the exit code: 0 if no control plane is left, 1 if one is left or a step failed, 2 if it could not begin
 */
export async function runNight(options: NightOptions, folder: ReportFolder, io: NightIo): Promise<number> {
  const progress: Progress = {
    ...{ step: "check", project: undefined, plan: undefined },
    ...{ facts: [], warnings: [], reported: [] },
  };
  const writeLine = nightLineWriter(options, folder, io.env, progress);
  // A night that is killed leaves this report.
  writeLine({ ending: "unfinished" });
  try {
    await folder.render();
  } catch (error) {
    io.printError(`${describeLostReport(folder, error)}; nothing was changed\n`);
    return EXIT.notBegun;
  }
  const watch = watchForStop(options.timeLimit);
  try {
    const ending = await endingOf(makeSteps({ options, io, folder, watch, progress }), progress);
    writeLine(ending);
    let report = await folder.render();
    const { signal } = watch;
    const isLate = signal.aborted && ending.ending === "complete";
    if (isLate) {
      writeLine(stopped(signal.reason, "the report"));
      report = await folder.render();
    }
    showReport(report, folder, options, progress.plan, io);
    if (ending.ending === "failed" && progress.step === "check") {
      io.printError(`${ending.reason?.summary ?? "it could not begin"}; nothing was changed\n`);
      return EXIT.notBegun;
    }
    if (options.isDryRun && ending.ending === "complete" && !isLate) return exitOfDryRun(progress);
    return report.isComplete ? EXIT.nothingLeft : EXIT.left;
  } catch (error) {
    io.printError(`${describeLostReport(folder, error)}\n`);
    return EXIT.left;
  } finally {
    watch.end();
  }
}

function describeLostReport({ path }: ReportFolder, error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return `the report cannot be written to ${safeText(path, 200)} (${safeText(code, 200)})`;
}

function exitOfDryRun({ plan }: Progress): number {
  return plan === undefined || isBlocked(plan) ? EXIT.left : EXIT.nothingLeft;
}

async function makeSteps(night: Night): Promise<void> {
  const { options, io, watch, progress } = night;
  const session = createSession({
    // As for the command `plan`: the token comes from the environment.
    config: () => undefined,
    env: io.env,
    emit: createConsoleSink((line) => io.printError(`${line}\n`)),
    signal: watch.signal,
  });
  requireUsable(session, safe`the run cannot begin`);
  const wanted = wantedCheckpoints(io.env);
  const { stack: name, labels } = options;
  const opened = options.command === "night" ? await openStack(name) : await openTemporaryStack(name, labels);
  try {
    progress.project = opened.project;
    await opened.readState();
    watch.signal.throwIfAborted();
    await selectAndRecord(night, opened);
    const deployment = await makePlan(night, opened, session);
    if (options.isDryRun) await reportUntried(night, opened, fateByPlan(progress.plan));
    else await destroy(night, opened, deployment, wanted);
  } catch (error) {
    if (progress.step !== "check") {
      await reportUntried(night, opened, progress.step === "destroy" ? undefined : () => NOT_TRIED);
    }
    throw error;
  } finally {
    opened.remove();
  }
}

const NOT_TRIED: Fate = {
  outcome: "interrupted",
  error: {
    kind: "interrupted",
    summary: "Not tried: the run ended before the destroy",
    next: "see why it ended, then run it again",
  },
};

/** Reports what the state holds and no line tells of. */
async function reportUntried(
  night: Night,
  opened: OpenedStack,
  untried: EndedDestroy["untried"],
): Promise<void> {
  const { folder, watch, progress } = night;
  const state = await opened.readState().catch(() => undefined);
  const { held, pendingOperations } = heldIn(state);
  const lines = unreportedLines({
    ...{ before: held, after: held, pendingOperations },
    reported: progress.reported,
    isStopped: watch.signal.aborted,
    ...(untried !== undefined && { untried }),
    endedAtMs: Date.now(),
  });
  folder.append(...lines);
}

/** Runs `up --refresh`. What earlier nights deleted leaves the state, and is not taken for what the selection let go. */
async function selectAndRecord(
  { io, folder, watch, progress }: Night,
  { stack }: OpenedStack,
): Promise<void> {
  progress.step = "up";
  io.print("Selecting and recording the control planes:\n");
  const record = recordRun();
  const own = withEnvironment(stack, {
    KONNECT_AUTOMATION_REPORT_FILE: folder.linesFile,
    // The user's variable is about the destroy.
    PULUMI_SKIP_CHECKPOINTS: "false",
    // What the program no longer declares would be deleted before the plan shows it.
    KONNECT_NO_DELETE: "1",
  });
  try {
    const output = outputTo(io, record);
    await runPulumi((hooks) => own.up({ refresh: true, ...output, ...hooks }), { ...watch, ...record });
  } catch (error) {
    watch.signal.throwIfAborted();
    throw failureOfRun(error, record, "`up` failed, so nothing is destroyed");
  }
  progress.facts.push(`up: ${record.changes()}`);
  watch.signal.throwIfAborted();
}

/** Makes the plan and shows it. Returns the state that it is about. */
async function makePlan({ io, folder, watch, progress }: Night, opened: OpenedStack, session: Session) {
  progress.step = "plan";
  const deployment = await opened.readState();
  io.print("The plan:\n");
  const state = parseStackState(JSON.stringify({ version: 3, deployment }), safe`the state of the stack`);
  const plan = await planOfState(state, session).catch((error: unknown) => {
    watch.signal.throwIfAborted();
    throw error;
  });
  watch.signal.throwIfAborted();
  progress.plan = plan;
  progress.facts.push(`plan: ${describeCounts(plan)}`);
  io.print(renderTextPlan(plan, io.width));
  await folder.writePlan(plan);
  return deployment;
}

/** Destroys the stack, if its state is still the one of the plan. */
async function destroy(
  { io, folder, watch, progress }: Night,
  { stack }: OpenedStack,
  planned: unknown,
  wanted: boolean | undefined,
): Promise<void> {
  progress.step = "destroy";
  const fast = chooseMode(planned, wanted);
  io.print(`${fast.why}\nDestroying what nothing stands in the way of:\n`);
  progress.facts.push(`destroy: ${fast.why}`);
  const record = recordRun();
  const own = withEnvironment(stack, { PULUMI_SKIP_CHECKPOINTS: String(fast.isFast) });
  let report: Report;
  try {
    report = await destroyExpected(
      own,
      {
        ...outputTo(io, record),
        // Pulumi deletes four resources at a time for each core. The package finds out how many requests the service takes.
        ...(fast.isFast && { parallel: 32 }),
        signal: watch.signal,
        onEvent: record.onEvent,
        onOutcome(line) {
          progress.reported.push(line);
          folder.append(line);
        },
      },
      (deployment) => {
        if (comparable(deployment) === comparable(planned)) return;
        const next = "make sure that only one run at a time works on the stack, then run again";
        throw new StepFailure("the state has changed since the plan, so nothing is destroyed", [], next);
      },
    );
  } catch (error) {
    watch.signal.throwIfAborted();
    if (error instanceof StepFailure) throw error;
    throw failureOfRun(error, record, "the destroy failed");
  }
  const unreported = [...report.left, ...report.kept].filter(({ runId }) => runId === "none");
  folder.append(...unreported);
  progress.reported.push(...unreported);
  progress.warnings.push(...describeOverridden(progress.plan, progress.reported));
  watch.signal.throwIfAborted();
}

/** Pulumi may encrypt secrets anew each time that it exports a state. */
function comparable(deployment: unknown): string {
  return JSON.stringify([deployment], (key, value: unknown) => (key === "ciphertext" ? "" : value));
}

/** Returns what the user says about skipping checkpoints. @throws StepFailure if it is neither true nor false */
function wantedCheckpoints({ PULUMI_SKIP_CHECKPOINTS: wanted = "" }: NightIo["env"]): boolean | undefined {
  if (wanted === "") return undefined;
  if (/^(1|true)$/i.test(wanted)) return true;
  if (/^(0|false)$/i.test(wanted)) return false;
  throw new StepFailure("PULUMI_SKIP_CHECKPOINTS must be true or false, or not set");
}

/** Chooses fast or normal mode. @throws StepFailure if the user demands fast mode where it is not safe */
function chooseMode(deployment: unknown, wanted: boolean | undefined): { isFast: boolean; why: string } {
  if (wanted === false) return { isFast: false, why: "Normal mode: PULUMI_SKIP_CHECKPOINTS is false." };
  const text = JSON.stringify({ version: 3, deployment });
  const { maySkip, why } = judgeCheckpoints(text, safe`the state of the stack`);
  if (maySkip) return { isFast: true, why: `Fast mode: ${why}.` };
  if (wanted !== true) return { isFast: false, why: `Normal mode: ${why}.` };
  const summary = "PULUMI_SKIP_CHECKPOINTS is true, but fast mode is not safe here, so nothing is destroyed";
  throw new StepFailure(summary, [why], "do not set it");
}

function outputTo(io: NightIo, record: { readonly onError: (text: string) => void }) {
  return {
    color: "never",
    suppressProgress: true,
    onOutput: createLiveOutput(io.print),
    // The report says what they are.
    onError: record.onError,
  } as const;
}

function failureOfRun(error: unknown, record: ReturnType<typeof recordRun>, what: string): StepFailure {
  const { message, said, next } = explainPulumi(error, what);
  const errors = record.errors();
  return new StepFailure(message, errors.length > 0 ? errors : said, next);
}

type Ending = Pick<NightLine, "ending" | "reason">;

/** Waits for the steps. Returns how they ended, and never rejects. */
async function endingOf(steps: Promise<void>, progress: Progress): Promise<Ending> {
  try {
    await steps;
    return { ending: "complete" };
  } catch (error) {
    if (error instanceof Stopped) return stopped(error, STEPS[progress.step]);
    const failure = failureOf(error);
    if (failure === undefined) {
      const said = [String(error instanceof Error ? error.message : error)];
      return { ending: "failed", reason: { summary: `internal error during ${STEPS[progress.step]}`, said } };
    }
    const { message: summary, said, next } = failure;
    return { ending: "failed", reason: { summary, said, ...(next !== undefined && { next }) } };
  }
}

function stopped(reason: unknown, during: string): Ending {
  const why = reason instanceof Error ? reason.message : "stopped";
  return {
    ending: "stopped",
    reason: { summary: `${why}, during ${during}`, said: [], next: "run it again" },
  };
}

/** Returns a function that appends the line about the night, as it is now. */
function nightLineWriter(
  { command, stack, isDryRun, labels }: NightOptions,
  folder: ReportFolder,
  env: NightIo["env"],
  progress: Progress,
): (ending: Ending) => void {
  const nightId = randomUUID();
  const startedAt = new Date().toISOString();
  const selected = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const job = jobAddress(env);
  return (ending) => {
    const steps = Object.keys(STEPS) as Step[];
    const undone = steps.slice(steps.indexOf(progress.step) + 1).map((step) => STEPS[step]);
    const isDone = ending.ending === "complete" || ending.ending === "unfinished" || undone.length === 0;
    const line: NightLine = {
      ...{ nightVersion: NIGHT_VERSION, nightId, command, isDryRun, stack },
      ...(progress.project !== undefined && { project: progress.project }),
      ...{ startedAt, time: new Date().toISOString() },
      steps: [
        ...(selected.length > 0 ? [`labels: ${selected.join(", ")}`] : []),
        ...progress.facts,
        ...(isDone ? [] : [`not done: ${undone.join(", ")}`]),
      ],
      ...(progress.warnings.length > 0 && { warnings: progress.warnings }),
      ...ending,
      ...(job !== undefined && { job }),
    };
    // Parsing shortens Pulumi's words and makes them safe for a terminal.
    folder.append(parseNightLine(JSON.stringify(line)) ?? line);
  };
}

/** Returns the address of the pipeline's job, on GitHub, GitLab and Jenkins. */
function jobAddress(env: NightIo["env"]): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const onGithub = run !== undefined && `${server ?? ""}/${repository ?? ""}/actions/runs/${run}`;
  return onGithub || (env.CI_JOB_URL ?? env.BUILD_URL);
}

function showReport(
  report: Report,
  { path }: ReportFolder,
  { command, isDryRun }: NightOptions,
  plan: Plan | undefined,
  io: NightIo,
): void {
  io.print(`The report of this ${command}, from ${path}:\n${renderText(report, { width: io.width })}`);
  const { GITHUB_STEP_SUMMARY: summary = "" } = io.env;
  if (summary === "") return;
  try {
    // A person who checks the list before the deletion needs labels and ages.
    const list = isDryRun && plan !== undefined ? `${renderMarkdownPlan(plan)}\n` : "";
    appendFileSync(summary, list + renderMarkdown(report));
  } catch {
    io.printError("The report could not be added to the summary of the job.\n");
  }
}
