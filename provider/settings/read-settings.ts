import { readAddress } from "./address-setting.js";
import { readLimits } from "./limit-settings.js";
import type { SettingSources } from "./setting-sources.js";
import type { Settings } from "./settings.js";
import { readTokenSource } from "./token-setting.js";

/** Reads the settings: stack configuration first, then the environment, then the default. Never throws. */
export function readSettings(sources: SettingSources): Settings {
  return { ...readLimits(sources), ...readAddress(sources), tokens: readTokenSource(sources) };
}
