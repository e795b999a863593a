import { expect } from "chai";
import { parseCommandLine, USAGE } from "../../../../emulator/command-line.js";

describe("the command line of the emulator", () => {
  it("starts five control planes on a free port without latency by default", () => {
    expect(parseCommandLine([])).to.deep.equal({
      kind: "run",
      port: 0,
      controlPlanes: 5,
      latencyMs: 0,
      seedFile: undefined,
      faults: [],
      control: false,
      lenient: false,
    });
  });

  it("leaves out what is not required with --lenient", () => {
    expect(parseCommandLine(["--lenient"])).to.deep.include({ control: false, lenient: true });
  });

  it("turns on the control with --control", () => {
    expect(parseCommandLine(["--control", "--port", "1"])).to.deep.include({ control: true, port: 1 });
  });

  it("keeps the order of several --fault", () => {
    expect(parseCommandLine(["--fault", "DELETE 503 x2", "--fault=GET hang"])).to.deep.include({
      faults: [
        { route: { method: "DELETE" }, fault: { status: 503, times: 2 } },
        { route: { method: "GET" }, fault: { hang: true } },
      ],
    });
  });

  it("takes each value from its flag", () => {
    const args = "--port 8787 --control-planes=12 --latency-ms 20".split(" ");
    expect(parseCommandLine(args)).to.deep.include({ port: 8787, controlPlanes: 12, latencyMs: 20 });
    expect(parseCommandLine(["--seed", "seeds.json"])).to.deep.include({ seedFile: "seeds.json" });
  });

  it("accepts the smallest and the largest value of each flag", () => {
    const smallest = "--port 0 --control-planes 0 --latency-ms 0".split(" ");
    expect(parseCommandLine(smallest)).to.deep.include({ port: 0, controlPlanes: 0, latencyMs: 0 });
    const largest = "--port 65535 --control-planes 100000 --latency-ms 600000".split(" ");
    expect(parseCommandLine(largest)).to.deep.include({
      port: 65_535,
      controlPlanes: 100_000,
      latencyMs: 600_000,
    });
  });

  it("asks for help with --help and -h, whatever follows", () => {
    expect(parseCommandLine(["--help"])).to.deep.equal({ kind: "help" });
    expect(parseCommandLine(["-h", "--port", "x"])).to.deep.equal({ kind: "help" });
  });

  it("describes every flag with its range and default in the help text", () => {
    expect(USAGE.split("\n")).to.deep.equal([
      "Usage: npm run emulator -- [flags]",
      "",
      "Runs the control plane service in memory until Ctrl-C.",
      "",
      "  --port <number>            port on 127.0.0.1, where 0 is any free port; 0 to 65535, default 0",
      "  --control-planes <number>  number of control planes at the start; 0 to 100000, default 5",
      "  --latency-ms <number>      milliseconds to wait before each answer; 0 to 600000, default 0",
      "  --seed <file>              JSON file that describes the control planes, in place of --control-planes",
      "  --fault <fault>            what happens to the next requests that match; may be given again",
      "  --control                  let programs on this machine script faults and read requests over HTTP",
      "  --lenient                  leave out of answers what the public API does not require",
      "  --help                     shows this text",
      "",
      "A seed file holds a list. Only the name of an entry is required:",
      "",
      '  [{ "name": "preview-1", "age": "7d", "labels": { "env": "preview" } }]',
      "",
      "A fault has the form",
      "",
      "  METHOD [name or id] STATUS|reset|reset-after|hang [xN] [after Ns]",
      "",
      `such as "DELETE 503 x2" or "POST 'new edge' reset-after after 500ms". With reset, the connection is cut`,
      "before the service does the work, and with reset-after when it has done it. x2 means two requests, and",
      "after 2s means a delay of two seconds.",
      "",
      "docs/internals/emulator.md describes the other fields of a seed file, and the paths of --control.",
    ]);
  });

  const ALLOWED =
    "allowed are --port, --control-planes, --latency-ms, --seed, --fault, --control, --lenient and --help";
  const FORM = "METHOD [name or id] STATUS|reset|reset-after|hang [xN] [after Ns]";
  const OUTCOMES = "a status from 200 to 599, reset, reset-after or hang";
  const mistakes: readonly (readonly [args: string, message: string])[] = [
    ["--port x", '--port must be a whole number from 0 to 65535, not "x"'],
    ["--port=", '--port must be a whole number from 0 to 65535, not ""'],
    ["--port -1", '--port must be a whole number from 0 to 65535, not "-1"'],
    ["--port 65536", '--port must be a whole number from 0 to 65535, not "65536"'],
    ["--port", "--port needs a value, a whole number from 0 to 65535"],
    ["--port --latency-ms 5", '--port must be a whole number from 0 to 65535, not "--latency-ms"'],
    ["--port 1 --port 1", "--port must be given only once"],
    ["--control-planes 100001", '--control-planes must be a whole number from 0 to 100000, not "100001"'],
    ["--latency-ms 1.5", '--latency-ms must be a whole number from 0 to 600000, not "1.5"'],
    ["--latency-ms 600001", '--latency-ms must be a whole number from 0 to 600000, not "600001"'],
    ["--seed", "--seed needs a value, the path of a JSON file"],
    ["--seed=", "--seed needs a value, the path of a JSON file"],
    ["--seed a --seed b", "--seed must be given only once"],
    ["--seed a --control-planes 5", "--seed and --control-planes exclude each other"],
    ["--lenient=1", '--lenient takes no value, not "1"'],
    ["--control --control", "--control must be given only once"],
    ["--control=yes", '--control takes no value, not "yes"'],
    ["--control yes", `unexpected argument "yes"; ${ALLOWED}`],
    ["--fault", `--fault needs a value of the form ${FORM}`],
    ["--fault=", `--fault needs a value of the form ${FORM}`],
    ["--fault DELETE", `--fault "DELETE": it needs ${OUTCOMES}; the form is ${FORM}`],
    ["--prot 1", `unknown flag "--prot"; ${ALLOWED}`],
    ["-p 1", `unknown flag "-p"; ${ALLOWED}`],
    ["--toString 1", `unknown flag "--toString"; ${ALLOWED}`],
    ["8787", `unexpected argument "8787"; ${ALLOWED}`],
    ["-- --port", `unexpected argument "--port"; ${ALLOWED}`],
  ];
  for (const [args, message] of mistakes) {
    it(`rejects ${args} with: ${message}`, () => {
      const failure = failureOfParsing(args.split(" "));
      expect(failure).to.equal(message);
    });
  }

  it("escapes control characters of a rejected value", () => {
    expect(failureOfParsing(["--port", "\u001b[31m"])).to.contain('not "\\u001b[31m"');
  });
});

function failureOfParsing(args: readonly string[]): string {
  try {
    return JSON.stringify(parseCommandLine(args));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
