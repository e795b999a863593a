import { readAddress } from "./address-setting.js";
import { readForceDelete } from "./force-setting.js";
import { readLimits } from "./limit-settings.js";
import { inConfiguration, inEnvironment, type SettingSources } from "./setting-sources.js";
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
    reportFiles: readReportFiles(sources),
  };
}

/** Reads the paths of the report files. Any path is allowed here: what is wrong with it shows when it is opened. */
function readReportFiles(sources: SettingSources): readonly string[] {
  const [own] = [
    ...inConfiguration(sources, ["konnect:reportFile"]),
    ...inEnvironment(sources, ["KONNECT_REPORT_FILE"]),
  ];
  // A variable of its own, so that `destroyControlPlanes` takes the place of no file that the user has set.
  const [automation] = inEnvironment(sources, ["KONNECT_AUTOMATION_REPORT_FILE"]);
  return [own, automation].flatMap((set) => (set === undefined ? [] : [set.text]));
}
