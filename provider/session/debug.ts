import { safeText } from "../text/safe-text.js";

/**
 * Prints what only the maintainers of this package need, when KONNECT_DEBUG=1 asks for it. It is not part of `session.ts`,
 * because look-ups under mocks print without loading the service.
 */
export function debug(what: string, error: unknown): void {
  if (process.env.KONNECT_DEBUG !== "1") return;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const lines = text.split("\n", 50).map((line) => safeText(line, 1_000));
  process.stderr.write(`pulumi-konnect-control-planes: ${what}: ${lines.join("\n    ")}\n`);
}
