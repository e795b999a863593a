import {
  isReportFormat,
  REPORT_FORMAT_NAMES,
  REPORT_FORMATS,
  type ReportFormat,
} from "../report/formats/report-formats.js";
import type { Report } from "../report/report-model.js";

/**
 * Renders a report like the command `report`, without colors.
 *
 * @category Automation API
 * @throws TypeError for an unknown format
 * @example
 * ```ts
 * console.log(await renderReport(report, "markdown"));
 * ```
 */
export async function renderReport(report: Report, format: ReportFormat = "text"): Promise<string> {
  if (!isReportFormat(format)) {
    throw new TypeError(`renderReport: the format must be one of ${REPORT_FORMAT_NAMES.join(", ")}`);
  }
  return REPORT_FORMATS[format](report, {});
}
