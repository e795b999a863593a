import { expect } from "chai";
import { packedReadme } from "../../../tools/packing/packed-readme.js";

const README = `# Name

![A destroy](docs/a.svg)

See [the plan](docs/plan.md#exit-codes), [docs/report.md](docs/report.md) and [limits](#limits).
[**Decisions**](docs/decisions/) are at [Pulumi](https://pulumi.test/a).
`;

const OPTIONS = { version: "1.2.3", pictures: { "docs/a.svg": "$ ls\n  a" } };

describe("the README of the package", () => {
  it("leads to the files of its own version, and shows the text of a picture", () => {
    const repositoryUrl = "git+https://git.test/owner/name.git";
    expect(packedReadme(README, { ...OPTIONS, repositoryUrl })).to.equal(`# Name

\`\`\`text
$ ls
  a
\`\`\`

See [the plan](https://git.test/owner/name/blob/v1.2.3/docs/plan.md#exit-codes), [docs/report.md](https://git.test/owner/name/blob/v1.2.3/docs/report.md) and [limits](#limits).
[**Decisions**](https://git.test/owner/name/blob/v1.2.3/docs/decisions/) are at [Pulumi](https://pulumi.test/a).
`);
  });

  it("names files instead, as long as nobody knows the address of the repository", () => {
    expect(packedReadme(README, { ...OPTIONS, repositoryUrl: undefined })).to.equal(`# Name

\`\`\`text
$ ls
  a
\`\`\`

See the plan (docs/plan.md), docs/report.md and [limits](#limits).
**Decisions** (docs/decisions/) are at [Pulumi](https://pulumi.test/a).

Files such as docs/errors.md are in the repository, not in the package.
`);
  });

  it("cannot be made when a picture has no text, or when the address cannot be opened in a browser", () => {
    const unknown = { ...OPTIONS, pictures: {}, repositoryUrl: undefined };
    expect(() => packedReadme(README, unknown)).to.throw("no text for the picture docs/a.svg");
    for (const repositoryUrl of ["git@git.test:owner/name.git", "git+http://git.test/a", ""]) {
      expect(() => packedReadme(README, { ...OPTIONS, repositoryUrl })).to.throw("allowed is git+https://");
    }
  });
});
