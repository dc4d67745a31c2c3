// Each feature of the page, in a narrow and a wide window, light and dark.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { ADDRESS, SCHEMES, SIZES, answered, settled, start, tab, withPage, write } from "./browser.mjs";

const FILE = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.pdf$\n";

async function ask(page, agents, urls) {
  await page.fill("#agents", agents);
  await page.fill("#urls", urls);
  await settled(page);
}

const verdict = (page) => page.locator("#verdict-detail .answer .mark").innerText();

let browser;
before(async () => { browser = await start(); });
after(() => browser?.close());

for (const [width, height] of SIZES) for (const scheme of SCHEMES) describe(`${width} px, ${scheme}`, () => {
  const on = (name, run) => test(name, () => withPage(browser, { width, height, scheme }, run));

  on("the verdict, its line and the runner-up", async (page) => {
    await write(page, FILE);
    await ask(page, "FooBot", "https://example.org/a/b/c");
    assert.match(await verdict(page), /allowed/);
    assert.match(await page.locator(".why").innerText(), /^Allowed by "Allow: \/a\/b" in line 3.*beat "Disallow: \/a" in line 2\.$/);
    assert.equal(await page.locator(".line.decides.allowed").innerText(), "Allow: /a/b");
    assert.equal(await page.locator(".line.runner-up").innerText(), "Disallow: /a");
    await ask(page, "FooBot", "/a/x");
    assert.match(await verdict(page), /disallowed/);
    assert.equal(await page.locator(".line.decides.disallowed").innerText(), "Disallow: /a");
  });

  on("several robots and URLs; a row shows its line", async (page) => {
    await write(page, `${FILE}\nUser-agent: BarBot\nDisallow:\n`);
    await ask(page, "FooBot\nBarBot", "/a\n/x.pdf");
    assert.deepEqual((await page.locator("#verdict-rows .mark").allInnerTexts()).map((text) => text.replace(/^\S+\s/, "")),
      ["disallowed", "disallowed", "allowed", "allowed"]);
    await page.locator("#verdict-rows .row").nth(1).click();
    await settled(page);
    assert.equal(await page.locator(".line.decides").innerText(), "Disallow: /*.pdf$");
    assert.equal(await page.locator("#verdict-rows .row[aria-pressed=true]").count(), 1);
  });

  on("findings, a remedy, undo, and all corrections", async (page) => {
    await write(page, "User-agent: *\nDissallow: /a\nDisallow: /b*\n");
    const item = page.locator("#findings li", { hasText: "misspelt-directive" });
    assert.equal(await page.locator(".number.found[data-line='2'] .sign").count(), 1);
    await item.getByRole("button", { name: /Apply/ }).click();
    await settled(page);
    assert.equal(await page.inputValue("#file"), "User-agent: *\nDisallow: /a\nDisallow: /b*\n");
    assert.equal(await item.count(), 0);
    await page.focus("#file");
    await page.keyboard.press("Control+z");
    await settled(page);
    assert.match(await page.inputValue("#file"), /Dissallow/);
    await page.click("#fix");
    assert.match(await page.locator("#fix-preview .diff").innerText(), /-Dissallow: \/a\n[^]*\+Disallow: \/a\n/);
    await page.getByRole("button", { name: "Apply all" }).click();
    await settled(page);
    assert.doesNotMatch(await page.inputValue("#file"), /Dissallow/);
  });

  on("a file is opened with its bytes, and dropped", async (page) => {
    await page.setInputFiles("#open-file", { name: "robots.txt", mimeType: "text/plain",
      buffer: Buffer.from("\ufeff\ufeffUser-agent: *\r\nDisallow: /opened\r\n") });
    await settled(page);
    assert.match(await page.inputValue("#file"), /Disallow: \/opened\n$/);
    assert.match(await page.locator("#facts").innerText(), /2 lines, 40 bytes/);
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["User-agent: *\nDisallow: /dropped\n"], "robots.txt"));
      document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: data, bubbles: true, cancelable: true }));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    await settled(page);
    assert.match(await page.inputValue("#file"), /dropped/);
    assert.ok(await page.locator("#drop").isHidden());
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    assert.equal(download.suggestedFilename(), "robots.txt");
  });

  on("all dialects side by side", async (page) => {
    await write(page, FILE);
    await ask(page, "FooBot", "/a/b");
    const panel = await tab(page, "Dialects");
    assert.match(await panel.innerText(), /The dialects disagree/);
    assert.equal(await panel.locator("tbody tr").count(), 6);
    await write(page, "User-agent: *\nDisallow: /\n");
    assert.match(await panel.innerText(), /All dialects agree/);
    await page.selectOption("#dialect", "google");
    await settled(page);
    assert.match(await verdict(page), /disallowed/);
  });

  on("the known crawlers by kind", async (page) => {
    await write(page, "User-agent: GPTBot\nDisallow: /\n");
    await ask(page, "FooBot", "/page");
    const panel = await tab(page, "Crawlers");
    assert.ok(await panel.locator("details").count() >= 5);
    await page.fill("#crawler-filter", "gptbot"); // opens its kind, which is closed in a narrow window
    const row = panel.locator("tr", { has: page.locator("th", { hasText: /^GPTBot/ }) });
    assert.match(await row.innerText(), /disallowed/);
    assert.match(await row.innerText(), /no page/);
    await page.fill("#crawler-filter", "googlebot");
    assert.ok(await panel.locator("tbody tr").count() < 12);
    assert.match(await panel.innerText(), /Googlebot-Image/);
    await page.selectOption("#known", "Googlebot-Image");
    await settled(page);
    assert.equal(await page.inputValue("#agents"), "FooBot\nGooglebot-Image");
  });

  on("what is open and closed, as a tree", async (page) => {
    await write(page, "User-agent: *\nDisallow: /shop/\nAllow: /shop/open/\nDisallow: /tmp\n");
    await ask(page, "FooBot", "/");
    const panel = await tab(page, "Open and closed");
    assert.match(await panel.innerText(), /3 rules/);
    const shop = panel.locator("summary", { hasText: "shop/" });
    assert.match(await shop.innerText(), /partly, else closed/);
    assert.match(await panel.locator(".leaf", { hasText: "open/" }).innerText(), /open/);
    assert.match(await panel.locator(".leaf", { hasText: "tmp…" }).innerText(), /closed/);
  });

  on("a comparison of two versions", async (page) => {
    await write(page, "User-agent: *\nDisallow: /old\nSitemap: https://example.org/s.xml\n");
    const panel = await tab(page, "Compare");
    await panel.getByRole("button", { name: "Take the text of the editor" }).click();
    await settled(page);
    assert.match(await panel.innerText(), /No robot gains or loses access/);
    await write(page, "User-agent: *\nDisallow: /new\n");
    const text = await panel.innerText();
    assert.match(text, /every robot that no group names/);
    assert.match(text, /✕ disallowed now: \/new/);
    assert.match(text, /✓ allowed now: \/old/);
    assert.match(text, /Sitemap: https:\/\/example\.org\/s\.xml/);
  });

  on("the preferences about AI", async (page) => {
    await write(page, "User-agent: *\nAllow: /\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\n");
    await ask(page, "FooBot", "/page");
    const panel = await tab(page, "AI preferences");
    const rows = await panel.locator("tbody tr").allInnerTexts();
    assert.match(rows.find((row) => row.includes("Content-Signal: search")), /yes/);
    assert.match(rows.find((row) => row.includes("Content-Signal: ai-train")), /no/);
    assert.match(rows.find((row) => row.includes("Content-Signal: ai-input")), /not stated/);
    assert.match(rows.find((row) => row.includes("Content-Usage: train-ai")), /no/);
    assert.match(await panel.innerText(), /line 3/);
  });

  on("a link, command lines and JSON", async (page, context) => {
    await write(page, FILE);
    await ask(page, "Foo'Bot", "https://example.org/a?x=1&y=2");
    const panel = await tab(page, "Share");
    const link = await panel.locator("#share-link").innerText();
    const other = await context.newPage();
    await other.goto(link);
    await answered(other);
    await settled(other);
    assert.equal(await other.inputValue("#file"), FILE);
    assert.equal(await other.inputValue("#agents"), "Foo'Bot");
    assert.ok(await other.getByRole("tabpanel", { name: "Share" }).isVisible());
    await other.close();
    const line = await panel.locator("#share-command-0").innerText();
    const words = execFileSync("sh", ["-c", `robotrules() { printf '%s\\n' "$@"; }; ${line}`], { encoding: "utf8" }).trim().split("\n");
    assert.deepEqual(words, ["check", "--robots", "robots.txt", "--agent", "Foo'Bot", "--explain", "https://example.org/a?x=1&y=2"]);
    assert.deepEqual(JSON.parse(await panel.locator("#share-json").innerText()), { url: "https://example.org/a?x=1&y=2",
      agent: "Foo'Bot", dialect: "rfc9309", access: "disallowed", line: 2, rule: "Disallow: /a", why: "rule" });
    await panel.getByRole("button", { name: "Copy: Link" }).click();
    await panel.getByRole("button", { name: "Copy: Link" }).getByText("Copied").waitFor();
  });
});

describe("the page", () => {
  test("a damaged link is said in words, and the example is shown", () => withPage(browser, { fragment: "#1!!!" }, async (page) => {
    assert.match(await page.locator("#notice").innerText(), /The link is damaged/);
    assert.match(await page.inputValue("#file"), /An example/);
  }));

  test("the policy refuses connections", async () => {
    const context = await browser.newContext();
    const requests = [];
    context.on("request", (request) => requests.push(request.url()));
    const page = await context.newPage();
    await page.goto(ADDRESS);
    const refused = await page.evaluate(() => fetch("http://127.0.0.1:9/").then(() => "sent", (error) => error.name));
    assert.equal(refused, "TypeError");
    assert.match(await page.evaluate(() => document.querySelector("meta[http-equiv]").content), /connect-src 'none'/);
    assert.ok(requests.every((url) => /^(?:file|data|blob):/.test(url)), requests.join(" "));
    await context.close();
  });

  test("an empty file and an empty question", () => withPage(browser, {}, async (page) => {
    await page.click("#clear");
    await settled(page);
    assert.match(await verdict(page), /allowed/);
    await ask(page, "", "");
    assert.match(await page.locator("#verdict-detail").innerText(), /Name a robot/);
    for (const name of ["Dialects", "Crawlers", "Open and closed", "Compare", "AI preferences", "Share"]) {
      assert.notEqual((await (await tab(page, name)).innerText()).trim(), "", name);
    }
  }));

  test("hostile text stays text", () => withPage(browser, {}, async (page) => {
    const evil = "<img src=x onerror=alert(1)>";
    await write(page, `User-agent: ${evil}\nDisallow: /${evil}\n${evil}: ${evil}\n`);
    await ask(page, evil, `/${evil}\n${evil}`);
    for (const name of ["Dialects", "Crawlers", "Open and closed", "AI preferences", "Share"]) await tab(page, name);
    assert.equal(await page.locator("img").count(), 0);
  }));
});
