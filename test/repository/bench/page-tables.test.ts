import { expect } from "chai";
import { renderTables } from "../../../tools/bench/page/page-tables.js";
import { benchResult, sample } from "./bench-result.js";

const lines = (text: string) => text.split("\n");

describe("the tables of the benchmark", () => {
  it("describe the machine, the versions and the rounds", () => {
    const text = renderTables(benchResult([1, 2, 3].map((round) => sample("set", "up", 10, 2, { round }))));
    expect(text.split("\n").slice(0, 4)).to.deep.equal([
      "Medians of 3 rounds, measured on 2026-11-22.",
      "The service took 20 ms for each answer.",
      "The machine: 2 cores (Imaginary 9), 8 GB of memory, linux x64, with a load of 0.25 at the start.",
      "Versions: Pulumi 3.259.0, `@pulumi/pulumi` 3.248.0, Node v20.20.2, this package 0.1.0.",
    ]);
  });

  it("say which sizes were measured in fewer rounds than the others", () => {
    const rounds = (size: number, count: number) =>
      Array.from({ length: count }, (_, index) => sample("set", "up", size, 2, { round: index + 1 }));
    const headline = (...samples: Parameters<typeof benchResult>[0]) =>
      lines(renderTables(benchResult(samples)))[0];
    expect(headline(...rounds(10, 3), ...rounds(100, 3), ...rounds(1000, 1))).to.equal(
      "Medians of 3 rounds (1,000 in one round), measured on 2026-11-22.",
    );
    expect(headline(...rounds(10, 1))).to.equal("One round, measured on 2026-11-22.");
  });

  it("compare each median with the ordinary provider's and with the floor's, destroy first", () => {
    const text = renderTables(
      benchResult([
        ...[sample("ordinary", "up", 10, 4), sample("ordinary", "destroy", 10, 2)],
        ...[sample("ordinary", "destroy", 1000, 90)],
        ...[sample("each", "up", 10, 3), sample("each", "destroy", 10, 1.5)],
        ...[40, 50, 36].map((seconds, index) =>
          sample("each", "destroy", 1000, seconds, { round: index + 1 }),
        ),
        ...[sample("floor", "destroy", 10, 1.6), sample("floor", "destroy", 1000, 32)],
        ...[sample("fast", "destroy", 1000, 4.5), sample("fast-floor", "destroy", 1000, 4)],
      ]),
    );
    const [, shares = "", floors = ""] = text.split(/^### /m);
    expect(lines(shares.trim())).to.deep.equal([
      "Ratio to the ordinary provider",
      "",
      "|         |                              |   10 | 1,000 |",
      "| ------- | ---------------------------- | ---: | ----: |",
      "| destroy | ControlPlane each            | 0.75 |  0.44 |",
      "| destroy | ControlPlane each, fast mode |    – |  0.05 |",
      "| up      | ControlPlane each            | 0.75 |     – |",
    ]);
    expect(lines(floors.trim())).to.deep.equal([
      "Ratio to the engine's floor, and seconds above it",
      "",
      "|         |                              |             10 |          1,000 |",
      "| ------- | ---------------------------- | -------------: | -------------: |",
      "| destroy | ControlPlane each            | 0.94 (-0.10 s) | 1.25 (+8.00 s) |",
      "| destroy | ControlPlane each, fast mode |              – | 1.13 (+0.50 s) |",
    ]);
  });

  it("show medians with their spread, and the exponent", () => {
    const text = renderTables(
      benchResult([
        sample("set", "destroy", 100, 1),
        ...[12, 9, 10].map((seconds, index) => sample("set", "destroy", 1000, seconds, { round: index + 1 })),
      ]),
    );
    expect(text).not.to.contain("### Ratio");
    expect(lines(text)).to.include.members([
      "|         |                 |    100 |              1,000 | exponent |",
      "| destroy | ControlPlaneSet | 1.00 s | 10.0 s (9.00–12.0) |     1.00 |",
    ]);
  });

  it("show what the largest size cost, and leave out what was not measured", () => {
    const usage = { cli: { cpuMs: 1_500, peakBytes: 120e6 }, host: { cpuMs: 650, peakBytes: 140e6 } };
    const text = renderTables(
      benchResult([
        sample("set", "destroy", 10, 1),
        sample("set", "destroy", 1000, 4, { usage, stateBytes: 365 }),
        sample("each", "destroy", 1000, 40, { requests: 1001 }),
      ]),
    );
    const [head = "", , each = "", set = ""] = lines(text.slice(text.indexOf("### What 1,000 cost"))).slice(
      2,
    );
    const cells = (line: string) => line.split("|").map((cell) => cell.trim());
    expect(cells(head).slice(3, -1)).to.deep.equal([
      ...[
        "CPU, CLI",
        "CPU, host",
        "memory, CLI",
        "memory, host",
        "connections",
        "requests",
        "bytes of state",
      ],
    ]);
    expect(cells(each).slice(1, -1)).to.deep.equal([
      ...["destroy", "ControlPlane each", "–", "–", "–", "–", "8", "1,001", "1,200,000"],
    ]);
    expect(cells(set).slice(1, -1)).to.deep.equal([
      ...["destroy", "ControlPlaneSet", "1.50 s", "0.65 s", "120 MB", "140 MB", "8", "1,000", "365"],
    ]);
  });
});
