import { expect } from "chai";
import fc from "fast-check";
import type { Fault } from "../../emulator/index.js";
import type { CommandResult } from "../../tools/local-stack/index.js";
import { anyText, dangerIn } from "../dangerous-text.js";
import { diagnosticsOf, idOf, sharedScene } from "./scene.js";

/** Another one tries other texts: `FUZZ_SEED=7`. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
const PLANES = 24;
/** No line that the CLI prints is longer: 1,100 characters of ours and what it puts around them. */
const LONGEST_LINE = 1_500;

const text = anyText(12);
const printable = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((c) => String.fromCharCode(c)),
});

const parameter = fc.record({
  field: text,
  reason: text,
  rule: text,
  choices: fc.array(text, { maxLength: 3 }),
});
const document = (status: number) =>
  fc.record(
    {
      status: fc.constant(status),
      // Both are such that the document counts as the service's own.
      title: text.map((title) => `x${title}`),
      instance: text.map((trace) => `konnect:trace:x${trace.replace(/\s/g, "")}`),
      type: text,
      detail: text,
      invalid_parameters: fc.array(parameter, { maxLength: 5 }),
    },
    { requiredKeys: ["status", "title", "instance"] },
  );
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));

/** An answer that leaves the control plane in place, with commands in its text. */
const hostileAnswer: fc.Arbitrary<Fault> = fc
  .constantFrom(400, 401, 403, 404, 409, 429, 500, 503)
  .chain((status) =>
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ status: fc.constant(status === 404 ? 403 : status), body: document(status) }),
      },
      { weight: 2, arbitrary: fc.record({ status: fc.constant(status), body: text }) },
      { weight: 2, arbitrary: fc.record({ status: fc.constant(status), body: bytes }) },
      {
        weight: 2,
        arbitrary: printable.map((value) => ({
          status: 503,
          headers: { "retry-after": value },
          body: value,
        })),
      },
      {
        weight: 1,
        arbitrary: bytes.map((junk) => ({
          raw: Buffer.concat([Buffer.from(`HTTP/1.1 ${status} `), junk, Buffer.from("\r\n\r\n"), junk]),
        })),
      },
      { weight: 1, arbitrary: bytes.map((raw) => ({ raw })) },
    ),
  );

const sample = <T>(arbitrary: fc.Arbitrary<T>, salt: number) =>
  fc.sample(arbitrary, { seed: SEED + salt, numRuns: PLANES });

/** The CLI's own colors, and nothing else that a terminal would interpret as a command. Source: Pulumi's `diag/colors`. */
// eslint-disable-next-line no-control-regex -- that is what is looked for
const OWN_COLOR = /\u001b\[(?:0|1|4|[34]8;5;\d{1,2})m/g;

function expectHarmless({ exitCode, output }: CommandResult): void {
  expect(exitCode, "a panic ends with 2 or 255").to.be.oneOf([0, 1]);
  expect(output).not.to.match(/panic:|goroutine \d|fatal:/);
  for (const printed of output.split("\n")) {
    const line = printed.replace(OWN_COLOR, "");
    // The CLI's own words: a URN, and what it says of a resource in a diff.
    const foreign = line.replace(/urn:pulumi:\S+/g, "");
    expect(dangerIn(foreign), JSON.stringify(printed)).to.equal(undefined);
    expect(line, "Buildkite's groups").not.to.match(/^(?:---|\+\+\+|~~~|\^\^\^) /);
    expect(line.length).to.be.at.most(LONGEST_LINE);
  }
}

describe(`text from a hostile service, through the CLI with color on (seed ${SEED})`, () => {
  const scene = sharedScene({ planes: PLANES });
  const names = Array.from({ length: PLANES }, (_, index) => `p${index + 1}`);
  const declare = (more: object = {}) =>
    scene().declare(
      Object.fromEntries(names.map((name, index) => [name, { controlPlaneId: idOf(index + 1), ...more }])),
    );
  const script = (method: string, faults: readonly Fault[]) => {
    for (const [index, fault] of faults.entries()) {
      scene().emulator.script({ method, id: idOf(index + 1) }, fault);
    }
  };
  const found = (salt: number): Fault[] =>
    sample(fc.record({ name: text, labels: fc.dictionary(text, text, { maxKeys: 4 }) }), salt).map(
      (plane, index) => ({
        body: { ...plane, id: idOf(index + 1) },
      }),
    );
  const denied = (salt: number): Fault[] =>
    sample(document(403), salt).map((body) => ({ status: 403, body }));
  const pulumi = (args: string) =>
    scene().pulumi(`${args} --color always`, {
      KONNECT_MAX_ATTEMPTS: "2",
      KONNECT_RETRY_BUDGET_SECONDS: "10",
    });

  it("is harmless at adoption: in names, and in the problems of those that may not be read", async function () {
    this.timeout(90_000);
    declare();
    script("GET", [...found(1).slice(0, PLANES / 2), ...denied(2).slice(PLANES / 2)]);
    const run = await pulumi("up --yes --skip-preview --diff");
    expect(run.exitCode, run.output).to.equal(0);
    expectHarmless(run);
  });

  it("is harmless in a preview that refuses to replace, in the names and labels of what would be lost", async function () {
    this.timeout(60_000);
    scene().emulator.reset();
    const problems = denied(4);
    script(
      "GET",
      found(3).map((fault, index) => (index % 3 === 0 ? (problems[index] ?? fault) : fault)),
    );
    declare({ region: "eu" });
    const run = await pulumi("preview");
    declare();
    scene().emulator.reset();
    expect(run.exitCode, run.output).to.equal(1);
    expectHarmless(run);
    // The engine stops at the first error: how many others it has got to by then is chance.
    expect(run.output).to.match(/Refused: control plane .* would be deleted by this change/);
    expect(run.output).to.match(/It is "|the service says:/);
  });

  it("is harmless in a refresh, and in what that stores", async function () {
    this.timeout(60_000);
    script("GET", denied(6));
    const run = await pulumi("refresh --yes --skip-preview --diff");
    expect(run.exitCode, run.output).to.equal(0);
    expectHarmless(run);
    const { resources } = await scene().stack.state();
    expect(resources).to.have.length(PLANES);
    const stored = resources.flatMap(({ outputs }) => (outputs.lastProblem as object | undefined) ?? []);
    expect(stored).to.have.length(PLANES);
    for (const value of stored.flatMap((problem) => Object.values(problem).map(String))) {
      expect(dangerIn(value), value).to.equal(undefined);
    }
  });

  it("is harmless in a destroy, and every control plane has its diagnostic", async function () {
    this.timeout(90_000);
    const faults = sample(hostileAnswer, 7).map((fault) => ({ ...fault, times: 2 }));
    // The largest message there can be: each byte is no UTF-8, and becomes nine in the header that carries it.
    const entry = `{"field":"${"\xff".repeat(80)}","reason":"${"\xff".repeat(550)}"}`;
    const largest = `{"status":400,"title":"x","instance":"x","invalid_parameters":[${Array(98).fill(entry).join()}]}`;
    faults[0] = { status: 400, body: Buffer.from(largest, "latin1"), times: 2 };
    script("DELETE", faults);
    const run = await pulumi("destroy --yes --skip-preview --continue-on-error");
    expectHarmless(run);
    const { resources, pending } = await scene().stack.state();
    expect(pending).to.equal(0);
    const plain = run.output.replace(OWN_COLOR, "");
    const kept = resources.map(({ id }) => id);
    for (const [index, name] of names.entries()) {
      if (!kept.includes(idOf(index + 1))) continue;
      expect(diagnosticsOf(name, plain), name)
        .to.match(/^error: (?:\d{3}|No answer)/)
        .and.to.match(new RegExp(`control plane (".*" \\(${idOf(index + 1)}\\)|${idOf(index + 1)}) `));
    }
    expect(kept.length).to.be.greaterThan(PLANES / 2);
    scene().emulator.reset();
  });
});
