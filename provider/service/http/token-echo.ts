import { TextUnits } from "./text-units.js";

/** A shorter token is not looked for, because ordinary words contain it. No real token is that short. */
const SHORTEST_SECRET = 8;

/** This many consecutive characters of the token count as the token. */
const WINDOW = 16;

/** A string can break off within the token. A beginning of this length at the end of a string counts, too. */
const SHORTEST_BEGINNING = 8;

/** A proxy that repeats an encoded copy of the token encodes it once more. */
const DECODING_ROUNDS = 3;

/**
 * Returns a function that decides whether a string repeats a secret: as it is, in another case, broken by white space, in
 * part, and encoded for URLs, JSON, HTML, in base64 or in hex, also several times over.
 *
 * The work is done once for each secret. One call takes time in proportion to the length of the text.
 */
export function createEchoDetector(secret: string): (text: string) => boolean {
  if (secret.length < SHORTEST_SECRET) return () => false;
  const forms = encodedForms(secret);
  const searches = [...windowsByLength(forms)].map(([length, windows]) => new WindowSearch(length, windows));
  const repeats = (units: Uint16Array) => {
    const end = withoutPartOfEscape(
      textOf(units, units.length - WINDOW - LONGEST_PART_OF_ESCAPE, units.length),
    );
    return (
      searches.some((search) => search.isIn(units)) || forms.some((form) => endsWithBeginning(end, form))
    );
  };
  return (text) => {
    // Most answers to a DELETE have no body.
    if (text.length < SHORTEST_BEGINNING) return false;
    const units = new TextUnits(text);
    for (let round = 0; ; round += 1) {
      if (repeats(units.visible())) return true;
      if (round === DECODING_ROUNDS || !units.decode()) return false;
    }
  };
}

/** The secret, its hex form, and its base64 forms at each of the three alignments, in lower case. */
function encodedForms(secret: string): readonly string[] {
  const base64 = [0, 1, 2].flatMap((shift) =>
    (["base64", "base64url"] as const).map((encoding) => {
      const bits = 8 * (shift + secret.length);
      const encoded = Buffer.from(" ".repeat(shift) + secret).toString(encoding);
      // The first and the last character depend on the neighbors of the secret.
      return encoded.slice(Math.ceil((8 * shift) / 6), Math.floor(bits / 6));
    }),
  );
  const forms = [secret, Buffer.from(secret).toString("hex"), ...base64];
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

function windowsByLength(forms: readonly string[]): ReadonlyMap<number, ReadonlySet<string>> {
  const windows = new Map<number, Set<string>>();
  for (const form of forms) {
    const length = Math.min(WINDOW, form.length);
    const known = windows.get(length) ?? new Set();
    windows.set(length, known);
    for (let at = 0; at + length <= form.length; at += 1) known.add(form.slice(at, at + length));
  }
  return windows;
}

/** Places in {@link WindowSearch}'s filter. A power of two. */
const FILTER_SIZE = 2 ** 20;

/**
 * Searches strings for any of many windows of one length. A window covers several places of the text that are half its length
 * apart, so only the half windows at such places are looked at. A filter answers for nearly all of them.
 */
class WindowSearch {
  readonly #half: number;
  readonly #filter = new Uint8Array(FILTER_SIZE);

  constructor(
    private readonly length: number,
    private readonly windows: ReadonlySet<string>,
  ) {
    this.#half = length >> 1;
    for (const window of windows) {
      const units = Uint16Array.from(window, (character) => character.charCodeAt(0));
      for (let at = 0; at + this.#half <= length; at += 1) this.#filter[this.#hashAt(units, at)] = 1;
    }
  }

  /** Whether a string has one of the windows. */
  isIn(units: Uint16Array): boolean {
    const stride = this.length - this.#half + 1;
    for (let at = 0; at + this.#half <= units.length; at += stride) {
      if (this.#filter[this.#hashAt(units, at)] === 1 && this.#isAround(units, at)) return true;
    }
    return false;
  }

  /** Whether a window covers the half window at a place. */
  #isAround(units: Uint16Array, at: number): boolean {
    const first = Math.max(0, at + this.#half - this.length);
    for (let start = first; start <= at; start += 1) {
      const isCandidate = this.#filter[this.#hashAt(units, start)] === 1;
      if (
        isCandidate &&
        this.#filter[this.#hashAt(units, start + this.length - this.#half)] === 1 &&
        this.windows.has(textOf(units, start, start + this.length))
      ) {
        return true;
      }
    }
    return false;
  }

  #hashAt(units: Uint16Array, at: number): number {
    let hash = 0;
    for (let next = at; next < at + this.#half; next += 1) {
      hash = (Math.imul(hash, 31) + (units[next] ?? 0)) | 0;
    }
    return (hash ^ (hash >>> 15)) & (FILTER_SIZE - 1);
  }
}

function textOf(units: Uint16Array, from: number, to: number): string {
  return String.fromCharCode(...units.subarray(Math.max(0, from), to));
}

const LONGEST_PART_OF_ESCAPE = 8;

/** Removes an escape that a string broke off in: `%2`, `\u00`, `&#x2`, `&hyphe`. */
function withoutPartOfEscape(text: string): string {
  return text.replace(/(?:%[0-9a-f]?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|&[#a-z0-9]{0,7})$/, "");
}

function endsWithBeginning(text: string, form: string): boolean {
  for (let length = SHORTEST_BEGINNING; length < Math.min(WINDOW, form.length); length += 1) {
    if (text.endsWith(form.slice(0, length))) return true;
  }
  return false;
}
