import { parseAddress } from "../service/address.js";
import { parseControlPlaneId, type ControlPlane, type Target } from "../service/control-plane.js";
import { type ControlPlaneError, SettingsError } from "../service/errors.js";
import { harmless } from "../service/foreign-text.js";
import { isObject } from "../service/json.js";
import type { Problem } from "../service/problem.js";
import type { Outputs, Properties, StoredProblem } from "./context.js";

/** Records a control plane that was read. */
export function outputsOf(target: Target, controlPlane: ControlPlane): Outputs {
  return { baseUrl: target.address, name: harmless(controlPlane.name, 256) };
}

/** What a stored problem may take in the state. */
const STORED_BYTES = 1_000;

/** Records a problem in at most 1 KB. */
export function storedProblem({ status, problem, traceId }: ControlPlaneError): StoredProblem {
  const { title, detail, type } = problem ?? {};
  const stored: StoredProblem = {
    status: status ?? 0,
    title: harmless(title ?? "", 80),
    ...(type !== undefined && { type: harmless(type, 80) }),
    ...(traceId !== undefined && { instance: harmless(traceId, 80) }),
  };
  if (detail === undefined) return stored;
  const withDetail = (length: number) => ({ ...stored, detail: harmless(detail, length) });
  // A character can take several bytes, and a row of escapes even more.
  const length = [400, 200, 100, 50].find(
    (n) => Buffer.byteLength(JSON.stringify(withDetail(n))) <= STORED_BYTES,
  );
  return length === undefined ? stored : withDetail(length);
}

/** Says where it comes from that a control plane does not exist: a wrong organisation looks the same. */
export function describeGone({ id, address }: Target, problem: Problem, token: string): string {
  const trace = problem.instance === undefined ? "" : `, ${harmless(problem.instance, 80)}`;
  return `control plane ${id} (404 from ${address}${trace}, ${token})`;
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
    {
      subject: `control plane ${harmless(id, 60)}`,
      summary: `unusable ${parsedId === undefined ? "id" : "address"} in the state`,
    },
  );
}

function isStoredProblem(value: unknown): value is StoredProblem {
  return isObject(value) && typeof value.status === "number" && typeof value.title === "string";
}
