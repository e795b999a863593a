import { createReportFile } from "../../../provider/report/report-file.js";
import { facts, recordedRef } from "../hooks/fake-context.js";

// Appends numbered lines to a report file: <file> <run id> <number of lines>.
const [file = "", runId = "", count = ""] = process.argv.slice(2);
const sink = createReportFile({
  path: file,
  runId,
  epochMs: Date.now,
  warn: (text) => {
    throw new Error(text);
  },
});
for (let n = 0; n < Number(count); n += 1) {
  sink({ type: "deleted", controlPlane: { ...recordedRef, name: String(n) }, facts, proof: 204 });
}
