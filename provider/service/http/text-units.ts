/**
 * Text as its UTF-16 code units, which are changed in place. Bodies of lists have several megabytes: strings with as many
 * replacements would take seconds, in which the process is blocked.
 */
export class TextUnits {
  #units: Uint16Array;

  constructor(text: string) {
    this.#units = new Uint16Array(text.length);
    for (let at = 0; at < text.length; at += 1) this.#units[at] = text.charCodeAt(at);
  }

  /**
   * Undoes one round of percent and HTML encoding, and all rounds of JSON encoding.
   *
   * @returns whether anything was encoded
   */
  decode(): boolean {
    const { length } = this.#units;
    if (this.#units.includes(PERCENT)) this.#replace(PERCENT, readPercent);
    if (this.#units.includes(BACKSLASH)) {
      // Each encoding of a backslash doubles it.
      this.#replace(BACKSLASH, (units, at) => (units[at + 1] === BACKSLASH ? DROP_ONE : undefined));
      this.#replace(BACKSLASH, (units, at) => readHex(units, at, LOWER_U, 4));
      this.#replace(BACKSLASH, (units, at) => readHex(units, at, LOWER_X, 2));
      this.#replace(BACKSLASH, (units, at) =>
        WHITE_SPACE.has((units[at + 1] ?? 0) | LOWER_CASE) ? DROP_TWO : undefined,
      );
      this.#replace(BACKSLASH, readEscaped);
    }
    if (this.#units.includes(AMPERSAND)) {
      this.#replace(AMPERSAND, (units, at) => readNumber(units, at, true));
      this.#replace(AMPERSAND, (units, at) => readNumber(units, at, false));
      this.#replace(AMPERSAND, readName);
    }
    return this.#units.length < length;
  }

  /** Returns the units in lower case, without white space and invisible characters. */
  visible(): Uint16Array {
    const units = this.#units;
    const visible = new Uint16Array(units.length);
    let end = 0;
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at] ?? 0;
      if (unit < ASCII.length) {
        const lower = ASCII[unit] ?? 0;
        if (lower !== 0) visible[end++] = lower;
        continue;
      }
      const low = unit >= 0xd800 && unit < 0xdc00 ? (units[at + 1] ?? 0) : 0;
      const isPair = low >= 0xdc00 && low < 0xe000;
      const code = isPair ? 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00) : unit;
      if (isVisible(code)) {
        visible[end++] = LOWER_ASCII.get(unit) ?? unit;
        if (isPair) visible[end++] = low;
      }
      if (isPair) at += 1;
    }
    return visible.subarray(0, end);
  }

  /** Replaces what begins with a unit, from the left to the right. No replacement may be longer than what it replaces. */
  #replace(first: number, read: Read): void {
    const units = this.#units;
    let end = 0;
    for (let at = 0; at < units.length;) {
      const unit = units[at] ?? 0;
      const found = unit === first ? read(units, at) : undefined;
      if (found === undefined) {
        units[end++] = unit;
        at += 1;
        continue;
      }
      for (const replacement of found.by) units[end++] = replacement;
      at += found.length;
    }
    this.#units = units.subarray(0, end);
  }
}

/** What is encoded at a place: its length, and the units that it stands for. Undefined if it holds no escape. */
type Read = (
  units: Uint16Array,
  at: number,
) => { readonly length: number; readonly by: readonly number[] } | undefined;

const [PERCENT, AMPERSAND, HASH, SEMICOLON, BACKSLASH] = [0x25, 0x26, 0x23, 0x3b, 0x5c];
const [ZERO, LOWER_U, LOWER_X] = [0x30, 0x75, 0x78];
const LOWER_CASE = 0x20;
/** The letters of `\b`, `\f`, `\n`, `\r` and `\t`. */
const WHITE_SPACE = new Set(unitsOfText("bfnrt"));

const DROP_ONE = { length: 1, by: [] };
const DROP_TWO = { length: 2, by: [] };

function readPercent(units: Uint16Array, at: number) {
  const code = hexAt(units, at + 1, 2);
  return code === undefined ? undefined : { length: 3, by: [code] };
}

/** Reads a backslash with a letter in either case and hexadecimal digits. */
function readHex(units: Uint16Array, at: number, letter: number, digits: number) {
  if (((units[at + 1] ?? 0) | LOWER_CASE) !== letter) return undefined;
  const code = hexAt(units, at + 2, digits);
  return code === undefined ? undefined : { length: 2 + digits, by: [code] };
}

/** Reads a backslash that stands before any other character than `u` and `x`. */
function readEscaped(units: Uint16Array, at: number) {
  const escaped = units[at + 1];
  if (escaped === undefined) return undefined;
  const letter = escaped | LOWER_CASE;
  return letter === LOWER_U || letter === LOWER_X ? undefined : { length: 2, by: [escaped] };
}

/** Reads a character of HTML by its number, with any number of leading zeros, and with a semicolon or without one. */
function readNumber(units: Uint16Array, at: number, isHex: boolean) {
  if (units[at + 1] !== HASH) return undefined;
  if (isHex && ((units[at + 2] ?? 0) | LOWER_CASE) !== LOWER_X) return undefined;
  const start = at + (isHex ? 3 : 2);
  let next = start;
  while (units[next] === ZERO) next += 1;
  let code = 0;
  for (const most = next + (isHex ? 6 : 7); next < most; next += 1) {
    const digit = digitOf(units[next] ?? 0);
    if (digit >= (isHex ? 16 : 10)) break;
    code = code * (isHex ? 16 : 10) + digit;
  }
  if (next === start) return undefined;
  const length = next - at + (units[next] === SEMICOLON ? 1 : 0);
  return { length, by: code > 0x10ffff ? [] : unitsOf(code) };
}

/** The named HTML characters that a bearer token can have (RFC 6750 section 2.1), and the ampersand itself. */
const NAMED = [
  ["amp", "&"],
  ["sol", "/"],
  ["plus", "+"],
  ["equals", "="],
  ["period", "."],
  ["lowbar", "_"],
  ["hyphen", "-"],
  ["dash", "-"],
  ["tilde", "~"],
].map(([name = "", character = ""]) => ({
  letters: unitsOfText(name),
  found: { length: name.length + 2, by: unitsOfText(character) },
}));

function readName(units: Uint16Array, at: number) {
  for (const { letters, found } of NAMED) {
    let matching = 0;
    while (((units[at + 1 + matching] ?? 0) | LOWER_CASE) === letters[matching]) matching += 1;
    if (matching === letters.length && units[at + found.length - 1] === SEMICOLON) return found;
  }
  return undefined;
}

function unitsOfText(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function unitsOf(code: number): readonly number[] {
  return code < 0x10000 ? [code] : [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff)];
}

function hexAt(units: Uint16Array, at: number, digits: number): number | undefined {
  let code = 0;
  for (let next = at; next < at + digits; next += 1) {
    const digit = digitOf(units[next] ?? 0);
    if (digit > 15) return undefined;
    code = code * 16 + digit;
  }
  return code;
}

/** Returns the value of a digit from 0 to f in either case, or 99 for anything else. */
function digitOf(unit: number): number {
  if (unit >= ZERO && unit < ZERO + 10) return unit - ZERO;
  const letter = unit | LOWER_CASE;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99;
}

const INVISIBLE = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** The lower case of each ASCII character, or 0 for one that is invisible. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return INVISIBLE.test(character) ? 0 : character.toLowerCase().charCodeAt(0);
});

/** The characters beyond ASCII whose lower case is an ASCII character: the sign of kelvin, and the dotted I. */
const LOWER_ASCII: ReadonlyMap<number, number> = new Map([
  [0x212a, 0x6b],
  [0x130, 0x69],
]);

/** For each character beyond ASCII: 0 when it was not met yet, 1 when it is visible, 2 when it is not. */
let visibility: Uint8Array | undefined;

function isVisible(code: number): boolean {
  visibility ??= new Uint8Array(0x110000);
  visibility[code] ||= INVISIBLE.test(String.fromCodePoint(code)) ? 2 : 1;
  return visibility[code] === 1;
}
