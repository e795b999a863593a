import { settingsError, type ControlPlaneError } from "../service/failure/control-plane-error.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import { askedFilter, isSelected } from "./filters.js";
import { byName, type FoundControlPlane, toFound } from "./found-control-plane.js";
import { listFound } from "./list-found.js";
import { requireAddress, requireArguments } from "./look-up-address.js";
import { asLookUp } from "./look-up-error.js";
import { callMock, hasMocks, MOCK_ADDRESS, parseMockedList } from "./mocked-call.js";
import { programSession } from "./program-session.js";
import { parseSelection, type ParsedSelection, type SelectControlPlanesArgs } from "./selection-arguments.js";

const NAME = safe`selectControlPlanes`;

/** Selects control planes, as `provider/loading-lookups.ts` describes it. */
export function selectControlPlanes(args: SelectControlPlanesArgs): Promise<readonly FoundControlPlane[]> {
  return asLookUp(async () => {
    const selection = parseSelection(args);
    requireArguments(NAME, { ...args }, selection.invalid);
    const { found, address } = hasMocks()
      ? { found: parseMockedList(NAME, await callMock(NAME, { ...args })), address: MOCK_ADDRESS }
      : await select(args, selection);
    const selected = [...found].sort(byName);
    const { atLeast, atMost } = selection;
    if (selected.length > atMost) throw tooMany(selected, atMost, address);
    if (selected.length < atLeast) throw tooFew(selected, atLeast, address);
    return Object.freeze(selected);
  });
}

async function select(
  args: SelectControlPlanesArgs,
  { filters }: ParsedSelection,
): Promise<{ readonly found: readonly FoundControlPlane[]; readonly address: string }> {
  const session = await programSession();
  const address = requireAddress(NAME, { ...args }, session, "list");
  const { controlPlanes, time } = await session.client.listControlPlanes(
    address,
    askedFilter(filters),
    session.scope,
  );
  const found = controlPlanes
    .filter((controlPlane) => isSelected(filters, controlPlane, time))
    .map((controlPlane) => toFound(controlPlane, address));
  return { found, address };
}

function tooMany(selected: readonly FoundControlPlane[], atMost: number, address: string): ControlPlaneError {
  const headline: SafeText = safe`Too many: ${describeMatches(selected.length, address)}, and atMost is ${atMost}`;
  return settingsError(
    renderMessage({
      headline,
      explanation: [safe`Nothing is selected. These match:`, ...listFound(selected)],
      rows: [[safe`next`, safe`narrow the filters, or raise atMost, then run again`]],
    }),
  );
}

function tooFew(selected: readonly FoundControlPlane[], atLeast: number, address: string): ControlPlaneError {
  const headline: SafeText = safe`Too few: ${describeMatches(selected.length, address)}, and atLeast is ${atLeast}`;
  const found =
    selected.length === 0 ? [] : [safe`Nothing is selected. These match:`, ...listFound(selected)];
  const next = safe`widen the filters, lower atLeast, or use a token that may read more, then run again`;
  return settingsError(renderMessage({ headline, explanation: found, rows: [[safe`next`, next]] }));
}

function describeMatches(count: number, address: string): SafeText {
  const place = safeText(address, 200);
  if (count === 0) return safe`no control plane at ${place} matches`;
  return count === 1
    ? safe`1 control plane at ${place} matches`
    : safe`${count} control planes at ${place} match`;
}
