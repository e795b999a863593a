import type { Target } from "../service/control-plane.js";
import { ControlPlaneError, InterruptedError, SettingsError } from "../service/errors.js";
import { harmless } from "../service/foreign-text.js";
import { renderMessage } from "../service/message.js";
import { adoptedTwice } from "./adopted-twice.js";
import { isUnknown, parseArguments } from "./arguments.js";
import type { HookContext, Properties } from "./context.js";
import { recordedTarget } from "./outputs.js";

/** Whether a resource changes; without `changes` that is not known yet. */
export interface DiffResult {
  readonly changes?: boolean;
}

/** One look, which must never hold up a preview for long. */
const LOOK = { maxAttempts: 1, budgetMs: 5_000, requestTimeoutMs: 5_000 };

/**
 * Compares the recorded control plane with the one that the program names.
 *
 * Nothing about an adopted control plane can be changed, and another id or address would delete the one that is
 * recorded: that is refused here, in the preview. Only an address given as an argument counts; one from the settings
 * was used once, at adoption.
 */
export async function diff(
  context: HookContext,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<DiffResult> {
  if ([inputs.controlPlaneId, inputs.region, inputs.baseUrl].some(isUnknown)) return {};
  const recorded = recordedTarget(id, outputs);
  const wanted = parseArguments(inputs, context.settings);
  const changed = [
    ...change("controlPlaneId", recorded.id, wanted.id),
    ...(wanted.addressGiven ? change("address", recorded.address, wanted.address) : []),
  ];
  if (changed.length > 0) throw await refuseToReplace(context, recorded, changed);
  if (!wanted.addressGiven && wanted.address !== recorded.address && context.memory.programRuns) {
    const now = wanted.address === undefined ? "name none" : `say ${wanted.address}`;
    context.log(
      `control plane ${recorded.id} stays at ${recorded.address}, where it was adopted; the settings now ${now}`,
    );
  }
  if (context.memory.isDeclared(recorded.id) && !context.memory.claim(recorded.id, "diff")) {
    throw adoptedTwice(recorded);
  }
  return { changes: context.memory.takeChangedByRead(recorded.id) };
}

function change(what: string, before: string, now: string | undefined): string[] {
  return before === now ? [] : [`${what} from ${before} to ${now ?? "nothing usable"}`];
}

async function refuseToReplace(
  context: HookContext,
  lost: Target,
  changed: readonly string[],
): Promise<SettingsError> {
  const message = renderMessage({
    headline: `Refused: control plane ${lost.id} would be deleted by this change`,
    explanation: await describeLoss(context, lost),
    rows: [
      ...changed.map((text) => ["changed", text] as const),
      ["delete it", "remove the resource from the program; declare the other one under a new resource name"],
      ["let it go", "pulumi state delete <urn>, then run again: nothing is deleted"],
    ],
  });
  return new SettingsError(message, {
    subject: `control plane ${lost.id}`,
    summary: "refused, this change would delete it",
  });
}

async function describeLoss({ client, memory }: HookContext, lost: Target): Promise<readonly string[]> {
  // A refresh compares too, and has just read it.
  if (!memory.programRuns) return [];
  try {
    const reading = await client.getControlPlane(lost, { doing: "read", limits: LOOK });
    if (reading.outcome === "gone") return ["The service says that it does not exist (any more)."];
    const { name, labels } = reading.controlPlane;
    const pairs = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
    const labelled = pairs.length === 0 ? "without labels" : `labels ${pairs.join(", ")}`;
    return [`It is ${harmless(`"${name}", ${labelled}`, 400)}.`];
  } catch (error) {
    if (!(error instanceof ControlPlaneError)) throw error;
    if (error instanceof InterruptedError) return ["It could not be asked within five seconds."];
    const { summary, problem } = error;
    return [
      `Asked about it, the service says: ${summary}. ${harmless(problem?.detail ?? "", 300)}`.trimEnd(),
    ];
  }
}
