export { destroyControlPlanes } from "./destroy-control-planes.js";
export type { DestroyControlPlanesOptions } from "./destroy-options.js";
export { renderReport } from "./render-report.js";
export type { ReportFormat } from "../report/formats/report-formats.js";
export type { AttemptSpan, RemovedMembers, ReportedProblem, ReportLine } from "../report/line-model.js";
export type { NightLine } from "../report/night-line.js";
export type { SelectionLine } from "../report/selection-line.js";
export type { Report, ReportedFile } from "../report/report-model.js";
export type { SkipReason } from "../report/parse-report-line.js";
