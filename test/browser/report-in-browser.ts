import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import type { Browser, Page } from "puppeteer-core";
import { launchBrowser } from "../../tools/browser/launch-browser.js";
import { startCommand } from "../../tools/commands.js";
import { ROOT } from "../../tools/repository.js";

const COMMAND_LINE = path.join(ROOT, "provider/bin/pulumi-konnect-control-planes.mjs");

/** What axe-core finds wrong with a page. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** Reports as HTML files, and one browser for all of them. */
export class ReportsInBrowser {
  private constructor(
    readonly browser: Browser,
    private readonly folder: string,
    private readonly closeBrowser: () => Promise<void>,
  ) {}

  static async start(): Promise<ReportsInBrowser> {
    const { browser, close } = await launchBrowser();
    return new ReportsInBrowser(browser, mkdtempSync(path.join(tmpdir(), "report-page-")), close);
  }

  async close(): Promise<void> {
    await this.closeBrowser();
    rmSync(this.folder, { recursive: true });
  }

  /** Renders a report file with the built command line. Returns the address of the page. */
  async render(name: string, lines: string): Promise<string> {
    const [file, output] = [`${name}.jsonl`, `${name}.html`].map((each) => path.join(this.folder, each));
    writeFileSync(file!, lines);
    const args = [COMMAND_LINE, "report", file!, "--format", "html", "--output", output!];
    const { exitCode, stderr } = await startCommand(process.execPath, args, {
      env: {},
      timeoutMs: 20_000,
    }).result;
    expect([exitCode, stderr]).to.deep.equal([lines === "" ? 0 : 1, ""]);
    return pathToFileURL(output!).href;
  }

  /** Writes a page. Returns its address. */
  write(name: string, page: string): string {
    const file = path.join(this.folder, `${name}.html`);
    writeFileSync(file, page);
    return pathToFileURL(file).href;
  }

  /** Opens a page. */
  async open(address: string): Promise<OpenReport> {
    const page = await this.browser.newPage();
    page.setDefaultTimeout(8_000);
    const report = new OpenReport(page);
    await page.goto(address);
    return report;
  }
}

/** A report that is open in the browser. */
export class OpenReport {
  /** What the console and the page reported as wrong. */
  readonly complaints: string[] = [];
  /** The addresses of all requests. */
  readonly requests: string[] = [];

  constructor(readonly page: Page) {
    page.on("console", (message) => this.complaints.push(message.text()));
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      this.complaints.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("request", (request) => this.requests.push(request.url()));
  }

  /** Sets the theme and the width of the window. */
  async show(theme: "light" | "dark", width: number): Promise<void> {
    await this.page.setViewport({ width, height: 800 });
    await this.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  }

  /** Evaluates an expression in the page. */
  async evaluate<Value>(expression: string): Promise<Value> {
    return (await this.page.evaluate(expression)) as Value;
  }

  /** Returns the texts of the elements that a selector finds, with single blanks. */
  textsOf(selector: string): Promise<readonly string[]> {
    return this.evaluate(
      `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), ({ textContent }) => textContent.replace(/\\s+/g, " ").trim())`,
    );
  }

  /** Returns the names of the rows that are shown. */
  namesShown(): Promise<readonly string[]> {
    return this.textsOf(".group:not([hidden]) li.plane:not([hidden]) .name");
  }

  /** Returns the elements that reach out of the window, and the width of the page if it is larger than the window's. */
  overflow(): Promise<readonly string[]> {
    // Closed details have no layout. Measuring them would make the browser lay out all of them.
    return this.evaluate(`(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      const elements = document.querySelectorAll("header *, main > *, .tools *, summary, summary > *, .name, [open] .details *");
      const found = Array.from(elements)
        .filter((element) => !element.closest("svg svg, svg > *, .unseen, legend"))
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < -0.5 || right > clientWidth + 0.5;
        })
        .map((element) => element.outerHTML.slice(0, 100));
      return scrollWidth > clientWidth ? [...found, "the page is " + scrollWidth + " wide"] : found;
    })()`);
  }

  /** Returns what axe-core finds. Contrast takes most of its time. */
  async flaws({ contrast = true } = {}): Promise<readonly string[]> {
    if (!(await this.evaluate<boolean>("typeof axe === 'object'"))) await this.page.evaluate(AXE);
    const options = { resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast } } };
    const { violations } = await this.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" · ")}`,
    );
  }
}
