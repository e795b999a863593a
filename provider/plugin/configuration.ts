import { readSettings } from "../settings/read-settings.js";
import type { Settings, SettingSources } from "../settings/settings.js";
import { readTokenFile } from "../settings/token-setting.js";
import { ControlPlaneError } from "../service/failure/control-plane-error.js";
import { isUnknown, type Properties } from "../state/recorded-fields.js";
import { parseJsonObject } from "../text/json.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";

/** The name of the package. The keys of its configuration begin with it. */
export const PACKAGE = safe`konnect-control-planes`;

/** The settings that a provider takes. */
export const SETTING_NAMES = [
  "token",
  "region",
  "baseUrl",
  "maxAttempts",
  "retryBudgetSeconds",
  "requestTimeoutSeconds",
  "concurrency",
  "reportFile",
] as const;

/** What the engine adds to the inputs of a provider. */
const OF_ENGINE: readonly string[] = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** What is wrong with the inputs of a provider. */
export interface ConfigurationFailure {
  readonly property: string;
  readonly reason: SafeText;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns what is wrong with the inputs of a provider. What the environment sets is checked with each resource, because
 * it can change until then.
 */
export function checkConfiguration(inputs: Properties, env: Environment): readonly ConfigurationFailure[] {
  const known: readonly string[] = [...SETTING_NAMES, ...OF_ENGINE];
  const unknown = Object.keys(inputs).filter((name) => !known.includes(name));
  // What is not known yet is checked in the up.
  const given = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !isUnknown(value)));
  const settings = settingsOf(configurationOf(given), env);
  return [
    ...unknown.map((property) =>
      withoutValue(
        safe`${safeText(property, 60)} should not exist; allowed are ${safeText(SETTING_NAMES.join(", "), 200)}`,
      ),
    ),
    ...problemsOf(settings)
      .filter(({ setting }) => setting.startsWith(OF_PROVIDER))
      .map(({ setting, reason }) => withoutValue(safe`${setting} ${reason}`)),
    ...tokenFailure(given, settings),
  ];
}

const OF_PROVIDER = "provider argument ";

/** Names the argument in its reason alone. The CLI would print the value, which may be a token in the wrong place. */
function withoutValue(reason: SafeText): ConfigurationFailure {
  return { property: "", reason };
}

function problemsOf({ problems, address }: Settings): Settings["problems"] {
  if (address === undefined || address.parsed.ok) return problems;
  return [...problems, { setting: address.setting, reason: address.parsed.reason }];
}

function tokenFailure({ token }: Properties, { tokens }: Settings): readonly ConfigurationFailure[] {
  if (token === undefined || token === "") return [];
  try {
    tokens.current();
    return [];
  } catch (error) {
    if (error instanceof ControlPlaneError) return [withoutValue(error.summary)];
    throw error;
  }
}

/**
 * Returns the configuration of a provider by key, for example `konnect-control-planes:region`. A setting that is not a
 * string counts as its JSON.
 *
 * A provider that the program does not declare itself is configured by the stack. Its state has the stack's configuration
 * of the last `up`, so today's takes precedence.
 *
 * @param inputs those of the provider
 * @param name of the provider in the program
 * @param env where the engine puts today's stack configuration of the package, by name
 */
export function configurationOf(
  inputs: Properties,
  name?: string,
  env: Environment = {},
): SettingSources["config"] {
  const today = isDefaultProvider(name) ? parseJsonObject(env.PULUMI_CONFIG ?? "") : undefined;
  return (key) => {
    const name = key.slice(PACKAGE.length + 1);
    const value = today === undefined ? inputs[name] : today[name];
    if (value === undefined) return undefined;
    return typeof value === "string" ? value : JSON.stringify(value);
  };
}

/** Source: Pulumi, `DefaultName` in pkg/resource/deploy/providers/provider.go. */
export function isDefaultProvider(name: string | undefined): boolean {
  return name !== undefined && /^default(?:$|_\d+_\d+_\d+(?:_|$)|_.*[./])/.test(name);
}

function settingsOf(config: SettingSources["config"], env: Environment): Settings {
  const warn = () => undefined;
  return readSettings({ config, namespace: PACKAGE, origin: "provider", env, readTokenFile, warn });
}
