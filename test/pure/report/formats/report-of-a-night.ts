import { buildReport, type Report } from "../../../../provider/report/report-model.js";
import { DENIED, lineAbout } from "../report-lines.js";

/** A report with one control plane of each meaning, and a file with a line that was cut off. */
export function reportOfANight(): Report {
  return buildReport([
    {
      name: "night.jsonl",
      text: [
        lineAbout(1, 1, "deleted", { status: 204, durationMs: 3_100, attempts: 3 }),
        lineAbout(2, 2, "already-gone", { status: 404, traceIds: ["konnect:trace:404"] }),
        lineAbout(3, 3, "failed", DENIED),
        lineAbout(4, 4, "kept", { attempts: 0, durationMs: 0 }),
        lineAbout(5, 5, "adopted", { operation: "adopt", status: 200 }),
        lineAbout(6, 6, "deleted").slice(0, 90),
      ].join("\n"),
    },
  ]);
}

/** A report of a night on which nothing was stale. */
export const emptyReport = (): Report => buildReport([{ name: "night.jsonl", text: "" }]);
