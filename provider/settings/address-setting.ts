import { parseAddress, regionAddress } from "../service/http/address.js";
import { safe, type SafeText } from "../text/safe-text.js";
import {
  inConfiguration,
  inEnvironment,
  notThis,
  type SettingSources,
  type SetValue,
} from "./setting-sources.js";
import type { AddressSetting, Settings } from "./settings.js";

/** Reads the address: stack configuration first, then the environment. */
export function readAddress(sources: SettingSources): Pick<Settings, "address" | "environmentAddress"> {
  const configured = parseSetting(
    inConfiguration(sources, ["konnect:baseUrl", "konnect:region"]),
    safe`set konnect:baseUrl`,
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
    const reason = safe`are both set; give one of them`;
    return { setting: safe`${first.setting} and ${second.setting}`, parsed: { ok: false, reason } };
  }
  const { setting, text } = first;
  if (!/region/i.test(setting)) return { setting, parsed: parseAddress(text) };
  // An address can hold a password, so only the value of a region is repeated.
  return { setting, parsed: regionAddress(text, notThis(text), otherAddress) };
}
