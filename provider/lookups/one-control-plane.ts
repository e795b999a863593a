import { reportFailure } from "../hooks/context.js";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import { ID_RULE, parseControlPlaneId } from "../service/operations/control-plane-document.js";
import type { InvalidParameter } from "../service/problem/problem.js";
import { isObject } from "../text/json.js";
import { renderMessage } from "../text/message.js";
import { safe, safeName, safeText } from "../text/safe-text.js";
import { byName, type FoundControlPlane, listFound, toFound } from "./found-control-plane.js";
import { requireAddress, requireArguments, wrongArguments } from "./look-up-address.js";
import type { LookUpSession, LookUpSource } from "./look-up-source.js";
import { parseMocked } from "./mocked-call.js";
import { type LookUpLocation, refuseArguments } from "./plain-arguments.js";

/**
 * Exactly one of `id` and `name`. Outputs are not allowed.
 *
 * @category Look-ups
 */
export interface GetControlPlaneArgs extends LookUpLocation {
  /**
   * UUID of the control plane.
   *
   * @example id: "9524ec7d-36d9-465d-a8c5-83a3c9390458"
   */
  readonly id?: string | undefined;
  /**
   * Whole name. Upper and lower case matter.
   *
   * @example name: "edge"
   */
  readonly name?: string | undefined;
}

const NAME = safe`getControlPlane`;

/** Looks up one control plane. @throws ControlPlaneError when there is not exactly one, or the service cannot be asked */
export async function lookUpControlPlane(
  args: GetControlPlaneArgs,
  { mock, session: openSession }: LookUpSource,
): Promise<FoundControlPlane> {
  const wanted = parseWanted(args);
  requireArguments(NAME, { ...args }, wanted.by === "nothing" ? wanted.invalid : []);
  if (mock !== undefined) return parseMocked(NAME, await mock(NAME, { ...args }));
  const session = await openSession();
  const address = requireAddress(NAME, { ...args }, session, "look up");
  switch (wanted.by) {
    case "id":
      return findById(session, address, wanted.id);
    case "name":
      return findByName(session, address, wanted.name);
    case "nothing":
      throw wrongArguments(NAME, wanted.invalid);
  }
}

type Wanted =
  | { readonly by: "id"; readonly id: string }
  | { readonly by: "name"; readonly name: string }
  | { readonly by: "nothing"; readonly invalid: readonly InvalidParameter[] };

function parseWanted(args: unknown): Wanted {
  const refuse = (...invalid: InvalidParameter[]): Wanted => ({ by: "nothing", invalid });
  const refused = refuseArguments(args, ["id", "name", "region", "baseUrl"]);
  if (refused.length > 0 || !isObject(args)) return refuse(...refused);
  const { id, name } = args;
  if ((id === undefined) === (name === undefined)) {
    return refuse({ reason: "exactly one of id and name is required" });
  }
  if (id === undefined) {
    return typeof name === "string" && name !== ""
      ? { by: "name", name }
      : refuse({ field: "name", reason: "must be a string that is not empty" });
  }
  const parsed = typeof id === "string" ? parseControlPlaneId(id) : undefined;
  return parsed === undefined ? refuse({ field: "id", reason: ID_RULE }) : { by: "id", id: parsed };
}

function findById(
  { client, scope, emit }: LookUpSession,
  address: string,
  id: string,
): Promise<FoundControlPlane> {
  return reportFailure(
    { emit },
    {
      purpose: "look up",
      id,
      find: () => ({ id, address }),
      async run(ref) {
        const { controlPlane, facts } = await client.findControlPlane(ref, scope, "look up");
        emit({ type: "found", controlPlane: { ...ref, name: controlPlane.name }, facts });
        return toFound(controlPlane, address);
      },
    },
  );
}

async function findByName(session: LookUpSession, address: string, name: string): Promise<FoundControlPlane> {
  const { controlPlanes } = await session.client.listControlPlanes(address, { name }, session.scope);
  // A service that ignores the filter must not make another control plane the one that is meant.
  const named = controlPlanes.filter((controlPlane) => controlPlane.name === name);
  const [found, ...others] = named.map((controlPlane) => toFound(controlPlane, address)).sort(byName);
  if (found === undefined) throw noneNamed(address, name, await findSimilar(session, address, name));
  if (others.length > 0) throw severalNamed(address, name, [found, ...others]);
  return found;
}

/** Finds what the name could be a part of, for the message alone. */
async function findSimilar(
  { client, scope }: LookUpSession,
  address: string,
  name: string,
): Promise<readonly FoundControlPlane[]> {
  try {
    const { controlPlanes } = await client.listControlPlanes(address, { nameContains: name }, scope);
    return controlPlanes
      .filter((controlPlane) => controlPlane.name.toLowerCase().includes(name.toLowerCase()))
      .map((controlPlane) => toFound(controlPlane, address))
      .sort(byName);
  } catch (error) {
    if (error instanceof ControlPlaneError) return [];
    throw error;
  }
}

function noneNamed(address: string, name: string, similar: readonly FoundControlPlane[]): ControlPlaneError {
  return settingsError(
    renderMessage({
      headline: safe`Not found: no control plane at ${safeText(address, 200)} is named "${safeName(name, 60)}"`,
      explanation: similar.length === 0 ? [] : [safe`Names that contain it:`, ...listFound(similar)],
      rows: [
        [
          safe`next`,
          safe`correct the name or the address; a token of another organization, or one that may not list it, gets the same answer`,
        ],
      ],
    }),
  );
}

function severalNamed(address: string, name: string, found: readonly FoundControlPlane[]): ControlPlaneError {
  return settingsError(
    renderMessage({
      headline: safe`Not unique: ${found.length} control planes at ${safeText(address, 200)} are named "${safeName(name, 60)}"`,
      explanation: listFound(found),
      rows: [[safe`next`, safe`use the id of the one that is meant, then run again`]],
    }),
  );
}
