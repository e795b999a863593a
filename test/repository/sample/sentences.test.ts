import { expect } from "chai";
import { drawSentences, sentencesOf } from "../../../tools/sample/sentences.js";

const MARKDOWN = `# A heading. Not a sentence

The first sentence goes
on. \`up\` reads it, see [the plan](plan.md#a). Is 2.7 s fast?

- An item: e.g. this one \`{ ids: [...] }\` ends.
  It goes on.
- **Another item ends here.** And (it ends.) Its end too!

1. A numbered step.

| answer | meaning           |
| ------ | ----------------- |
| 404    | It is gone. Done. |

\`\`\`sh
Not a sentence.
\`\`\`

<!-- Not a sentence. -->
`;

const TYPESCRIPT = `// Says why it is so.
// It takes two lines to
// say so.
const url = "https://a.test"; // It stands beside code.

/**
 * Returns a text. It never throws.
 *
 * @param name the name of it
 */
/** Has one line. */
`;

describe("the sentences that the sample draws from", () => {
  it("are those of the paragraphs, items and cells of a page, with the lines where they begin", () => {
    const found = sentencesOf("page.md", MARKDOWN).map(({ line, text }) => `${line} ${text}`);
    expect(found).to.deep.equal([
      "3 The first sentence goes on.",
      "4 `up` reads it, see [the plan](plan.md#a).",
      "4 Is 2.7 s fast?",
      "6 An item: e.g. this one `{ ids: [...] }` ends.",
      "7 It goes on.",
      "8 **Another item ends here.**",
      "8 And (it ends.)",
      "8 Its end too!",
      "10 A numbered step.",
      "14 It is gone.",
    ]);
  });

  it("are those of the comments of a program", () => {
    const found = sentencesOf("a.ts", TYPESCRIPT).map(({ line, text }) => `${line} ${text}`);
    expect(found).to.deep.equal([
      "1 Says why it is so.",
      "2 It takes two lines to say so.",
      "4 It stands beside code.",
      "7 Returns a text.",
      "7 It never throws.",
      "9 the name of it",
      "11 Has one line.",
    ]);
  });

  it("are drawn at random, each at most once, and the same for the same seed", () => {
    const all = Array.from({ length: 50 }, (_, index) => ({ file: "a.md", line: index + 1, text: "A." }));
    const lines = (seed: number, count: number) => drawSentences(all, seed, count).map(({ line }) => line);
    expect(lines(1, 20)).to.have.length(20).and.to.deep.equal(lines(1, 20));
    expect(new Set(lines(1, 20)).size).to.equal(20);
    expect(lines(2, 20)).not.to.deep.equal(lines(1, 20));
    expect(lines(3, 99)).to.have.members(all.map(({ line }) => line));
  });
});
