import provider from "@pulumi/pulumi/proto/provider_pb";
import type { DiffResult } from "../hooks/context.js";
import type { Properties } from "../state/recorded-fields.js";
import type { PropertyChange } from "./detailed-diff.js";
import { toStruct } from "./wire.js";

/** Renders the answer to `Check` and `CheckConfig`. */
export function checkResponse(
  inputs: Properties,
  failures: readonly { readonly property: string; readonly reason: string }[],
): provider.CheckResponse {
  const listed = failures.map(({ property, reason }) =>
    new provider.CheckFailure().setProperty(property).setReason(reason),
  );
  return new provider.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(listed);
}

const { Kind } = provider.PropertyDiff;

const KINDS = {
  add: { change: Kind.ADD, replacement: Kind.ADD_REPLACE },
  delete: { change: Kind.DELETE, replacement: Kind.DELETE_REPLACE },
  update: { change: Kind.UPDATE, replacement: Kind.UPDATE_REPLACE },
} as const;

/**
 * Renders the answer to `Diff` and `DiffConfig`.
 *
 * @param paths what changes among the arguments, by property path. Default: it is not known, and Pulumi compares them itself
 */
export function diffResponse(
  { changes, replaces = [], deleteBeforeReplace = false }: DiffResult,
  paths: ReadonlyMap<string, PropertyChange> = new Map(),
): provider.DiffResponse {
  const { DIFF_NONE, DIFF_SOME, DIFF_UNKNOWN } = provider.DiffResponse.DiffChanges;
  const response = new provider.DiffResponse()
    .setChanges(changes === undefined ? DIFF_UNKNOWN : changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList([...replaces])
    .setDeletebeforereplace(deleteBeforeReplace)
    .setDiffsList([...new Set([...paths.keys()].map(argumentOf))]);
  if (changes !== true || paths.size === 0) return response;
  const detailed = response.getDetaileddiffMap();
  for (const [path, change] of paths) {
    const kind = KINDS[change][replaces.includes(argumentOf(path)) ? "replacement" : "change"];
    detailed.set(path, new provider.PropertyDiff().setKind(kind).setInputdiff(true));
  }
  return response.setHasdetaileddiff(true);
}

/** Returns the argument that a property path begins with. */
function argumentOf(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}
