// What people see: screenshots of every part, axe-core, keyboard, screen reader, width, and speed.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { AXE, SCHEMES, SIZES, screenPath, settled, start, tab, withPage, write } from "./browser.mjs";
import { largeFile, medians, typed } from "./typing.mjs";

const TABS = ["Dialects", "Crawlers", "Open and closed", "Compare", "AI preferences", "Share"];

async function violations(page) {
  if (!await page.evaluate(() => "axe" in window)) await page.addScriptTag({ path: AXE });
  const { violations: found } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary}`).join(" | ")}`);
}

let browser;
before(async () => { browser = await start(); });
after(() => browser?.close());

for (const [width, height] of SIZES) for (const scheme of SCHEMES) describe(`${width} px, ${scheme}`, () => {
  test("axe-core finds nothing on any tab; screenshots", () => withPage(browser, { width, height, scheme, bypassCSP: true }, async (page) => {
    for (const name of TABS) {
      await tab(page, name);
      assert.deepEqual(await violations(page), [], name);
      await page.screenshot({ path: screenPath(`${width}-${scheme}-${name.toLowerCase().replaceAll(" ", "-")}`), fullPage: true });
    }
    await page.click("#fix");
    await settled(page);
    assert.deepEqual(await violations(page), [], "Fix");
    await page.screenshot({ path: screenPath(`${width}-${scheme}-fix`), fullPage: true });
  }));
});

describe("people", () => {
  for (const width of [360, 390, 700, 960, 1440, 2200]) {
    test(`nothing is cut off at ${width} px`, () => withPage(browser, { width }, async (page) => {
      for (const name of TABS) {
        await tab(page, name);
        const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
          `${name}: ${scrollWidth} > ${clientWidth}`);
        const wide = await page.evaluate(() => [...document.querySelectorAll(".panel:not([hidden])")].filter((panel) => panel.scrollWidth > panel.clientWidth + 1).length);
        assert.equal(wide, 0, `${name} is wider than its card`);
      }
    }));
  }

  test("everything can be reached by keyboard, in the order of the page", () => withPage(browser, {}, async (page) => {
    const order = [];
    for (let i = 0; i < 60; ++i) {
      await page.keyboard.press("Tab");
      const id = await page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent?.slice(0, 30) || "");
      if (order.includes(id) && id !== "" && id.startsWith("theme")) break;
      order.push(id);
    }
    const places = ["skip", "theme", "open", "file", "agents", "urls", "known", "dialect", "tab-dialects", "panel-dialects"].map((id) => order.indexOf(id));
    assert.ok(places.every((place) => place >= 0), order.join(" "));
    assert.deepEqual(places, [...places].sort((a, b) => a - b));
  }));

  test("the arrow keys move between the tabs", () => withPage(browser, {}, async (page) => {
    await page.focus("#tab-dialects");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), "tab-crawlers");
    await page.keyboard.press("End");
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Share");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getByRole("tab", { selected: true }).innerText(), "Dialects");
  }));

  test("the verdict is told to a screen reader", () => withPage(browser, {}, async (page) => {
    await write(page, "User-agent: *\nDisallow: /x\n");
    await page.fill("#agents", "FooBot");
    await page.fill("#urls", "/x/y");
    await page.getByRole("status").getByText("FooBot, /x/y: disallowed, line 2: Disallow: /x.").waitFor({ state: "attached" });
  }));

  test("a line button selects the line in the editor", () => withPage(browser, {}, async (page) => {
    await page.locator("#verdict-detail").getByRole("button", { name: "line 4" }).click();
    const selected = await page.evaluate(() => {
      const area = document.getElementById("file");
      return document.activeElement === area ? area.value.slice(area.selectionStart, area.selectionEnd) : "";
    });
    assert.equal(selected, "Allow: /search/about");
  }));

  test("the theme can be chosen, and stays", () => withPage(browser, { scheme: "light" }, async (page) => {
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.selectOption("#theme", "dark");
    assert.notEqual(await back(), light);
    await page.reload();
    assert.notEqual(await back(), light);
    await page.selectOption("#theme", "light");
    assert.equal(await back(), light);
  }));
});

// The machine may be busy; a limit far above the goal of 50 ms finds only what is broken. The figures are printed.
const MAX_MS = Number(process.env.ROBOTRULES_WEB_MAX_MS ?? 1000);

test("a file of 500 KiB is answered while it is typed", (t) => withPage(browser, {}, async (page) => {
  const { input, answer, worker } = medians(await typed(page));
  t.diagnostic(`from the key to the verdict: ${answer.toFixed(1)} ms (median of 25), of it ${input.toFixed(1)} ms until the text has changed and ${worker.toFixed(1)} ms in the worker`);
  assert.ok(answer < MAX_MS, `${answer} ms`);
}));

for (const [width, height] of SIZES) {
  test(`the editor of a long file is as high as that of a short one, and draws few lines (${width} px)`, () => withPage(browser, { width, height }, async (page) => {
    const heightOf = () => page.evaluate(() => document.getElementById("file").clientHeight);
    await write(page, "User-agent: *\nDisallow: /x\n");
    const short = await heightOf();
    await write(page, largeFile(40));
    assert.equal(await heightOf(), short);
    assert.ok(await page.locator(".number").count() < short / 20 + 20);
  }));
}
