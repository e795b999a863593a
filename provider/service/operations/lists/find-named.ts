import type { ControlPlaneDocument } from "../control-plane-document.js";
import { listControlPlanes } from "./list-control-planes.js";
import type { Operation } from "../operation.js";

/**
 * Finds the control plane that has a name. Names are unique in a region of an organization. While there is none, the
 * answer is "not yet": a list can lag behind a creation.
 */
export function findNamed(name: string): Operation<ControlPlaneDocument> {
  const operation = listControlPlanes({ name }, 1);
  return {
    ...operation,
    parse(reply) {
      const parsed = operation.parse(reply);
      if (parsed.kind !== "result") return parsed;
      // A service that ignores the filter lists others, too. Whether names differ by case alone is not documented.
      const { items } = parsed.result;
      const result =
        items.find((item) => item.name === name) ??
        items.find((item) => item.name.toLowerCase() === name.toLowerCase());
      return result === undefined ? { kind: "not yet", awaits: "creation" } : { kind: "result", result };
    },
  };
}
