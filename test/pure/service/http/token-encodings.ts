/** Replaces every character by its number, as HTML, JSON or a URL may write it. */
const spell = (text: string, one: (code: number) => string): string =>
  Array.from(text, (character) => one(character.charCodeAt(0))).join("");
const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, "0");
const percent = (text: string): string => spell(text, (code) => `%${hex(code, 2)}`);
const html = (text: string): string =>
  text.replace(/[&<>"'/+=]/g, (character) => `&#x${character.charCodeAt(0).toString(16)};`);
const breakUp = (text: string, separator: string): string => (text.match(/.{1,5}/g) ?? []).join(separator);

const NAMES: Readonly<Record<string, string>> = {
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  ".": "&period;",
  "~": "&tilde;",
  "-": "&hyphen;",
  _: "&lowbar;",
};

/** The ways in which a proxy or an error page may repeat a token. */
export const TOKEN_ENCODINGS: readonly (readonly [how: string, encode: (token: string) => string])[] = [
  ["as it is", (token) => token],
  ["in upper case", (token) => token.toUpperCase()],
  ["in lower case", (token) => token.toLowerCase()],
  ["in a URL", encodeURIComponent],
  ["in a URL, every character encoded", percent],
  ["in a URL within a URL", (token) => encodeURIComponent(encodeURIComponent(token))],
  ["in a URL within a URL within a URL", (token) => encodeURIComponent(encodeURIComponent(percent(token)))],
  ["in HTML, by decimal numbers", (token) => spell(token, (code) => `&#${code};`)],
  ["in HTML, by padded decimal numbers", (token) => spell(token, (code) => `&#00${code};`)],
  [
    "in HTML, by decimal numbers without a semicolon",
    (token) => token.replace(/\W/g, (c) => `&#${c.charCodeAt(0)};`),
  ],
  ["in HTML, by hexadecimal numbers", html],
  ["in HTML, by names", (token) => token.replace(/\W/g, (character) => NAMES[character] ?? character)],
  ["in HTML within HTML", (token) => html(token).replace(/&/g, "&amp;")],
  ["in JSON", (token) => JSON.stringify(token)],
  ["in JSON, with escaped slashes", (token) => token.replace(/\//g, "\\/")],
  ["in JSON, every character escaped", (token) => spell(token, (code) => `\\u${hex(code, 4)}`)],
  ["in JSON within JSON", (token) => JSON.stringify(JSON.stringify(`"${token}"`))],
  ["in JSON within JSON, with escaped slashes", (token) => token.replace(/[/"]/g, String.raw`\\\$&`)],
  ["in JavaScript", (token) => spell(token, (code) => `\\x${hex(code, 2)}`)],
  ["in hex", (token) => Buffer.from(token).toString("hex")],
  ["in hex, in upper case", (token) => Buffer.from(token).toString("hex").toUpperCase()],
  ["in base64", (token) => Buffer.from(token).toString("base64")],
  ["in base64url", (token) => Buffer.from(token).toString("base64url")],
  ["in base64 in a URL", (token) => percent(Buffer.from(token).toString("base64"))],
  ["broken by line breaks", (token) => breakUp(token, "\r\n ")],
  ["broken by zero-width spaces", (token) => breakUp(token, "\u200b")],
  ["broken by line breaks in JSON", (token) => JSON.stringify(breakUp(token, "\r\n\t"))],
  [
    "in base64 broken by line breaks in JSON",
    (token) => JSON.stringify(breakUp(Buffer.from(token).toString("base64"), "\n")),
  ],
  ["in UTF-16, read as bytes", (token) => Buffer.from(token, "utf16le").toString("latin1")],
];
