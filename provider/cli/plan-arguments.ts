import { parseArgs } from "node:util";
import { settingsError } from "../service/failure/control-plane-error.js";
import { safe, safeText } from "../text/safe-text.js";

/** The formats of a plan. */
export const PLAN_FORMATS = ["text", "json", "markdown"] as const;
export type PlanFormat = (typeof PLAN_FORMATS)[number];

/** A parsed command line. */
export type PlanArguments =
  | { readonly kind: "help" }
  | { readonly kind: "plan"; readonly source: StateSource; readonly format: PlanFormat };

/** Where the state comes from. */
export type StateSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "standard input" }
  /** The CLI exports it. Without a name, the stack that is selected. */
  | { readonly kind: "stack"; readonly stack: string | undefined };

/** What `plan --help` prints. */
export const PLAN_HELP = `Usage: pulumi-konnect-control-planes plan [--stack NAME | --state FILE] [--format FORMAT]

Shows what a destroy of a stack would delete, and what stands in the way. Changes nothing.

  --stack NAME     the stack, which pulumi stack export reads; default: the selected one
  --state FILE     a file with the output of pulumi stack export, or the stack's file of
                   a file backend; - reads standard input
  --format FORMAT  ${PLAN_FORMATS.join(", ")}; default: text
  --help           print this text

The token and the limits come from the environment: KONNECT_SPAT, KONNECT_TOKEN or
KONNECT_TOKEN_FILE, and so on. Each control plane is asked for at its recorded address.

Exit code 0: nothing stands in the way; 1: something does; 2: no plan could be made.
`;

/** Parses the arguments after `plan`. @throws ControlPlaneError that says what is allowed */
export function parsePlanArguments(args: readonly string[]): PlanArguments {
  const { stack, state, format = "text", help } = parseOptions(args);
  if (help === true) return { kind: "help" };
  if (stack !== undefined && state !== undefined) {
    throw settingsError(safe`--stack and --state are both given; give one of them`);
  }
  if (!isFormat(format)) {
    const allowed = safeText(PLAN_FORMATS.join(", "), 60);
    throw settingsError(safe`--format must be one of ${allowed}, not "${safeText(format, 40)}"`);
  }
  return { kind: "plan", source: sourceOf(stack, state), format };
}

function parseOptions(args: readonly string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: { stack: text, state: text, format: text, help: { type: "boolean", short: "h" } },
    }).values;
  } catch (error) {
    // Its first sentence says what is wrong. The others explain how to pass such an argument on.
    const words = String(error instanceof Error ? error.message : error).replace(/\. .*/s, "");
    throw settingsError(safe`${safeText(words, 200)}; allowed are --stack, --state, --format and --help`);
  }
}

function sourceOf(stack: string | undefined, state: string | undefined): StateSource {
  if (state === "-") return { kind: "standard input" };
  return state === undefined ? { kind: "stack", stack } : { kind: "file", path: state };
}

function isFormat(text: string): text is PlanFormat {
  return (PLAN_FORMATS as readonly string[]).includes(text);
}
