import { countControlPlanes } from "../../../text/message.js";
import type { SafeText } from "../../../text/safe-text.js";
import { html, type Markup } from "./markup.js";

/** The row of a control plane. */
export interface Row {
  readonly name: SafeText;
  /** A few words below the name. May be empty. */
  readonly answer: SafeText;
  /** The name of its outcome, for the filter and the style sheet, and the same in words. */
  readonly outcome: SafeText;
  readonly words: SafeText;
  /** What fills the widest column. */
  readonly middle: Markup;
  /** The last two columns. */
  readonly numbers: readonly [SafeText, SafeText];
  /** What the row opens to. */
  readonly details: Markup;
}

/** Rows with a title. */
export interface RowGroup {
  readonly id: SafeText;
  readonly title: SafeText;
  readonly rows: readonly Row[];
}

/**
 * Renders a filter, and a row for each control plane whose details are closed at first.
 *
 * @param head what stands above the columns
 * @returns undefined if there is no control plane
 */
export function renderRows(groups: readonly RowGroup[], head: Markup): Markup | undefined {
  if (groups.length === 0) return undefined;
  return html`<section class="planes" aria-label="Control planes">
    <div class="tools">${renderFilter(groups)} ${head}</div>
    ${groups.map(renderGroup)}
    <p class="no-match" hidden>No control plane matches the filter.</p>
    <p class="unseen" role="status"></p>
  </section>`;
}

function renderGroup({ id, title, rows }: RowGroup): Markup {
  return html`<section class="group ${id}" aria-labelledby="${id}">
    <h2 id="${id}">${title} <span class="number">${rows.length}</span></h2>
    <ol>
      ${rows.map(renderRow)}
    </ol>
  </section>`;
}

function renderRow({ name, answer, outcome, words, middle, numbers, details }: Row): Markup {
  return html`<li class="plane" data-outcome="${outcome}">
    <details>
      <summary>
        <span class="who">
          <span class="name">${name}</span>
          ${answer === "" ? undefined : html`<span class="answer">${answer}</span>`}
        </span>
        <span class="outcome">${words}</span>
        ${middle}
        <span class="attempts">${numbers[0]}</span>
        <span class="time">${numbers[1]}</span>
      </summary>
      ${details}
    </details>
  </li>`;
}

/** The script shows the filter. Without the script, all rows are shown. */
function renderFilter(groups: readonly RowGroup[]): Markup {
  const rows = groups.flatMap((group) => group.rows);
  return html`<form class="filter" role="search" aria-label="Control planes">
    <input
      type="search"
      id="words"
      aria-label="Filter by name, id, trace or message"
      placeholder="Name, id, trace or message"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
    />
    <fieldset>
      <legend>Outcomes</legend>
      ${groups.flatMap(countOutcomes).map(
        ({ outcome, words, count }) =>
          html`<label>
            <input type="checkbox" name="outcome" value="${outcome}" />
            <span>${words} <b>${count}</b></span>
          </label>`,
      )}
    </fieldset>
    <div class="actions">
      <output for="words">${countControlPlanes(rows.length)}</output>
      <button type="reset">Show all</button>
      <button type="button" id="toggle">Open all</button>
    </div>
  </form>`;
}

interface OutcomeCount extends Pick<Row, "outcome" | "words"> {
  readonly count: number;
}

/** The most frequent one comes first. */
function countOutcomes({ rows }: RowGroup): readonly OutcomeCount[] {
  const counts = new Map<string, OutcomeCount>();
  for (const { outcome, words } of rows) {
    counts.set(outcome, { outcome, words, count: (counts.get(outcome)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/**
 * Renders a fact by name.
 *
 * @param whose the name of the control plane, where a button copies the fact
 */
export function renderFact(name: SafeText, value: SafeText, whose?: SafeText): Markup {
  if (whose === undefined) {
    return html`<dt>${name}</dt>
      <dd><span class="value">${value}</span></dd>`;
  }
  return html`<dt>${name}</dt>
    <dd>
      <code class="value">${value}</code>
      <button type="button" class="copy" aria-label="Copy ${name} of ${whose}">Copy</button>
    </dd>`;
}
