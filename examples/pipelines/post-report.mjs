// Posts what a night did to an incoming webhook, in the format of Slack: a JSON object with `text`.
//
//   node post-report.mjs reports/night.json
//
// REPORT_WEBHOOK_URL holds the address of the webhook. Whoever knows it can post, so nothing here prints it.
//
// Exit codes: 0 the message is posted. 1 it is not posted, or it could only say that there is no report.
// 2 the argument or the address is missing or wrong.

/* global AbortSignal, console, fetch, URL */
import { readFileSync } from "node:fs";
import process from "node:process";

/** Slack asks for at most 4,000 characters, and an escaped one counts as up to five. */
const MAX_CHARACTERS = 3_500;
const MAX_CAUSES = 10;
const MAX_NAMES = 5;
const TIMEOUT_MS = 15_000;

async function main(files, address) {
  const [file] = files;
  if (file === undefined || files.length > 1) return fail(2, "give the path of one report in JSON");
  if (!isUsable(address)) {
    return fail(2, "REPORT_WEBHOOK_URL must be the https address of an incoming webhook");
  }
  const report = readReport(file);
  const isPosted = await post(address, bounded(report === undefined ? [NO_REPORT] : describe(report)));
  if (!isPosted) return 1;
  return report === undefined ? fail(1, `${file} is no report; the message says that there is none`) : 0;
}

function fail(exitCode, why) {
  console.error(`post-report: ${why}`);
  return exitCode;
}

function isUsable(address) {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1");
}

function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(report.left) ? report : undefined;
  } catch {
    return undefined;
  }
}

const NO_REPORT =
  "The night left no report: it did not begin, or its report is lost. See the log of the job.";

/** Returns the message line by line, what matters first. */
function describe({ isComplete, left, kept, gone, nights = [] }) {
  const night = nights.at(-1);
  const what = night === undefined ? "The run" : `${night.command} on ${night.project ?? "?"}/${night.stack}`;
  const dryRun = night?.isDryRun ? ", a dry run" : "";
  const ending = isComplete
    ? "nothing is left"
    : left.length > 0
      ? `${left.length} left`
      : "it is not known whether anything is left";
  return [
    `${what}${dryRun}: ${ending} (${gone.length} gone, ${kept.length} kept)`,
    ...(night?.reason === undefined ? [] : [night.reason.summary, ...nextLine(night.reason.next)]),
    ...(night?.ending === "unfinished" ? ["It did not end: it was killed."] : []),
    ...causesOf(left).flatMap(describeCause),
    ...(night?.job === undefined ? [] : [night.job]),
  ];
}

/** Groups what is left by its cause and its next step, the most frequent first. */
function causesOf(left) {
  const causes = new Map();
  for (const { controlPlane, outcome, problem, status, error } of left) {
    const answer = problem?.title === undefined ? undefined : `${status} ${problem.title}`;
    const cause = { summary: answer ?? error?.kind ?? outcome, next: error?.next, names: [] };
    const key = JSON.stringify([cause.summary, cause.next]);
    if (!causes.has(key)) causes.set(key, cause);
    causes.get(key).names.push(controlPlane.name ?? controlPlane.id);
  }
  return [...causes.values()].sort((a, b) => b.names.length - a.names.length);
}

function describeCause({ summary, next, names }, index) {
  if (index === MAX_CAUSES) return ["• and more: see the report"];
  if (index > MAX_CAUSES) return [];
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : "";
  return [`• ${summary}: ${names.slice(0, MAX_NAMES).join(", ")}${more}`, ...nextLine(next)];
}

function nextLine(next) {
  return next === undefined ? [] : [`  next: ${next}`];
}

/** Joins as many lines as fit. Names and messages come from outside: nothing in them becomes a link or a mention. */
function bounded(lines) {
  const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@\u200b" };
  let text = "";
  for (const line of lines) {
    const escaped = line.slice(0, 500).replace(/[&<>@]/g, (character) => escapes[character]);
    if (text.length + escaped.length > MAX_CHARACTERS) return `${text}… the report says more`;
    text += `${escaped}\n`;
  }
  return text;
}

async function post(address, text) {
  try {
    const { ok, status } = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!ok) fail(1, `the webhook answered ${status}, so the message is not posted`);
    return ok;
  } catch (error) {
    // The message of the error can repeat the address. Its code does not.
    fail(1, `the message is not posted (${error.cause?.code ?? error.name})`);
    return false;
  }
}

process.exitCode = await main(process.argv.slice(2), process.env.REPORT_WEBHOOK_URL ?? "");
