import { safe } from "../text/safe-text.js";
import { inEnvironment, notThis, type SettingSources } from "./setting-sources.js";
import type { SettingProblem } from "./settings.js";

/** Reads KONNECT_FORCE_DELETE. Only `1` overrides guards, so that a wrong value does not. */
export function readForceDelete(sources: SettingSources): {
  readonly forceDelete: boolean;
  readonly problems: readonly SettingProblem[];
} {
  const [found] = inEnvironment(sources, ["KONNECT_FORCE_DELETE"]);
  const value = found?.text.trim();
  if (found === undefined || value === "0") return { forceDelete: false, problems: [] };
  if (value === "1") return { forceDelete: true, problems: [] };
  const reason = safe`must be 1, to override all guards, or 0${notThis(found.text)}`;
  return { forceDelete: false, problems: [{ setting: found.setting, reason }] };
}
