import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { ROOT } from "../../tools/repository.js";
import { isQuoteOf } from "../runbook-page.js";
import { type Heading, HEADINGS, playStories, type Shown } from "./diff-stories.js";

/** The part of `pulumi preview --json` that the tests read. */
interface Preview {
  readonly steps: readonly {
    readonly op: string;
    readonly urn: string;
    readonly oldState?: {
      readonly outputs?: { readonly lastProblem?: object };
      readonly initErrors?: readonly string[];
    };
  }[];
  readonly diagnostics?: readonly { readonly message: string; readonly severity: string }[];
  readonly changeSummary?: Readonly<Record<string, number>>;
}

const UP = "up --yes --skip-preview --diff";
const REFRESH = "refresh --yes --skip-preview --diff";

describe("problem detail in diff", function () {
  this.timeout(300_000);
  let stories: Awaited<ReturnType<typeof playStories>>;
  let hasFailed = false;

  before(async () => {
    stories = await playStories();
  });
  afterEach(function () {
    hasFailed ||= this.currentTest?.state === "failed";
  });
  after(async () => {
    for (const { scene } of stories.values()) await scene.end(hasFailed);
  });

  /** Returns what a command of a story showed. */
  function shown(heading: Heading, command: string): Shown {
    const found = stories.get(heading)?.story.get(command);
    if (found === undefined) throw new Error(`the story "${heading}" has no command "${command}"`);
    return found;
  }

  /** Returns the output of a command, and expects its exit code. */
  function output(heading: Heading, command: string, exitCode = 0): string {
    const { exitCode: code, output: text } = shown(heading, command);
    expect(code, text).to.equal(exitCode);
    return text;
  }

  function json(heading: Heading, command = "preview --json", exitCode = 0): Preview {
    return JSON.parse(output(heading, command, exitCode)) as Preview;
  }

  describe("a mistake in the program", () => {
    const heading = "A mistake in the program";
    const reasons = [
      "property name value {x} has a problem: has 1 character, which is too few (rule min_length, minimum 2)",
      "labels.konnect-team begins with konnect, which the service keeps for itself",
      "color should not exist; allowed are name, description,",
    ];

    for (const command of ["preview --diff", "up --yes --diff"]) {
      it(`is shown by ${command} in the words of invalid_parameters`, () => {
        const text = output(heading, command, 1);
        for (const reason of reasons) expect(text).to.contain(reason);
      });
    }

    it("is shown by preview --json as one diagnostic for each reason", () => {
      const { diagnostics = [] } = json(heading, "preview --json", 1);
      expect(diagnostics.map(({ severity }) => severity)).to.deep.equal(["error", "error", "error"]);
      for (const [at, reason] of reasons.entries()) expect(diagnostics[at]!.message).to.contain(reason);
    });

    it("is found before anything is sent", () => {
      expect(stories.get(heading)!.scene.emulator.requests).to.deep.equal([]);
    });
  });

  describe("a change that deletes a control plane", () => {
    const heading = "A change that deletes";
    const forbidden =
      "When asked about it, the service says: 403 Permission denied. The role-set of [sa-ci] does not allow this action.";

    for (const command of ["preview --diff", UP]) {
      it(`is shown by ${command} with the name and labels of what will be lost`, () => {
        expect(output(heading, command)).to.match(
          /control plane "edge" \(\S+\) will be DELETED and replaced by a new one\. It is "edge"\. Its labels are team=payments\. Changed: clusterType/,
        );
      });
    }

    for (const command of ["preview", "preview --diff (2)"]) {
      it(`is shown by ${nameOf(command)} with the problem of a service that refuses to show it`, () => {
        expect(output(heading, command)).to.contain(forbidden);
      });
    }

    it("is shown by preview --json with the problem of a service that refuses to show it", () => {
      const { diagnostics = [], steps } = json(heading);
      expect(diagnostics.map(({ message }) => message).join("\n")).to.contain(forbidden);
      expect(steps.map(({ op }) => op)).to.include("replace");
    });

    it("is shown with the detail of a service that is not available, which fails no preview", () => {
      expect(output(heading, "preview --diff (3)")).to.contain(
        "the service says: 503 Service Unavailable. The region is being maintained until noon. Changed:",
      );
    });

    it("is read with one request for each preview", () => {
      const { requests } = stories.get(heading)!.scene.emulator;
      expect(requests.map(({ method }) => method).join(" ")).to.equal("GET GET GET GET GET GET DELETE POST");
    });
  });

  describe("a control plane that may not be read", () => {
    const heading = "A control plane that may not be read";

    it("gets the output lastProblem, which refresh --diff shows with its detail, and a line", () => {
      const text = output(heading, REFRESH);
      expect(text).to.match(/\+ lastProblem: \{\n\s*\+ detail {2}: "The role-set of \[sa-ci\] does not/);
      expect(text).to.match(/^403 Permission denied: control plane "plane-1" \(\S+\) could not be read\./m);
    });

    it("leaves up --diff empty", () => {
      expect(output(heading, UP)).to.contain("2 unchanged").and.not.to.contain("lastProblem");
    });

    it("leaves preview --json empty", () => {
      expect(json(heading).changeSummary).to.deep.equal({ same: 2 });
    });

    it("loses the output in the refresh after the service shows it again", () => {
      expect(output(heading, `${REFRESH} (2)`)).to.match(/- lastProblem: \{/);
    });
  });

  describe("a creation whose later step failed", () => {
    const heading = "A creation that stops half-way";
    const line =
      /control plane "edge" \(\S+\) is about to be changed: labels\. Last problem: 400 Bad Request\. Invalid Parameters \(konnect:trace:2287285207635123011\)/;

    it("fails up --diff with the problem", () => {
      const text = output(heading, UP, 1);
      expect(text).to.match(/400 Bad Request: control plane "edge" \(\S+\) was not updated/);
      expect(text).to.match(/labels\.team +is not a team of this organization \(rule invalid\)/);
    });

    for (const command of ["preview --diff", `${UP} (2)`]) {
      it(`is shown by ${nameOf(command)} with the problem and what is still to be done`, () => {
        expect(output(heading, command)).to.match(line);
      });
    }

    it("is shown by preview --json, with the whole message as initErrors", () => {
      const { steps, diagnostics = [] } = json(heading);
      expect(diagnostics.map(({ message }) => message).join("\n")).to.match(line);
      const [edge] = steps.filter(({ urn }) => urn.endsWith("::edge"));
      expect(edge!.op).to.equal("update");
      expect(edge!.oldState!.initErrors!.join("\n")).to.contain("is not a team of this organization");
      expect(edge!.oldState!.outputs!.lastProblem).to.include({ status: 400, title: "Bad Request" });
    });

    it("loses the output lastProblem in refresh --diff, because a read succeeds", () => {
      expect(output(heading, "refresh --diff --preview-only")).to.match(/- lastProblem +: \{/);
    });

    it("keeps its id, goes on in the next up, and is done then", async () => {
      output(heading, `${UP} (2)`);
      const { emulator, stack } = stories.get(heading)!.scene;
      expect((await stack.state()).text).not.to.contain("initErrors");
      const methods = emulator.requests.map(({ method }) => method).join(" ");
      expect(methods).to.equal("POST PATCH GET PATCH");
      expect([...emulator.controlPlanes.values()].map(({ labels }) => labels)).to.deep.equal([
        { team: "payments" },
      ]);
    });
  });

  it("shows the problem of a control plane before a teardown deletes anything", () => {
    const heading = "Before a teardown";
    const text = output(heading, "destroy --refresh --diff --preview-only");
    expect(text).to.match(/\+ lastProblem: \{[^}]*Permission denied/);
    expect(stories.get(heading)!.scene.emulator.controlPlanes.size).to.equal(1);
  });

  describe("docs/diffs.md", () => {
    const page = readFileSync(path.join(ROOT, "docs/diffs.md"), "utf8");
    const quotes = page
      .split(/^## /m)
      .slice(1)
      .flatMap((section) => {
        const heading = section.slice(0, section.indexOf("\n"));
        return [...section.matchAll(/^```\n\$ pulumi ([^\n]+)\n([^]*?)\n```$/gm)].map(
          ([, command = "", quote = ""]) => ({ heading, command, quote }),
        );
      });

    it("quotes a command of each story, and no other output", () => {
      expect(new Set(quotes.map(({ heading }) => heading))).to.have.keys(HEADINGS);
      expect(page.match(/^```/gm)).to.have.length(2 * quotes.length);
    });

    for (const { heading, command, quote } of quotes) {
      it(`quotes what pulumi ${command} shows: ${heading}`, () => {
        const { story } = stories.get(heading as Heading)!;
        const texts = [...story]
          .filter(([key]) => nameOf(key) === command)
          .map(([, { output: text }]) => inOrder(text));
        const isQuoted = texts.some((text) => isQuoteOf(inOrder(quote), text));
        expect(isQuoted, texts.join("\n")).to.equal(true);
      });
    }
  });
});

/** Returns the command that a key of a story stands for. */
function nameOf(key: string): string {
  return key.replace(/ \(\d+\)$/, "");
}

/**
 * Moves the lines that the provider prints to the front, because they reach the CLI beside the diff, before or after it.
 * Leaves out empty lines, and those that only say that the CLI is at work.
 */
function inOrder(text: string): string {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("@ "));
  const isPrinted = (line: string) => /^(?:\d{3} |control plane )/.test(line);
  return [...lines.filter(isPrinted), ...lines.filter((line) => !isPrinted(line))].join("\n");
}
