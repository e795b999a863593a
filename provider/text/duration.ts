import { type SafeText, safe, safeText } from "./safe-text.js";

/** Describes a duration: `0.2 s`, `12.4 s`, `4 min 12 s`. */
export function describeDuration(ms: number): SafeText {
  if (ms < 59_950) return safeText(`${(ms / 1000).toFixed(1)} s`, 20);
  const seconds = Math.round(ms / 1000);
  return safe`${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
