import { settingsError, type ControlPlaneError } from "../service/failure/control-plane-error.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { askedFilter, isSelected } from "./filters.js";
import { byName, type FoundControlPlane, toFound } from "./found-control-plane.js";
import { listFound } from "./list-found.js";
import { requireAddress, requireArguments } from "./look-up-address.js";
import { asLookUp } from "./look-up-error.js";
import { callMock, hasMocks, parseMockedList } from "./mocked-call.js";
import { programSession } from "./program-session.js";
import { parseSelection, type ParsedSelection, type SelectControlPlanesArgs } from "./selection-arguments.js";

const NAME = safe`selectControlPlanes`;

/**
 * Selects the control planes that all given filters let through, sorted by name. At least one filter is required. It has
 * the same settings, retries and messages as the resource. An empty selection is no error.
 *
 * In a unit test with `pulumi.runtime.setMocks` it sends no request. The mock's `call` gets the token
 * `konnect:index:selectControlPlanes` with the arguments, and returns `{ controlPlanes: [...] }`.
 *
 * @category Look-ups
 * @param args filters, and where to search
 * @returns the control planes that match, in a frozen list
 * @example
 * ```ts
 * const stale = await selectControlPlanes({
 *   region: "eu",
 *   labels: { env: "preview" },
 *   olderThan: "7d",
 *   atMost: 50,
 * });
 * ```
 * @throws pulumi.RunError when the arguments are wrong, when more than `atMost` match, or when the service cannot be asked
 */
export function selectControlPlanes(args: SelectControlPlanesArgs): Promise<readonly FoundControlPlane[]> {
  return asLookUp(async () => {
    const selection = parseSelection(args);
    requireArguments(NAME, { ...args }, selection.invalid);
    const found = hasMocks()
      ? parseMockedList(NAME, await callMock(NAME, { ...args }))
      : await select(args, selection);
    const selected = [...found].sort(byName);
    if (selected.length > selection.atMost) throw tooMany(selected, selection.atMost);
    return Object.freeze(selected);
  });
}

async function select(
  args: SelectControlPlanesArgs,
  { filters }: ParsedSelection,
): Promise<readonly FoundControlPlane[]> {
  const session = await programSession();
  const address = requireAddress(NAME, { ...args }, session, "list");
  const { controlPlanes, time } = await session.client.listControlPlanes(
    address,
    askedFilter(filters),
    session.scope,
  );
  return controlPlanes
    .filter((controlPlane) => isSelected(filters, controlPlane, time))
    .map((controlPlane) => toFound(controlPlane, address));
}

function tooMany(selected: readonly FoundControlPlane[], atMost: number): ControlPlaneError {
  const place = safeText(selected[0]?.baseUrl ?? "", 200);
  const headline: SafeText = safe`Too many: ${selected.length} control planes at ${place} match, and atMost is ${atMost}`;
  return settingsError(
    renderMessage({
      headline,
      explanation: [safe`Nothing is selected. These match:`, ...listFound(selected)],
      rows: [[safe`next`, safe`narrow the filters, or raise atMost, then run again`]],
    }),
  );
}
