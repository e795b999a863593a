import { PLAN_FORMAT_NAMES, type PlanFormat } from "../plan/plan-formats.js";
import { parseStateSource, type StateSource } from "./read-state.js";
import { parseAddress } from "../service/http/address.js";
import { safe } from "../text/safe-text.js";
import { parseCommandArguments, parseFormat, usageError } from "./command.js";

/** A parsed command line. */
export interface PlanArguments {
  readonly source: StateSource;
  readonly format: PlanFormat;
  /** Addresses besides the regions and those of the settings to which the token may be sent. */
  readonly allowedAddresses: readonly string[];
}

/** What `plan --help` prints. */
export const PLAN_HELP = `Usage: pulumi-konnect-control-planes plan [--stack NAME | --state FILE] [--format FORMAT]
       [--allow-address URL]…

Shows what a destroy of a stack would delete, and what stands in the way. Changes nothing.

  --stack NAME     the stack, which pulumi stack export reads; default: the selected one
  --state FILE     a file with the output of pulumi stack export, or the stack's file of
                   a file backend; - reads standard input
  --format FORMAT  ${PLAN_FORMAT_NAMES.join(", ")}; default: text
  --allow-address URL
                   an address that --state may name besides the regions and the address
                   in the environment; the token is sent to no other. May be repeated
  --help           shows this text

The token and the limits come from the environment: KONNECT_SPAT, KONNECT_TOKEN or
KONNECT_TOKEN_FILE, and so on. Each control plane is asked for at its recorded address.

Exit code 0: nothing stands in the way; 1: something does, or the creation of a control
plane is pending; 2: no plan could be made.`;

/** Parses the arguments after `plan`. @throws UsageError that says what is allowed */
export function parsePlanArguments(args: readonly string[]): PlanArguments {
  const text = { type: "string" } as const;
  const { values } = parseCommandArguments({
    args: [...args],
    options: { stack: text, state: text, format: text, "allow-address": { ...text, multiple: true } },
  });
  const { stack, state, format = "text", "allow-address": allowed = [] } = values;
  return {
    source: parseStateSource(stack, state),
    format: parseFormat(format, PLAN_FORMAT_NAMES),
    allowedAddresses: allowed.map(parseAllowed),
  };
}

function parseAllowed(text: string): string {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.address;
  throw usageError(safe`--allow-address ${parsed.reason}`);
}
