import { isDeepStrictEqual } from "node:util";
import type { Target } from "../service/control-plane.js";
import { ForbiddenError } from "../service/errors.js";
import { requireTarget } from "./arguments.js";
import type { HookContext, Outputs, Properties, StoredProblem } from "./context.js";
import { requireSettings } from "./require-settings.js";
import { describeGone, outputsOf, parseOutputs, recordedTarget, storedProblem } from "./outputs.js";

/** What was found; an empty id removes the resource from the state. */
export type ReadResult = { readonly id: string; readonly props: Outputs } | { readonly id: "" };

/**
 * Looks a control plane up. Only the service's own 404 counts as gone; on any doubt it throws, and the state stays.
 *
 * A read that the service forbids is kept as `lastProblem`.
 */
export async function read(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  if (isLookUp(properties)) return lookUp(context, id, properties);
  const recorded = parseOutputs(properties);
  const target = recordedTarget(id, properties);
  requireSettings(context, "read", target);
  const found = await look(context, target, recorded);
  if (found === undefined) return { id: "" };
  const props = keepSameProblem(found, recorded.lastProblem);
  if (!isDeepStrictEqual(props, recorded)) context.memory.noteChangedByRead(target.id);
  return { id: target.id, props };
}

async function look(
  { client, log }: HookContext,
  target: Target,
  recorded: Partial<Outputs>,
): Promise<Outputs | undefined> {
  try {
    const reading = await client.getControlPlane(target, { doing: "read" });
    if (reading.outcome === "found") return outputsOf(target, reading.controlPlane);
    log(`gone: ${describeGone(target, reading.problem, reading.token)}; it leaves the state`);
    return undefined;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    // Told each time: a diff shows the stored problem only when it is new.
    log(`${error.summary}: control plane ${target.id} could not be read (${error.traceId ?? "no trace"})`);
    return {
      baseUrl: target.address,
      ...(recorded.name !== undefined && { name: recorded.name }),
      lastProblem: storedProblem(error),
    };
  }
}

/** Arguments instead of outputs: the program looks a control plane up by its id, and there is no state yet. */
function isLookUp(properties: Properties): boolean {
  return properties.controlPlaneId !== undefined || properties.baseUrl === undefined;
}

async function lookUp(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  const target = requireTarget({ ...properties, controlPlaneId: id }, context.settings, "look up");
  requireSettings(context, "look up", target);
  const reading = await context.client.getControlPlane(target, { doing: "look up" });
  if (reading.outcome === "gone") throw new Error("the client finds nothing that is gone");
  return { id: target.id, props: outputsOf(target, reading.controlPlane) };
}

/** The same problem under another correlation identifier is no news. */
function keepSameProblem(found: Outputs, before: StoredProblem | undefined): Outputs {
  if (before === undefined) return found;
  const same = isDeepStrictEqual({ ...found.lastProblem, instance: "" }, { ...before, instance: "" });
  return same ? { ...found, lastProblem: before } : found;
}
