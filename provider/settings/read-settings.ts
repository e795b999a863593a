import { readAddress } from "./address-setting.js";
import { readForceDelete } from "./force-setting.js";
import { readLimits } from "./limit-settings.js";
import type { SettingSources } from "./setting-sources.js";
import type { Settings } from "./settings.js";
import { readTokenSource } from "./token-setting.js";

/** Reads the settings: stack configuration first, then the environment, then the default. Never throws. */
export function readSettings(sources: SettingSources): Settings {
  const limits = readLimits(sources);
  const { forceDelete, problems } = readForceDelete(sources);
  return {
    ...limits,
    ...readAddress(sources),
    forceDelete,
    problems: [...limits.problems, ...problems],
    tokens: readTokenSource(sources),
  };
}
