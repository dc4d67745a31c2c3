// The page in Chromium, opened from the disk.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { PAGE, TOOLS, CHROMIUM, SCREENS } = process.env;
const need = createRequire(join(/** @type {string} */ (TOOLS), "package.json"));
const { chromium } = need("playwright-core");
export const AXE = need.resolve("axe-core/axe.min.js");
export const ADDRESS = pathToFileURL(/** @type {string} */ (PAGE)).href;

export const SIZES = [[390, 844], [1440, 900]];
export const SCHEMES = ["light", "dark"];

/** Starts Chromium. */
export function start() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

/**
 * Opens the page and runs a test on it. Any error on the page, and any request but of the page itself, fails the test.
 * @param {any} browser
 * @param {{ width?: number, height?: number, scheme?: string, fragment?: string }} options
 * @param {(page: any, context: any) => Promise<void>} run
 */
export async function withPage(browser, { width = 1440, height = 900, scheme = "light", fragment = "" }, run) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true });
  const wrong = [];
  context.on("request", (request) => {
    if (!/^(?:file|data|blob):/.test(request.url())) wrong.push(`request of ${request.url()}`);
  });
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => wrong.push(`error on the page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(`message on the console: ${message.text()}`);
    });
    await page.goto(ADDRESS + fragment);
    await answered(page);
    await run(page, context);
  } finally {
    await context.close();
  }
  assert.deepEqual(wrong, []);
}

/** Waits until the verdicts and the findings are about the text in the editor. */
export async function answered(page) {
  await page.waitForFunction(() => {
    const { answered, checked } = document.documentElement.dataset;
    return answered !== undefined && answered === checked;
  });
}

/** Replaces the text of the editor, as pasting would. */
export async function write(page, text) {
  await page.fill("#file", text);
  await settled(page);
  await answered(page);
}

/** Waits until nothing that the page draws changes any more. */
export async function settled(page) {
  await page.evaluate(() => new Promise((resolve) => {
    let timer = setTimeout(done, 400);
    const watch = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, 400);
    });
    function done() {
      watch.disconnect();
      resolve(undefined);
    }
    watch.observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  }));
}

/** Chooses a tab and waits for what it shows. */
export async function tab(page, name) {
  await page.getByRole("tab", { name }).click();
  await settled(page);
  return page.getByRole("tabpanel", { name });
}

export function screenPath(name) {
  return join(/** @type {string} */ (SCREENS), `${name}.png`);
}
