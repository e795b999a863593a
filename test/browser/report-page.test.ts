import { expect } from "chai";
import { renderHtmlPlan } from "../../provider/plan/html-plan.js";
import { HOSTILE_NAMES, mixedPlan, nightOf } from "./nights.js";
import { type OpenReport, ReportsInBrowser } from "./report-in-browser.js";

/** What a browser on a busy machine may need for one test. */
const LONGEST_TEST_MS = 40_000;

const COUNTS = [5, 100, 1_000] as const;
const THEMES = ["light", "dark"] as const;
const WIDTHS = [320, 375, 1_280] as const;

describe("the HTML report in a browser", function () {
  this.timeout(LONGEST_TEST_MS);
  let reports: ReportsInBrowser;
  const pages = new Map<number, string>();
  let open: OpenReport | undefined;

  before(async () => {
    reports = await ReportsInBrowser.start();
    for (const count of [0, ...COUNTS]) {
      pages.set(count, await reports.render(`night-${count}`, nightOf(count)));
    }
  });
  after(() => reports.close());
  afterEach(async () => {
    await open?.page.close();
    open = undefined;
  });

  /** Opens the report of a night with a number of control planes. It is closed at the end of the test. */
  const openNight = async (count: number) => (open = await reports.open(pages.get(count)!));

  for (const count of COUNTS) {
    it(`fits ${WIDTHS.join(", ")} pixels in both themes with ${count} control planes, and neither loads nor complains`, async () => {
      const report = await openNight(count);
      for (const theme of THEMES) {
        for (const width of WIDTHS) {
          await report.show(theme, width);
          expect(await report.overflow(), `${theme}, ${width}`).to.deep.equal([]);
        }
      }
      expect(await report.namesShown()).to.have.length(count);
      expect(report.requests).to.deep.equal([pages.get(count)]);
      expect(report.complaints).to.deep.equal([]);
    });
  }

  it("has nothing that axe-core finds, in both themes and all widths, with all details open", async () => {
    const report = await openNight(5);
    await report.page.click("#toggle");
    expect(await report.evaluate("document.querySelectorAll('details:not([open])').length")).to.equal(0);
    for (const theme of THEMES) {
      for (const width of WIDTHS) {
        await report.show(theme, width);
        expect(await report.flaws(), `${theme}, ${width}`).to.deep.equal([]);
      }
    }
  });

  it("has nothing that axe-core finds with 100 control planes, wide and narrow", async () => {
    const report = await openNight(100);
    await report.show("light", 1_280);
    expect(await report.flaws()).to.deep.equal([]);
    await report.show("dark", 320);
    expect(await report.flaws()).to.deep.equal([]);
  });

  it("has nothing that axe-core finds with 1,000 control planes, whose contrast is that of the others", async () => {
    const report = await openNight(1_000);
    await report.show("light", 375);
    expect(await report.flaws({ contrast: false })).to.deep.equal([]);
  });

  it("opens 1,000 control planes in less than two seconds", async () => {
    const elapsedMs: number[] = [];
    // Other work on the machine can slow an attempt down, and never speeds one up.
    while (elapsedMs.length < 3 && !elapsedMs.some((ms) => ms < 2_000)) {
      const startedMs = performance.now();
      const report = await openNight(1_000);
      await report.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
      elapsedMs.push(performance.now() - startedMs);
      await report.page.close();
    }
    open = undefined;
    expect(Math.min(...elapsedMs)).to.be.below(2_000);
  });

  it("shows hostile names as text, and runs nothing of them", async () => {
    const report = await openNight(100);
    const names = await report.namesShown();
    const [invisible, ...others] = [
      HOSTILE_NAMES[5],
      ...HOSTILE_NAMES.slice(0, 5),
      ...HOSTILE_NAMES.slice(6),
    ];
    expect(names).to.include.members(others.map((name) => name.replace(/ {2,}/g, " ")));
    expect(names, invisible).to.include("\\u202egnp.exe next line");
    expect(await report.page.title()).to.equal("Control planes: 25 left");
    expect(await report.evaluate("document.querySelectorAll('img, body script, h1 ~ h1').length")).to.equal(
      0,
    );
    expect(await report.textsOf("h1")).to.deep.equal(["25 control planes are left"]);
    await report.page.hover("li.plane .name");
    expect(report.complaints).to.deep.equal([]);
  });

  it("has a policy that stops scripts, handlers, styles and requests that got into it all the same", async () => {
    const report = await openNight(5);
    const blocked = await report.evaluate<readonly string[]>(`new Promise((resolve) => {
      const blocked = new Set();
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        blocked.add(effectiveDirective);
        if (blocked.size === 5) resolve([...blocked].sort());
      });
      document.body.insertAdjacentHTML("beforeend",
        '<img src="https://evil.example/x" onerror="document.title = 1"><p style="color: red"></p>');
      const script = document.createElement("script");
      script.textContent = "document.title = 'owned'";
      document.body.append(script);
      fetch("https://evil.example/").catch(() => undefined);
    })`);
    expect(blocked).to.deep.equal([
      "connect-src",
      "img-src",
      "script-src-attr",
      "script-src-elem",
      "style-src-attr",
    ]);
    expect(await report.page.title()).to.equal("Control planes: 1 left");
  });

  it("filters by words and by outcomes, and says how many are shown", async () => {
    const report = await openNight(100);
    const { page } = report;
    const shown = async () => (await report.textsOf("output"))[0];
    expect(await shown()).to.equal("100 control planes");
    await page.type("input[type=search]", "PREVIEW- audit");
    expect((await report.namesShown()).every((name) => name.startsWith("preview-audit-"))).to.equal(true);
    expect(await shown()).to.equal("13 of 100 control planes");
    await page.click("input[value=failed]");
    expect(await report.namesShown()).to.deep.equal(["preview-audit-1038", "preview-audit-1080"]);
    expect(await report.textsOf("section.group:not([hidden]) h2")).to.deep.equal(["Left 25"]);
    await page.click("button[type=reset]");
    await page.waitForFunction("document.querySelectorAll('li.plane[hidden]').length === 0");
    expect(await shown()).to.equal("100 control planes");
    await page.type("input[type=search]", "overloaded");
    expect(await shown(), "a word of a problem's detail").to.equal("8 of 100 control planes");
    await page.click("input[value=deleted]");
    expect(await report.namesShown()).to.deep.equal([]);
    expect(await report.textsOf(".no-match:not([hidden])")).to.deep.equal([
      "No control plane matches the filter.",
    ]);
  });

  it("can be used with the keyboard alone: filter, outcomes, details and copy", async () => {
    const report = await openNight(5);
    const { page } = report;
    const focused = () =>
      report.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.value ?? document.activeElement.tagName",
      );
    await page.keyboard.press("Tab");
    expect(await focused()).to.equal("Filter by name, id, trace or message");
    await page.keyboard.type("script");
    expect(await report.namesShown()).to.deep.equal([HOSTILE_NAMES[1]]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await report.evaluate("new FormData(document.forms[0]).getAll('outcome')")).to.deep.equal([
      "failed",
    ]);
    const outline =
      "getComputedStyle(document.activeElement.matches('[type=checkbox]') ? document.activeElement.nextElementSibling : document.activeElement).outlineStyle";
    const stops: string[] = [];
    while (!stops.at(-1)?.startsWith("Copy trace") && stops.length < 20) {
      stops.push(await focused());
      expect(await report.evaluate(outline), `the focus on ${stops.at(-1)!} is visible`).to.equal("solid");
      if (stops.at(-1) === "SUMMARY") await page.keyboard.press("Enter");
      if (!stops.at(-1)!.startsWith("Copy trace")) await page.keyboard.press("Tab");
    }
    expect(stops.slice(-3)).to.deep.equal([
      "SUMMARY",
      `Copy id of ${HOSTILE_NAMES[1]!}`,
      `Copy trace of ${HOSTILE_NAMES[1]!}`,
    ]);
    await page.keyboard.press("Enter");
    await page.waitForFunction("document.activeElement.textContent === 'Copied'");
    expect(await report.textsOf("[role=status]")).to.deep.equal(["Copied"]);
    await page.focus("input[type=search]");
    await page.keyboard.down("Control");
    await page.keyboard.press("KeyA");
    await page.keyboard.press("KeyV");
    await page.keyboard.up("Control");
    expect(await report.evaluate("document.activeElement.value")).to.equal("konnect:trace:4032287285207635");
    await page.focus("summary");
    await page.keyboard.press("Enter");
    expect(await report.evaluate("document.querySelector('details').open")).to.equal(false);
    expect(report.complaints).to.deep.equal([]);
  });

  it("copies with the clipboard of the browser where it may use that", async () => {
    const report = await openNight(5);
    const { page } = report;
    await page.evaluateOnNewDocument(
      "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text; } } })",
    );
    await page.reload();
    await page.click("summary");
    await page.click("[aria-label^='Copy trace']");
    await page.waitForFunction("document.querySelector('[role=status]').textContent === 'Copied'");
    expect(await report.evaluate("window.copied")).to.equal("konnect:trace:4032287285207635");
  });

  it("copies where the browser keeps the clipboard from a page, and finds what was pasted", async () => {
    const report = await openNight(100);
    const { page } = report;
    await page.evaluateOnNewDocument("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.reload();
    await page.click("summary");
    await page.click(".copy");
    await page.waitForFunction("document.querySelector('.copy').textContent === 'Copied'");
    await page.focus("input[type=search]");
    await page.keyboard.down("Control");
    await page.keyboard.press("KeyV");
    await page.keyboard.up("Control");
    expect(await report.evaluate("document.activeElement.value")).to.match(
      /^9524ec7d-36d9-465d-a8c5-\d{12}$/,
    );
    expect(await report.namesShown()).to.have.length(1);
  });

  it("shows everything without scripts, except what needs them", async () => {
    const report = await openNight(5);
    await report.page.setJavaScriptEnabled(false);
    await report.page.reload();
    expect(await report.namesShown()).to.have.length(5);
    expect(await report.page.$$eval("form, .copy", (found) => found.length)).to.be.greaterThan(5);
    for (const hidden of ["form", ".copy"]) {
      expect(await (await report.page.$(hidden))?.isVisible(), hidden).to.equal(false);
    }
    expect(await (await report.page.$(".said"))?.isVisible()).to.equal(true);
  });

  it("shows a plan as well: it fits, has nothing that axe-core finds, and can be filtered", async () => {
    const report = (open = await reports.open(reports.write("plan", renderHtmlPlan(mixedPlan))));
    for (const theme of THEMES) {
      for (const width of WIDTHS) {
        await report.show(theme, width);
        expect(await report.overflow(), `${theme}, ${width}`).to.deep.equal([]);
        expect(await report.flaws(), `${theme}, ${width}`).to.deep.equal([]);
      }
    }
    await report.page.type("input[type=search]", "payments");
    expect(await report.namesShown()).to.deep.equal(["preview-billing-and-invoicing1"]);
    expect(report.complaints).to.deep.equal([]);
  });

  it("says that an empty run had nothing to do", async () => {
    const report = await openNight(0);
    expect(await report.textsOf("h1, .lead")).to.deep.equal([
      "There was nothing to do",
      "The report files hold no operation on a control plane.",
    ]);
    await report.show("dark", 320);
    expect([...(await report.flaws()), ...(await report.overflow()), ...report.complaints]).to.deep.equal([]);
  });

  it("does not move, prints without its controls, and has colors of its own in each theme", async () => {
    const report = await openNight(5);
    const durations =
      "Array.from(document.querySelectorAll('*'), (element) => getComputedStyle(element)).map(({ transitionDuration, animationName }) => transitionDuration + animationName)";
    expect(new Set(await report.evaluate<string[]>(durations))).to.deep.equal(new Set(["0snone"]));
    const color = () => report.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const colors = [];
    for (const theme of THEMES) {
      await report.show(theme, 794);
      colors.push(await color());
    }
    expect(colors).to.deep.equal(["rgb(247, 247, 245)", "rgb(20, 23, 26)"]);
    await report.page.emulateMediaType("print");
    for (const hidden of ["form", ".copy"]) {
      expect(await (await report.page.$(hidden))?.isVisible(), hidden).to.equal(false);
    }
    expect(await report.overflow()).to.deep.equal([]);
  });
});
