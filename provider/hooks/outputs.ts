import { parseAddress } from "../service/address.js";
import { isObject, parseControlPlaneId, type ControlPlane, type Target } from "../service/control-plane.js";
import { type ControlPlaneError, SettingsError } from "../service/errors.js";
import { harmless } from "../service/foreign-text.js";
import type { Outputs, Properties, StoredProblem } from "./context.js";

/** Records a control plane that was read. */
export function outputsOf(target: Target, controlPlane: ControlPlane): Outputs {
  return { baseUrl: target.address, name: harmless(controlPlane.name, 256) };
}

/** Records a problem in at most 1 KB. */
export function storedProblem({ status, problem, traceId }: ControlPlaneError): StoredProblem {
  const { title, detail, type } = problem ?? {};
  return {
    status: status ?? 0,
    title: harmless(title ?? "", 80),
    ...(detail !== undefined && { detail: harmless(detail, 400) }),
    ...(type !== undefined && { type: harmless(type, 120) }),
    ...(traceId !== undefined && { instance: traceId }),
  };
}

/** Reads outputs back from the state; what is not as it was recorded is left out. */
export function parseOutputs(properties: Properties): Partial<Outputs> {
  const { baseUrl, name, lastProblem } = properties;
  return {
    ...(typeof baseUrl === "string" && { baseUrl }),
    ...(typeof name === "string" && { name }),
    ...(isStoredProblem(lastProblem) && { lastProblem }),
  };
}

/**
 * Gives the recorded control plane, judged again before a token is sent there.
 *
 * @throws SettingsError when the state holds no usable id or address
 */
export function recordedTarget(id: string, properties: Properties): Target {
  const parsedId = parseControlPlaneId(id);
  const { baseUrl } = parseOutputs(properties);
  const reading = parseAddress(baseUrl ?? "");
  if (parsedId !== undefined && reading.ok) return { id: parsedId, address: reading.address };
  const what =
    parsedId === undefined ? `id "${harmless(id, 60)}" is not a UUID` : "baseUrl is not a usable address";
  throw new SettingsError(
    `The state's ${what}: control plane ${harmless(id, 60)} was left alone\n` +
      "  Nothing was sent. Correct the state, or remove the resource from it with pulumi state delete.",
    `control plane ${harmless(id, 60)}`,
  );
}

function isStoredProblem(value: unknown): value is StoredProblem {
  return isObject(value) && typeof value.status === "number" && typeof value.title === "string";
}
