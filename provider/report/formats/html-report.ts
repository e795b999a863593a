import { countControlPlanes } from "../../text/message.js";
import { safe, safeText, type SafeText } from "../../text/safe-text.js";
import type { Report } from "../report-model.js";
import { describeSpan } from "./describe-line.js";
import { stateOf } from "./describe-state.js";
import {
  renderCauses,
  renderCounts,
  renderFiles,
  renderNights,
  renderSelections,
  renderSkipped,
} from "./html-overview.js";
import { renderPlanes } from "./html-planes.js";
import { renderPage } from "./html/render-page.js";

/** Renders a report as one HTML file: how it ends and why first, then each control plane. */
export function renderHtml(report: Report): string {
  const { kind, title } = stateOf(report);
  return renderPage({
    ...{ kind, title },
    headline: headlineOf(report, title),
    lead: describeSpan(report) ?? safe`The report files hold no operation on a control plane.`,
    counts: renderCounts(report),
    main: [
      ...renderNights(report),
      ...renderSelections(report),
      renderSkipped(report),
      renderCauses(report),
      renderPlanes(report),
      renderFiles(report),
    ],
  });
}

/** The title as a sentence. What is only left is counted in words. */
function headlineOf({ left: { length: count } }: Report, title: SafeText): SafeText {
  if (title === safe`${count} left`) {
    return safe`${countControlPlanes(count)} ${count === 1 ? safe`is left` : safe`are left`}`;
  }
  if (title === safe`not known whether anything is left`) return safe`It is ${title}`;
  return safe`${safeText(title.slice(0, 1).toUpperCase(), 10)}${safeText(title.slice(1), 300)}`;
}
