import { renderJsonPlan } from "./json-plan.js";
import type { Plan } from "./make-plan.js";
import { renderMarkdownPlan } from "./markdown-plan.js";
import { renderTextPlan } from "./text-plan.js";

/** The formats of a plan, by the name that `--format` takes. The width is that of the terminal, where there is one. */
export const PLAN_FORMATS = {
  text: renderTextPlan,
  json: renderJsonPlan,
  markdown: renderMarkdownPlan,
  // Loaded only when it is asked for, with the page of the report.
  html: async (plan: Plan) => (await import("./html-plan.js")).renderHtmlPlan(plan),
} as const satisfies Readonly<Record<string, (plan: Plan, width?: number) => string | Promise<string>>>;

/** The name of a format of a plan. */
export type PlanFormat = keyof typeof PLAN_FORMATS;

/** The names of the formats. */
export const PLAN_FORMAT_NAMES = Object.keys(PLAN_FORMATS) as readonly PlanFormat[];
