import type { OutcomeEvent } from "../report/outcome-event.js";
import type { SelectionLine } from "../report/selection-line.js";
import { ControlPlaneError, settingsError } from "../service/failure/control-plane-error.js";
import type { ControlPlaneDocument } from "../service/operations/control-plane-document.js";
import type { ListFilter } from "../service/operations/control-planes.js";
import type { AnswerTime } from "../service/retry/call.js";
import { renderMessage } from "../text/message.js";
import { safe, safeText, type SafeText } from "../text/safe-text.js";
import {
  describeAllKept,
  describeFilters,
  describeKept,
  describeNoMatch,
  describeUnreadableDays,
  isForNow,
  type Sorted,
  sortOut,
} from "./describe-selection.js";
import { askedFilter, type Filters } from "./filters.js";
import { byName, type FoundControlPlane, listFound, toFound } from "./found-control-plane.js";
import { requireAddress, requireArguments } from "./look-up-address.js";
import type { LookUpSession, LookUpSource } from "./look-up-source.js";
import { MOCK_ADDRESS, parseMockedList } from "./mocked-call.js";
import { parseSelection, type ParsedSelection, type SelectControlPlanesArgs } from "./selection-arguments.js";

const NAME = safe`selectControlPlanes`;

/** Selects control planes. @throws ControlPlaneError when too many or too few match, or the service cannot be asked */
export async function lookUpControlPlanes(
  args: SelectControlPlanesArgs,
  source: LookUpSource,
): Promise<readonly FoundControlPlane[]> {
  const selection = parseSelection(args);
  requireArguments(NAME, { ...args }, selection.invalid);
  const { mock } = source;
  const { found, address } =
    mock === undefined
      ? await select(args, selection, await source.session())
      : { found: parseMockedList(NAME, await mock(NAME, { ...args })), address: MOCK_ADDRESS };
  const selected = [...found].sort(byName);
  const { atLeast, atMost } = selection;
  if (selected.length > atMost) throw tooMany(selected, atMost, address);
  if (selected.length < atLeast) throw tooFew(selected, atLeast, address);
  return Object.freeze(selected);
}

async function select(
  args: SelectControlPlanesArgs,
  selection: ParsedSelection,
  session: LookUpSession,
): Promise<{ readonly found: readonly FoundControlPlane[]; readonly address: string }> {
  const { filters } = selection;
  const address = requireAddress(NAME, { ...args }, session, "list");
  const asked = askedFilter(filters);
  const { controlPlanes, time } = await session.client.listReliably(address, asked, session.scope);
  const sorted = sortOut(filters, controlPlanes, time);
  const said = describeUnreadableDays(filters, sorted, time);
  for (const text of said) session.emit({ type: "warning", text });
  const explained = await explain(session, { filters, sorted, time, address, asked, controlPlanes });
  for (const event of explained) session.emit(event);
  await session.record(
    selectionLine(session, args, selection, {
      address,
      sorted,
      said: [...explained.map(({ text }) => text), ...said],
    }),
  );
  return { found: sorted.selected.map((controlPlane) => toFound(controlPlane, address)), address };
}

interface Selected {
  readonly filters: Filters;
  readonly sorted: Sorted;
  readonly time: AnswerTime;
  readonly address: string;
  readonly asked: ListFilter;
  readonly controlPlanes: readonly ControlPlaneDocument[];
}

type Said = Extract<OutcomeEvent, { type: "warning" | "look-up says" }>;

/** Describes why no control plane is selected, or what is kept although it matches. Leaves out what is only too young. */
async function explain(session: LookUpSession, selected: Selected): Promise<readonly Said[]> {
  const { filters, sorted, time, address } = selected;
  const { matched, kept } = sorted;
  if (matched === 0) {
    const [headline = safe``, ...more] = describeNoMatch(
      filters,
      address,
      await listAnyway(session, selected),
    );
    return [
      { type: "warning", text: headline },
      ...more.map((text) => ({ type: "look-up says", text: safe`  ${text}` }) as const),
    ];
  }
  if (sorted.selected.length === 0) {
    const [headline = safe``, ...more] = describeAllKept(filters, sorted, time);
    const lines = [headline, ...more.map((text) => safe`  ${text}`)];
    return lines.map((text) => ({ type: "look-up says", text }));
  }
  if (kept.age.length === matched - sorted.selected.length) return [];
  const text = safe`${sorted.selected.length} of ${matched} control planes that match are selected; the others are kept: ${describeKept(filters, sorted)}`;
  return [{ type: "look-up says", text }];
}

/** No message is worth a longer wait. */
const LIST_LIMIT_MS = 10_000;

/** Lists all control planes, for the message alone. */
async function listAnyway(
  { client, scope }: LookUpSession,
  { address, asked, controlPlanes }: Selected,
): Promise<readonly ControlPlaneDocument[] | undefined> {
  if (Object.keys(asked).length === 0) return controlPlanes;
  const { monotonicNowMs } = await import("../session/session.js");
  const deadlineMs = monotonicNowMs() + LIST_LIMIT_MS;
  try {
    return (await client.listControlPlanes(address, {}, { ...scope, deadlineMs })).controlPlanes;
  } catch (error) {
    if (error instanceof ControlPlaneError) return undefined;
    throw error;
  }
}

function selectionLine(
  { project, stack }: LookUpSession,
  args: SelectControlPlanesArgs,
  { atLeast, atMost }: ParsedSelection,
  { address, sorted, said }: Pick<Selected, "address" | "sorted"> & { readonly said: readonly string[] },
): SelectionLine {
  const { matched, selected, kept } = sorted;
  const why = whyNothing(sorted, atLeast, atMost);
  return {
    selectionVersion: 1,
    time: new Date().toISOString(),
    ...(project !== "" && { project }),
    ...(stack !== "" && { stack }),
    address,
    filters: describeFilters(args),
    matched,
    selected: selected.length,
    kept: {
      exclude: kept.exclude.length,
      keep: kept.keep.length,
      unreadableDay: kept.unreadableDay.length,
      deleteAfter: kept.deleteAfter.length,
      age: kept.age.length,
    },
    ...(why !== undefined && { why }),
    ...(said.length > 0 && { said }),
  };
}

function whyNothing(sorted: Sorted, atLeast: number, atMost: number): SelectionLine["why"] {
  const { length } = sorted.selected;
  if (sorted.matched === 0) return "no match";
  if (length === 0) return isForNow(sorted) ? "nothing today" : "all excluded";
  if (length > atMost) return "too many";
  return length < atLeast ? "too few" : undefined;
}

function tooMany(selected: readonly FoundControlPlane[], atMost: number, address: string): ControlPlaneError {
  const headline: SafeText = safe`Too many: ${describeMatches(selected.length, address)}, and atMost is ${atMost}`;
  return settingsError(
    renderMessage({
      headline,
      explanation: [safe`Nothing is selected. These match:`, ...listFound(selected)],
      rows: [
        [safe`next`, safe`narrow the filters, exclude what has to stay, or raise atMost, then run again`],
      ],
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
