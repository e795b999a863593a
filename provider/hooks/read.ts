import { isDeepStrictEqual } from "node:util";
import type { Target } from "../service/control-plane.js";
import { ForbiddenError, SettingsError } from "../service/errors.js";
import { parseArguments } from "./arguments.js";
import type { HookContext, Outputs, Properties, StoredProblem } from "./context.js";
import { requireSettings } from "./require-settings.js";
import { outputsOf, parseOutputs, recordedTarget, storedProblem } from "./outputs.js";

/** What was found; an empty id removes the resource from the state. */
export type ReadResult = { readonly id: string; readonly props: Outputs } | { readonly id: "" };

/**
 * Looks a control plane up. Only the service's own 404 counts as gone; on any doubt it throws, and the state stays.
 *
 * A read that the service forbids is kept as `lastProblem`.
 */
export async function read(context: HookContext, id: string, properties: Properties): Promise<ReadResult> {
  const recorded = parseOutputs(properties);
  const target = isLookUp(properties)
    ? lookUpTarget(context, id, properties)
    : recordedTarget(id, properties);
  requireSettings(context, "read", target);
  const found = await look(context, target, recorded, isLookUp(properties) ? "adopt" : "read");
  if (found === undefined) return { id: "" };
  const props = keepSameProblem(found, recorded.lastProblem);
  if (!isDeepStrictEqual(props, recorded)) context.memory.noteChangedByRead(target.id);
  return { id: target.id, props };
}

async function look(
  { client, log }: HookContext,
  target: Target,
  recorded: Partial<Outputs>,
  doing: "adopt" | "read",
): Promise<Outputs | undefined> {
  try {
    const reading = await client.getControlPlane(target, { doing });
    if (reading.outcome === "found") return outputsOf(target, reading.controlPlane);
    log(
      `gone: control plane ${target.id} (404 from ${target.address}, ${reading.token}); it leaves the state`,
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
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

function lookUpTarget({ settings }: HookContext, id: string, properties: Properties): Target {
  const { address, id: parsedId } = parseArguments({ ...properties, controlPlaneId: id }, settings);
  if (address !== undefined && parsedId !== undefined) return { id: parsedId, address };
  throw new SettingsError("Unusable id or address: no control plane was looked up");
}

/** The same problem under another correlation identifier is no news. */
function keepSameProblem(found: Outputs, before: StoredProblem | undefined): Outputs {
  const { lastProblem } = found;
  if (lastProblem === undefined || before === undefined) return found;
  const same = isDeepStrictEqual({ ...lastProblem, instance: "" }, { ...before, instance: "" });
  return same ? { ...found, lastProblem: before } : found;
}
