import type { Report } from "../report-model.js";
import { renderJunit } from "./junit-report.js";
import { renderMarkdown } from "./markdown-report.js";
import { renderText, type TextOptions } from "./text-report.js";

/** The formats of a report, by the name that `--format` takes. */
export const REPORT_FORMATS = {
  text: renderText,
  json: (report: Report) => `${JSON.stringify(report, undefined, 2)}\n`,
  markdown: renderMarkdown,
  junit: renderJunit,
  // Loaded only when it is asked for, with its style sheet and its script.
  html: async (report: Report) => (await import("./html-report.js")).renderHtml(report),
} as const satisfies Readonly<Record<ReportFormat, Renderer>>;

/** The names of the formats. */
export const REPORT_FORMAT_NAMES = Object.keys(REPORT_FORMATS) as readonly ReportFormat[];

type Renderer = (report: Report, options: TextOptions) => string | Promise<string>;

/**
 * The name of a format of a report, as `--format` takes it.
 *
 * @category Automation API
 */
export type ReportFormat = "text" | "json" | "markdown" | "junit" | "html";

/** Whether a string is the name of a format. */
export function isReportFormat(text: string): text is ReportFormat {
  return Object.hasOwn(REPORT_FORMATS, text);
}
