import { expect } from "chai";
import { renderText } from "../../../../provider/report/formats/text-report.js";
import { buildReport } from "../../../../provider/report/report-model.js";
import { displayWidth } from "../../../../provider/text/table.js";
import { DENIED, idOf, lineAbout } from "../report-lines.js";
import { emptyReport, reportOfANight } from "./report-of-a-night.js";

describe("a report as text", () => {
  it("shows the totals, what is left and why, what is kept, what is gone, and what could not be read", () => {
    expect(renderText(reportOfANight()).split("\n")).to.deep.equal([
      "5 control planes: 1 deleted, 1 already gone, 1 kept, 1 only adopted, 1 failed",
      "1 run, from 2026-01-01 02:00:00 UTC, 5.0 s",
      "It is not known whether anything else is left: 1 line cannot be read.",
      "",
      "Left (2)",
      "",
      "  403 Permission denied: 1 control plane",
      "    The role-set of [sa-ci] does not allow this.",
      "    address   https://eu.api.konghq.com/v2",
      "    trace     konnect:trace:403",
      "    token     system account token from KONNECT_SPAT",
      "    next      give it the Admin role, then run again",
      "  name     id                                    outcome  attempts   time",
      `  plane-3  ${idOf(3)}  failed          1  0.2 s`,
      "",
      "  only adopted: 1 control plane",
      "    address   https://eu.api.konghq.com/v2",
      "    operation adopt",
      "    next      no deletion was reported; run the destroy",
      "  name     id                                    outcome       attempts   time",
      `  plane-5  ${idOf(5)}  only adopted         1  0.2 s`,
      "",
      "Kept (1)",
      "  name     id                                    outcome  attempts  time",
      `  plane-4  ${idOf(4)}  kept`,
      "",
      "Gone (2)",
      "  name     id                                    outcome       attempts   time",
      `  plane-1  ${idOf(1)}  deleted              3  3.1 s`,
      `  plane-2  ${idOf(2)}  already gone         1  0.2 s`,
      "",
      "night.jsonl: 1 line is not in the report (1 cut off or damaged): line 6",
      "",
    ]);
  });

  it("says once why several are left, and below each row what only one of them got", () => {
    const second = { ...DENIED, traceIds: ["konnect:trace:404"] };
    const text = [lineAbout(1, 1, "failed", DENIED), lineAbout(2, 2, "failed", second)].join("\n");
    const lines = renderText(buildReport([{ name: "night", text }])).split("\n");
    expect(lines.slice(3, -1)).to.deep.equal([
      "Left (2)",
      "",
      "  403 Permission denied: 2 control planes",
      "    The role-set of [sa-ci] does not allow this.",
      "    address   https://eu.api.konghq.com/v2",
      "    token     system account token from KONNECT_SPAT",
      "    next      give it the Admin role, then run again",
      "  name     id                                    outcome  attempts   time",
      `  plane-1  ${idOf(1)}  failed          1  0.2 s`,
      "      trace     konnect:trace:403",
      `  plane-2  ${idOf(2)}  failed          1  0.2 s`,
      "      trace     konnect:trace:404",
    ]);
  });

  it("says that there was nothing to do", () => {
    expect(renderText(emptyReport())).to.equal("No control planes: there was nothing to do.\n");
  });

  for (const width of [70, 80, 100, 140]) {
    it(`fits a terminal of ${width} columns`, () => {
      const controlPlane = { id: idOf(9), name: `preview-${"環境".repeat(60)}` };
      const error = { kind: "foreign", summary: "many words ".repeat(20), next: "do something ".repeat(20) };
      const problem = { detail: "because of something ".repeat(30) };
      const text = [lineAbout(9, 9, "failed", { controlPlane, error, problem }), lineAbout(1, 1, "deleted")];
      const lines = renderText(buildReport([{ name: "night", text: text.join("\n") }]), { width }).split(
        "\n",
      );
      for (const line of lines) expect(displayWidth(line), line).to.be.at.most(width);
      expect(lines.join("\n")).to.contain("preview-環").and.to.contain("…");
      if (width >= 100) expect(lines.join("\n"), "the whole id").to.contain(idOf(9));
    });
  }

  it("colors its headings only where that is allowed, and nothing else changes", () => {
    const colored = renderText(reportOfANight(), { color: true });
    expect(colored).to.contain("\u001b[31mLeft\u001b[0m (2)\n");
    expect(colored).to.contain("\u001b[32mGone\u001b[0m (2)\n");
    // eslint-disable-next-line no-control-regex -- the colors
    expect(colored.replace(/\u001b\[\d+m/g, "")).to.equal(renderText(reportOfANight()));
    expect(renderText(reportOfANight())).not.to.contain("\u001b");
  });
});
