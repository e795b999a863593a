import { isReportFormat, REPORT_FORMATS, type ReportFormat } from "../report/formats/report-formats.js";
import type { Report } from "../report/report-model.js";

/**
 * Renders a report as the command `report` does.
 *
 * @param format as `--format` takes it. Default: `text`
 * @throws TypeError that names the formats when there is no such format
 */
export function renderReport(report: Report, format: ReportFormat = "text"): string {
  if (!isReportFormat(format)) {
    const formats = Object.keys(REPORT_FORMATS).join(", ");
    throw new TypeError(`renderReport: the format must be one of ${formats}`);
  }
  return REPORT_FORMATS[format](report, {});
}
