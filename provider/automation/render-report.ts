import {
  isReportFormat,
  REPORT_FORMAT_NAMES,
  REPORT_FORMATS,
  type ReportFormat,
} from "../report/formats/report-formats.js";
import type { Report } from "../report/report-model.js";

/**
 * Renders a report as the command `report` does. The text holds no colors.
 *
 * Rejects with a `TypeError` that names the formats when there is no such format.
 *
 * @category Automation API
 * @param report what `destroyControlPlanes` returns
 * @param format name of the format, as `--format` takes it
 * @returns the text of the report
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
