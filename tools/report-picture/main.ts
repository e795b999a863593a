import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { renderHtml } from "../../provider/report/formats/html-report.js";
import { buildReport } from "../../provider/report/report-model.js";
import { launchBrowser } from "../browser/launch-browser.js";
import { ROOT } from "../repository.js";
import { runEmulatedNight } from "./emulated-night.js";

// Renews the picture of the HTML report in docs/report.md: runs a night on the emulator, and takes a screenshot.

const PICTURE = path.join(ROOT, "docs/images/report.webp");

/** Whoever reads the page over a slow connection should not wait for it. */
const LARGEST_BYTES = 150_000;

async function main(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "screenshot-"));
  try {
    const file = path.join(folder, "night.jsonl");
    await runEmulatedNight(file);
    const page = path.join(folder, "report.html");
    // The port of the emulator says nothing to a reader.
    const text = readFileSync(file, "utf8").replace(
      /http:\/\/127\.0\.0\.1:\d+/g,
      "https://eu.api.konghq.com",
    );
    writeFileSync(page, renderHtml(buildReport([{ name: "night.jsonl", text }])));
    await takePicture(pathToFileURL(page).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { size } = statSync(PICTURE);
  console.log(`${path.relative(ROOT, PICTURE)}: ${size} bytes`);
  if (size > LARGEST_BYTES) throw new Error(`the picture is larger than ${LARGEST_BYTES} bytes`);
}

async function takePicture(address: string): Promise<void> {
  const { browser, close } = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setViewport({ width: 1_080, height: 900, deviceScaleFactor: 1.5 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    await page.goto(address);
    // The first row is opened, because it shows what all of them hold.
    await page.evaluate("document.querySelector('li > details').open = true");
    const body = await page.waitForSelector("body");
    await body?.screenshot({ path: PICTURE, type: "webp", quality: 70 });
  } finally {
    await close();
  }
}

void main();
