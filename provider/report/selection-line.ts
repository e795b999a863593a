import { isObject, parseJsonObject } from "../text/json.js";
import { storableText } from "../text/safe-text.js";
import { fitLine } from "./line-limits.js";
import { textsOf } from "./report-line.js";

/** The version of the lines about selections that this release writes. It grows when a line means something else than before. */
export const SELECTION_VERSION = 1;

/** Why a selection keeps a control plane, in the order in which the reasons are looked for. The first one counts. */
export const KEPT_REASONS = ["exclude", "keep", "unreadableDay", "deleteAfter", "age"] as const;

/** Why a selection keeps a control plane that its other filters let through. */
export type KeptReason = (typeof KEPT_REASONS)[number];

const WHYS = ["no match", "nothing today", "all excluded", "too many", "too few"] as const;

/**
 * A line of a report file about a call of `selectControlPlanes` in `pulumi up`.
 *
 * @category Automation API
 * @schema report.schema.json
 */
export interface SelectionLine {
  /** Grows if the meaning of a line changes. */
  readonly selectionVersion: typeof SELECTION_VERSION;
  /** Time of the selection (RFC 3339, UTC). */
  readonly time: string;
  /** Name of the project, if it is known. */
  readonly project?: string;
  /** Name of the stack, if it is known. */
  readonly stack?: string;
  /** Address of Konnect. */
  readonly address: string;
  /** The filters, such as `olderThan 7d`. */
  readonly filters: readonly string[];
  /**
   * Number of control planes that match `labels`, `namePrefix` and `clusterType`.
   */
  readonly matched: number;
  /** Number of those that were selected. */
  readonly selected: number;
  /** Number of those that were not, by reason. */
  readonly kept: {
    /** Named by `exclude`. */
    readonly exclude: number;
    /** Its own label `keep` says so. */
    readonly keep: number;
    /** Its own label `delete-after` holds no day. */
    readonly unreadableDay: number;
    /** The day of its own label `delete-after` has not come. */
    readonly deleteAfter: number;
    /** Too young or too old, or of unknown age. */
    readonly age: number;
  };
  /**
   * Why none was selected. `nothing today`: age or `delete-after` keeps them for now. `all excluded`: `exclude` or labels of their own
   * keep all of them.
   */
  readonly why?: (typeof WHYS)[number];
  /** Lines that the look-up printed. */
  readonly said?: readonly string[];
}

/** Longer than what is written, because a shortened string ends with words about the rest. */
const TEXT_LENGTH = 1_100;
const MAX_ENTRIES = 50;

/** Returns the line of a selection, of at most 4,096 bytes with its line break. */
export function renderSelectionLine(line: SelectionLine): string {
  return fitLine(({ textLength, members }) => {
    const shorten = (texts: readonly string[]) => texts.map((text) => storableText(text, textLength));
    const { filters, said = [] } = line;
    // One text for each argument, so there are few. What is said first matters most.
    const kept = shorten(said.slice(0, members));
    return JSON.stringify({
      ...line,
      address: storableText(line.address, 200),
      filters: shorten(filters),
      said: kept.length > 0 ? kept : undefined,
    });
  });
}

/** Parses a line about a selection. Returns undefined for any other line. Text in it is bounded and safe. Never throws. */
export function parseSelectionLine(text: string): SelectionLine | undefined {
  const json = text.length > 64 * 1024 ? undefined : parseJsonObject(text);
  if (json?.selectionVersion !== SELECTION_VERSION) return undefined;
  const { time, matched, selected, kept, filters } = json;
  const { address, ...names } = textsOf(json, { address: TEXT_LENGTH, project: 200, stack: 200 });
  if (typeof time !== "string" || Number.isNaN(Date.parse(time)) || address === undefined) return undefined;
  if (!isCount(matched) || !isCount(selected) || !isObject(kept)) return undefined;
  const counts = KEPT_REASONS.map((reason) => [reason, kept[reason]] as const);
  if (!counts.every(([, count]) => isCount(count))) return undefined;
  const why = WHYS.find((each) => each === json.why);
  if (why === undefined && json.why !== undefined) return undefined;
  const said = boundedTexts(json.said);
  return {
    selectionVersion: SELECTION_VERSION,
    time: new Date(time).toISOString(),
    ...names,
    address,
    filters: boundedTexts(filters),
    matched,
    selected,
    kept: Object.fromEntries(counts) as SelectionLine["kept"],
    ...(why !== undefined && { why }),
    ...(said.length > 0 && { said }),
  };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function boundedTexts(value: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
  return entries.flatMap((entry) => (typeof entry === "string" ? [storableText(entry, TEXT_LENGTH)] : []));
}
