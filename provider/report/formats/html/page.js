"use strict";

// Filters the rows, and copies ids and traces. The page is complete without this script.
document.documentElement.classList.add("js");

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form");
  if (form !== null) startFilter(form);
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest(".copy") : null;
    if (button !== null) void copyValue(button);
  });
});

/** @param {HTMLFormElement} form */
function startFilter(form) {
  const rows = Array.from(document.querySelectorAll("li.plane"), (element) => ({
    element,
    outcome: element.getAttribute("data-outcome") ?? "",
    text: textOf(element),
  }));
  const groups = document.querySelectorAll(".group");
  const shown = form.querySelector("output");
  const noMatch = document.querySelector(".no-match");

  const apply = () => {
    const values = new FormData(form);
    const outcomes = values.getAll("outcome");
    const words = form.querySelector("input")?.value.toLowerCase().split(/\s+/) ?? [];
    let count = 0;
    for (const { element, outcome, text } of rows) {
      const isShown =
        (outcomes.length === 0 || outcomes.includes(outcome)) && words.every((word) => text.includes(word));
      element.toggleAttribute("hidden", !isShown);
      if (isShown) count += 1;
    }
    for (const group of groups) {
      group.toggleAttribute("hidden", group.querySelector("li.plane:not([hidden])") === null);
    }
    noMatch?.toggleAttribute("hidden", count > 0);
    const total = `${rows.length} control plane${rows.length === 1 ? "" : "s"}`;
    if (shown !== null) shown.textContent = count === rows.length ? total : `${count} of ${total}`;
  };

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", apply);
  // The fields have their first values only after the event.
  form.addEventListener("reset", () => setTimeout(apply));
  form.querySelector("#toggle")?.addEventListener("click", ({ currentTarget }) => {
    const details = document.querySelectorAll("li.plane:not([hidden]) details");
    const isOpening = Array.from(details).some((one) => !one.hasAttribute("open"));
    for (const one of details) one.toggleAttribute("open", isOpening);
    if (currentTarget instanceof Element) currentTarget.textContent = isOpening ? "Close all" : "Open all";
  });
  // A browser can keep what was entered before the page was loaded again.
  apply();
}

/**
 * Returns the words of a row that a reader may look for, in lower case.
 *
 * @param {Element} row
 */
function textOf(row) {
  const parts = row.querySelectorAll(".name, .answer, .outcome, .said, .value");
  return Array.from(parts, ({ textContent }) => textContent ?? "")
    .join(" ")
    .toLowerCase();
}

/** @param {Element} button */
async function copyValue(button) {
  const value = button.parentElement?.querySelector(".value");
  if (value === null || value === undefined) return;
  const words = (await copyText(value)) ? "Copied" : "Press Ctrl+C";
  button.textContent = words;
  const status = document.querySelector("[role=status]");
  if (status !== null) status.textContent = words;
  setTimeout(() => {
    button.textContent = "Copy";
    if (status !== null) status.textContent = "";
  }, 2_000);
}

/**
 * Copies the text of an element. Selects it, so that a reader can copy it when the browser does not allow the page to.
 *
 * @param {Element} element
 */
async function copyText(element) {
  try {
    await navigator.clipboard.writeText(element.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(element);
    return document.execCommand("copy");
  }
}
