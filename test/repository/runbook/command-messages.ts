import { Readable } from "node:stream";
import { runCommandLine } from "../../../provider/cli/run-command-line.js";
import { toHostError } from "../../../provider/dynamic/shared-run.js";
import { eventLine } from "../../../provider/report/event-line.js";
import { createReportFile, type ReportFileOptions } from "../../../provider/report/report-file.js";
import type { Messages } from "../../runbook-page.js";
import {
  controlPlaneResource,
  exported,
  type ExportedResource,
  urnOf,
} from "../../pure/plan/exported-state.js";
import { lineAbout, lineText } from "../../pure/report/report-lines.js";
import { ID } from "./night.js";

const TORN = lineAbout(2, 2, "deleted").slice(0, 60);
const BUCKET_TYPE = "aws:s3/bucket:Bucket";
const BUCKET = { urn: urnOf(BUCKET_TYPE, "logs"), type: BUCKET_TYPE, id: "logs" };
const NEWER = lineText({ schemaVersion: 2 });

/** What the runbook quotes about the report, the plan, and defects. */
export const COMMAND_MESSAGES: Messages = {
  "The report file cannot be written": [
    () => {
      const lines: (string | undefined)[] = [];
      const warn: ReportFileOptions["warn"] = (text) => void lines.push(eventLine({ type: "warning", text }));
      createReportFile({ path: "/no/such/folder/night.jsonl", runId: "1", epochMs: Date.now, warn });
      return lines.join("\n");
    },
  ],
  "Lines of the report are left out": [
    () => report([lineAbout(1, 1, "deleted"), TORN, NEWER].join("\n")),
    () => report("no line of a report\n"),
  ],
  "The report file is missing": [() => run(["report", "/no/such/folder/night.jsonl"])],
  "The plan finds no stack": [
    () => run(["plan", "--stack", "nightly"]),
    () => run(["plan", "--state", "/no/such/folder/state.json"]),
  ],
  "The plan finds no control planes": [() => plan(BUCKET)],
  "The plan has no token": [() => plan(controlPlaneResource("payments", ID))],
  "Internal error": [() => toHostError(new TypeError("x is not a function")).message],
};

function plan(resource: ExportedResource): Promise<string> {
  return run(["plan", "--state", "-"], exported([resource]));
}

function report(text: string): Promise<string> {
  return run(["report", "-"], text);
}

/** Runs a command line in an environment without a Pulumi CLI and without a token. Returns what it prints. */
async function run(args: readonly string[], stdin = ""): Promise<string> {
  let printed = "";
  const output = { write: (text: string) => (printed += text) };
  await runCommandLine(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: output,
    stderr: output,
    env: { PATH: "/no/such/folder" },
  });
  return printed;
}
