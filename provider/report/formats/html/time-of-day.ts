import { safeText, type SafeText } from "../../../text/safe-text.js";

/** Returns the time of day in UTC: `02:11:17`. */
export function clockOf(ms: number): SafeText {
  return safeText(new Date(ms).toISOString().slice(-13, -5), 8);
}

/** Returns the day in UTC: `2026-01-31`. */
export function dayOf(ms: number): SafeText {
  return safeText(new Date(ms).toISOString().slice(0, -14), 13);
}
