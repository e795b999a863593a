import { parseAddress, regionAddress } from "../service/http/address.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import {
  type AddressSetting,
  describeSetting,
  NAMESPACE,
  notThis,
  type SettingProblem,
  type Settings,
  type SettingSources,
} from "./settings.js";
import { readTokenSource } from "./token-setting.js";

/** Reads the settings: stack configuration first, then the environment, then the default. Never throws. */
export function readSettings(sources: SettingSources): Settings {
  const limits = readLimits(sources);
  const force = readSwitch(sources, "KONNECT_FORCE_DELETE", safe`to override all guards`);
  const noDelete = readSwitch(sources, "KONNECT_NO_DELETE", safe`to delete no control plane`);
  return {
    ...limits,
    ...readAddress(sources),
    forceDelete: force.isOn,
    noDelete: noDelete.isOn,
    problems: [...limits.problems, ...force.problems, ...noDelete.problems],
    tokens: readTokenSource(sources),
    namespace: sources.namespace ?? NAMESPACE,
    reportFiles: readReportFiles(sources),
  };
}

/** Reads the paths of the report files. Any path is allowed here: what is wrong with it shows when it is opened. */
function readReportFiles(sources: SettingSources): readonly string[] {
  const [own] = [
    ...inConfiguration(sources, ["reportFile"]),
    ...inEnvironment(sources, ["KONNECT_REPORT_FILE"]),
  ];
  // A separate variable, so that `destroyControlPlanes` does not replace the user's own file.
  const [automation] = inEnvironment(sources, ["KONNECT_AUTOMATION_REPORT_FILE"]);
  return [own, automation].flatMap((set) => (set === undefined ? [] : [set.text]));
}

/** A value that is set, and where. */
interface SetValue {
  /** The name of the setting for messages. */
  readonly setting: SafeText;
  readonly text: string;
}

/** Returns the values of the configuration that are set, by their names. An empty text counts as not set. */
export function inConfiguration(
  { config, namespace = NAMESPACE, ...more }: SettingSources,
  names: readonly string[],
): readonly SetValue[] {
  return names.flatMap((name) =>
    setValue(describeSetting({ namespace, ...more }, name), config(`${namespace}:${name}`)),
  );
}

/** Returns the values of environment variables that are set. An empty text counts as not set. */
export function inEnvironment({ env }: SettingSources, variables: readonly string[]): readonly SetValue[] {
  return variables.flatMap((variable) => setValue(safeText(variable, 60), env[variable]));
}

function setValue(setting: SafeText, text: string | undefined): readonly SetValue[] {
  return text === undefined || text === "" ? [] : [{ setting, text }];
}

/** Reads the address: stack configuration first, then the environment. */
export function readAddress(sources: SettingSources): Pick<Settings, "address" | "environmentAddress"> {
  const configured = parseSetting(
    inConfiguration(sources, ["baseUrl", "region"]),
    safe`set ${sources.namespace ?? NAMESPACE}:baseUrl`,
  );
  const environmentAddress = parseSetting(
    inEnvironment(sources, ["KONNECT_SERVER_URL", "KONNECT_REGION"]),
    safe`set KONNECT_SERVER_URL`,
  );
  return { address: configured ?? environmentAddress, environmentAddress };
}

function parseSetting(
  [first, second]: readonly SetValue[],
  otherAddress: SafeText,
): AddressSetting | undefined {
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const reason = safe`are both set; use one of them`;
    return { setting: safe`${first.setting} and ${second.setting}`, parsed: { ok: false, reason } };
  }
  const { setting, text } = first;
  if (!/region/i.test(setting)) return { setting, parsed: parseAddress(text) };
  // An address can hold a password, so only the value of a region is repeated.
  return { setting, parsed: regionAddress(text, notThis(text), otherAddress) };
}

/** Each number by its name in the configuration: its environment variable, its default, and the largest value. */
const NUMBERS = {
  maxAttempts: { variable: "KONNECT_MAX_ATTEMPTS", default: 10, max: 100 },
  retryBudgetSeconds: { variable: "KONNECT_RETRY_BUDGET_SECONDS", default: 300, max: 86_400 },
  requestTimeoutSeconds: { variable: "KONNECT_REQUEST_TIMEOUT_SECONDS", default: 30, max: 3_600 },
  concurrency: { variable: "KONNECT_CONCURRENCY", default: 32, max: 100 },
} as const;

/** Reads the limits. An unusable number is reported in `problems`, and its default takes its place. */
export function readLimits(sources: SettingSources): Pick<Settings, "limits" | "concurrency" | "problems"> {
  const problems: SettingProblem[] = [];
  const number = (name: keyof typeof NUMBERS): number => {
    const { variable, max, ...spec } = NUMBERS[name];
    const [found] = [...inConfiguration(sources, [name]), ...inEnvironment(sources, [variable])];
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

/**
 * Reads a switch of the environment. Only `1` switches it on, so that a wrong value overrides nothing.
 *
 * @param effect what it does, for the message about another value
 */
export function readSwitch(
  sources: SettingSources,
  variable: string,
  effect: SafeText,
): { readonly isOn: boolean; readonly problems: readonly SettingProblem[] } {
  const [found] = inEnvironment(sources, [variable]);
  const value = found?.text.trim();
  if (found === undefined || value === "0") return { isOn: false, problems: [] };
  if (value === "1") return { isOn: true, problems: [] };
  const reason = safe`must be 1, ${effect}, or 0${notThis(found.text)}`;
  return { isOn: false, problems: [{ setting: found.setting, reason }] };
}
