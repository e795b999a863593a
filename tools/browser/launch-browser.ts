import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import carriedBrowser from "@sparticuz/chromium";
import puppeteer, { type Browser } from "puppeteer-core";

/** A headless browser that was started, and how to end it. */
export interface LaunchedBrowser {
  readonly browser: Browser;
  /** Ends the browser, and removes what was unpacked for it. */
  readonly close: () => Promise<void>;
}

const LAUNCH_TIMEOUT_MS = 60_000;

/**
 * Starts the browser that `CHROME_PATH` names. Default: the one that the package @sparticuz/chromium carries for Linux on
 * x64, and elsewhere an installed Chrome.
 *
 * @throws Error when there is none
 */
export async function launchBrowser(env: NodeJS.ProcessEnv = process.env): Promise<LaunchedBrowser> {
  const folder = mkdtempSync(path.join(tmpdir(), "browser-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await puppeteer.launch({
      ...(await whichBrowser(folder, env)),
      headless: "shell",
      // In a container, tests run as root, and /dev/shm is small.
      args: ["--no-sandbox", "--disable-dev-shm-usage", "--font-render-hinting=none"],
      env: { ...env, HOME: folder, FONTCONFIG_FILE: writeFontSettings(folder) },
      userDataDir: path.join(folder, "profile"),
      timeout: LAUNCH_TIMEOUT_MS,
    });
    return {
      browser,
      close: async () => {
        await browser.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    const hint = "set CHROME_PATH to a Chrome or Chromium that starts on this machine";
    throw new Error(`no browser could be started: ${hint}`, { cause: error });
  }
}

async function whichBrowser(folder: string, env: NodeJS.ProcessEnv) {
  const { CHROME_PATH: executablePath = "" } = env;
  if (executablePath !== "") return { executablePath };
  if (process.platform !== "linux" || process.arch !== "x64") return { channel: "chrome" } as const;
  return { executablePath: await unpackInto(folder) };
}

/** Unpacks the carried browser. The package unpacks into the folder for temporary files, which other runs share. */
async function unpackInto(folder: string): Promise<string> {
  const { TMPDIR: before } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await carriedBrowser.executablePath();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/**
 * Makes the font of the carried browser the one of its pages, so that they look alike on every machine. Other browsers do
 * not find it and use the machine's fonts.
 */
function writeFontSettings(folder: string): string {
  const file = path.join(folder, "fonts.conf");
  const aliases = ["system-ui", "sans-serif"].map(
    (name) =>
      `<alias binding="same"><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`,
  );
  const folders = [path.join(folder, "fonts"), "/usr/share/fonts"].map((each) => `<dir>${each}</dir>`);
  const cache = `<cachedir>${path.join(folder, "fonts-cache")}</cachedir>`;
  const settings = [...folders, cache, ...aliases].join("\n");
  writeFileSync(file, `<?xml version="1.0"?>\n<fontconfig>\n${settings}\n</fontconfig>\n`);
  return file;
}
