import { isReportFormat, REPORT_FORMATS, type ReportFormat } from "../report/formats/report-formats.js";
import type { Report } from "../report/report-model.js";

/**
 * Renders a report as the command `report` does.
 *
 * @param format as `--format` takes it. Default: `text`
 * @returns a promise that rejects with a TypeError that names the formats when there is no such format
 */
export async function renderReport(report: Report, format: ReportFormat = "text"): Promise<string> {
  if (!isReportFormat(format)) {
    const formats = Object.keys(REPORT_FORMATS).join(", ");
    throw new TypeError(`renderReport: the format must be one of ${formats}`);
  }
  return REPORT_FORMATS[format](report, {});
}
