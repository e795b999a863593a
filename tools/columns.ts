/** The side on which a column's cells line up. */
export type Alignment = "left" | "right";

/** How columns are laid out. */
export interface ColumnsOptions {
  /** The alignment of each column, from the first one on. Default: left. */
  readonly align?: readonly Alignment[];
}

const GAP = "  ";

/**
 * Renders rows of cells as lines of aligned columns, with two blanks between columns.
 *
 * A column is as wide as its longest cell, measured in UTF-16 code units. A row may have fewer cells than others. Lines
 * end without blanks. Cells must not contain line breaks.
 */
export function renderColumns(rows: readonly (readonly string[])[], options: ColumnsOptions = {}): string {
  const { align = [] } = options;
  const widths = columnWidths(rows);
  const pad = (cell: string, column: number) =>
    align[column] === "right" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join(GAP).trimEnd()).join("\n");
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    }
  }
  return widths;
}
