import { safe } from "../text/safe-text.js";
import { inConfiguration, inEnvironment, notThis, type SettingSources } from "./setting-sources.js";
import type { Settings, SettingProblem } from "./settings.js";

/** Each number: its key in stack configuration, its environment variable, its default, and the largest value. */
const NUMBERS = {
  maxAttempts: { key: "konnect:maxAttempts", variable: "KONNECT_MAX_ATTEMPTS", default: 10, max: 100 },
  retryBudgetSeconds: {
    key: "konnect:retryBudgetSeconds",
    variable: "KONNECT_RETRY_BUDGET_SECONDS",
    default: 300,
    max: 86_400,
  },
  requestTimeoutSeconds: {
    key: "konnect:requestTimeoutSeconds",
    variable: "KONNECT_REQUEST_TIMEOUT_SECONDS",
    default: 30,
    max: 3_600,
  },
  concurrency: { key: "konnect:concurrency", variable: "KONNECT_CONCURRENCY", default: 32, max: 100 },
} as const;

/** Reads the limits. An unusable number is reported in `problems`, and its default takes its place. */
export function readLimits(sources: SettingSources): Pick<Settings, "limits" | "concurrency" | "problems"> {
  const problems: SettingProblem[] = [];
  const number = (name: keyof typeof NUMBERS): number => {
    const { key, variable, max, ...spec } = NUMBERS[name];
    const [found] = [...inConfiguration(sources, [key]), ...inEnvironment(sources, [variable])];
    if (found === undefined) return spec.default;
    const value = Number(found.text);
    if (/^\d+$/.test(found.text.trim()) && value >= 1 && value <= max) return value;
    const reason = safe`must be a whole number from 1 to ${max}${notThis(found.text)}`;
    problems.push({ setting: found.setting, reason });
    return spec.default;
  };
  return {
    limits: {
      maxAttempts: number("maxAttempts"),
      budgetMs: number("retryBudgetSeconds") * 1000,
      requestTimeoutMs: number("requestTimeoutSeconds") * 1000,
    },
    concurrency: number("concurrency"),
    problems,
  };
}
