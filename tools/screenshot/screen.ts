import { type IBufferCell, type IBufferLine, Terminal } from "@xterm/headless";
import type { Asciicast } from "./asciicast.js";

/** How a piece of text looks. */
export interface Look {
  /** A color of the terminal's palette, 0 to 15, or undefined for the usual one. */
  readonly color: number | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
}

/** Text of one look. */
export interface Run extends Look {
  readonly text: string;
}

/** What a terminal shows: for each line its runs, without the blanks at its end. */
export type Screen = readonly (readonly Run[])[];

/** Plays a recording on a terminal of its size. Throws when a line is longer than the terminal is wide. */
export async function play({ columns, lines }: Asciicast): Promise<Screen> {
  const terminal = new Terminal({ cols: columns, rows: lines.length, allowProposedApi: true });
  try {
    await new Promise<void>((resolve) => terminal.write(lines.join("\r\n"), resolve));
    return lines.map((_, row) => {
      const line = terminal.buffer.active.getLine(row);
      if (line === undefined) throw new Error(`the terminal does not show line ${row + 1}`);
      if (line.isWrapped) throw new Error(`line ${row} is longer than ${columns} columns`);
      return runsOf(line);
    });
  } finally {
    terminal.dispose();
  }
}

function runsOf(line: IBufferLine): readonly Run[] {
  const runs: Run[] = [];
  const end = line.translateToString(true).length;
  for (let column = 0; column < end; column += 1) {
    const cell = line.getCell(column);
    if (cell === undefined) break;
    const text = cell.getChars() === "" ? " " : cell.getChars();
    const look = lookOf(cell);
    const last = runs.at(-1);
    // A blank looks the same in every color.
    const joins = last !== undefined && (text === " " || hasLook(last, look));
    if (joins) runs[runs.length - 1] = { ...last, text: last.text + text };
    else runs.push({ ...look, text });
  }
  return runs;
}

function lookOf(cell: IBufferCell): Look {
  const color = cell.isFgPalette() && cell.getFgColor() < 16 ? cell.getFgColor() : undefined;
  return { color, bold: cell.isBold() !== 0, dim: cell.isDim() !== 0 };
}

function hasLook(run: Run, { color, bold, dim }: Look): boolean {
  return run.color === color && run.bold === bold && run.dim === dim;
}
