import { expect } from "chai";
import { play } from "../../../tools/screenshot/screen.js";
import { renderSvg, THEME } from "../../../tools/screenshot/screen-svg.js";

const CAPTION = { title: "A title", description: "What it shows." };
const render = async (...lines: string[]) => renderSvg(await play({ columns: 40, lines }), 40, CAPTION);
const textsOf = (svg: string) => svg.split("\n").filter((line) => line.startsWith("<text "));

describe("the picture of a terminal", () => {
  it("puts each piece of text at its column and line, with the width of its characters", async () => {
    expect(textsOf(await render("ab", "", "  c   d e"))).to.deep.equal([
      '<text x="20" y="34" textLength="16.8">ab</text>',
      '<text x="36.8" y="74" textLength="8.4">c</text>',
      '<text x="70.4" y="74" textLength="25.2">d e</text>',
    ]);
  });

  it("shows colors, bold and dim text as the terminal does", async () => {
    const svg = await render(
      "\u001b[31mred\u001b[0m \u001b[38;5;12mblue\u001b[0m",
      "\u001b[1;2mx\u001b[0m y",
    );
    expect(textsOf(svg)).to.deep.equal([
      '<text x="20" y="34" textLength="25.2" fill="#ff7b72">red</text>',
      '<text x="53.6" y="34" textLength="33.6" fill="#a5d6ff">blue</text>',
      '<text x="20" y="54" textLength="8.4" fill="#9198a1" font-weight="bold">x</text>',
      '<text x="36.8" y="54" textLength="8.4">y</text>',
    ]);
  });

  it("is an image with a title and a description", async () => {
    const svg = await render("a");
    expect(svg).to.match(/^<svg [^>]*role="img" aria-labelledby="title description">\n/);
    expect(svg).to.contain('<title id="title">A title</title>');
    expect(svg).to.contain('<desc id="description">What it shows.</desc>');
  });

  it("keeps hostile text as text, and holds no element that loads or runs anything", async () => {
    const hostile = '</text><script>"&amp;\u001b]8;;https://x.test\u0007link\u001b]8;;\u0007\ufffe';
    const svg = await render(hostile);
    expect(svg)
      .to.contain("&lt;/text&gt;&lt;script&gt;&quot;&amp;amp;link\ufffd</text>")
      .and.not.to.contain("x.test");
    const elements = [...svg.matchAll(/<([a-z]+)/gi)].map(([, name]) => name);
    expect(new Set(elements)).to.deep.equal(new Set(["svg", "title", "desc", "rect", "g", "text"]));
  });

  it("refuses a line that is longer than the terminal is wide", async () => {
    let message = "";
    await render("a", "x".repeat(41), "b").catch((error: unknown) => (message = String(error)));
    expect(message).to.contain("line 2 is longer than 40 columns");
  });

  it("uses colors that can be read on its background, as WCAG 2.2 asks for", () => {
    for (const color of [THEME.text, THEME.dim, ...THEME.palette]) {
      expect(contrast(color, THEME.background), color).to.be.at.least(4.5);
    }
  });
});

/** Returns the contrast ratio of two colors. Source: WCAG 2.2, "contrast ratio" and "relative luminance". */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
