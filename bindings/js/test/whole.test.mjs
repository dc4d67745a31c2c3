import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { RobotsTxt, compare, crawlers, fix, lint, lintCodes } = await load("index");

const FILE = "# a file\nUser-agent: FooBot\nUser-agent: GPTBot\nDisallow: /a\nCrawl-delay: 2\n\nSitemap: /map.xml\nHost: example.org\n";

test("a document has groups, sitemaps and directives with their places", () => {
  const file = RobotsTxt.parse(FILE, { url: "https://example.org/robots.txt" });
  assert.equal(file.groups.length, 1);
  const [group] = file.groups;
  assert.equal(group.line, 2);
  assert.deepEqual(group.agents.map(({ value }) => value), ["FooBot", "GPTBot"]);
  assert.deepEqual(group.rules, [{ kind: "Disallow", name: "Disallow", value: "/a", line: 4, column: 1, valueColumn: 11,
    group: 0, runLine: 2 }]);
  assert.deepEqual(group.other.map(({ kind }) => kind), ["Crawl-delay", "Sitemap", "Host"]);
  assert.deepEqual(file.sitemaps, [{ url: "https://example.org/map.xml", value: "/map.xml", line: 7 }]);
  assert.deepEqual(file.directives.map(({ line }) => line), [2, 3, 4, 5, 7, 8]);
  assert.deepEqual([file.text, file.url, file.dialect], [FILE, "https://example.org/robots.txt", "rfc9309"]);
  assert.deepEqual([file.lineCount, file.truncated, file.looksLikeHtml], [8, false, false]);
  assert.equal(RobotsTxt.parse("<!doctype html><html>").looksLikeHtml, true);
});

test("the rules of a document outlive it", () => {
  const file = RobotsTxt.parse(FILE);
  const rules = file.rulesFor("FooBot");
  file.free();
  assert.deepEqual([rules.check("/a").line, rules.crawlDelay], [4, 2000]);
  assert.throws(() => file.rulesFor("FooBot"), { code: "freed" });
});

test("lint has findings with places, remedies and edits", () => {
  const found = lint("User-agent *\nDisalow: /x\n");
  assert.deepEqual(found.map(({ line }) => line), [1, 2]);
  assert.ok(found.every(({ message, remedy }) => message.length > 10 && remedy.length > 5));
  assert.deepEqual(found[0].edits, [{ line: 1, lines: ["User-agent: *"] }]);
  assert.deepEqual(lint(RobotsTxt.parse("User-agent *\nDisalow: /x\n")), found);
  const closed = "User-agent: GPTBot\nDisallow: /\n";
  assert.ok(lint(closed).some(({ code }) => code === "ai-closed"));
  assert.ok(!lint(closed, { knownRobots: false }).some(({ code }) => code === "ai-closed"));
  const html = lint("User-agent: *\nDisallow: /x\n", { fetched: { status: 200, contentType: "text/html", maxAge: 1e9 } });
  assert.ok(html.length > 0);
});

test("every finding has a known code", () => {
  const codes = new Map(lintCodes().map((one) => [one.code, one]));
  assert.ok(codes.size > 50);
  for (const { code } of lint("User agent x\nDisallow: x\nAllow\nfoo\n\nDisallow: /%zz*$\n")) assert.ok(codes.has(code), code);
});

test("fix changes the text and shows the changes", () => {
  const fixed = fix("User-agent: *\nDisallow /x\n");
  assert.equal(fixed.text, "User-agent: *\nDisallow: /x\n");
  assert.equal(fixed.edits, 1);
  assert.match(fixed.diff, /^-Disallow \/x$/m);
  assert.deepEqual([fixed.left, fixed.unproven], [[], []]);
  assert.equal(fix(new Uint8Array([0xff, 0xfe, 0x55, 0])).isFixable, false);
});

test("fix counts the findings whose edits would change what robots may fetch", () => {
  const { text, left } = fix("User-agent: *\nDissallow: /x\n");
  const findings = lint("User-agent: *\nDissallow: /x\n", { knownRobots: false }).filter(({ edits }) => edits.length > 0);
  assert.ok(findings.length > 0);
  for (const { code, count } of left) {
    assert.ok(lintCodes().some((one) => one.code === code), code);
    assert.ok(count > 0);
  }
  assert.equal(text.includes("Dissallow"), left.length > 0);
});

test("compare names the robots and a path for each difference", () => {
  const before = "User-agent: *\nDisallow: /a\nCrawl-delay: 1\nSitemap: https://e.example/1\n";
  const after = "User-agent: *\nDisallow: /a\nDisallow: /b\nHost: e.example\n\nUser-agent: FooBot\nDisallow: /a\n";
  const difference = compare(before, after, { agents: ["BarBot"] });
  assert.equal(difference.same, false);
  const others = difference.robots.find((one) => one.others);
  assert.deepEqual([others.delayBefore, others.delayAfter], [1000, null]);
  assert.deepEqual(others.changes[0].after, { access: "disallowed", why: "rule", line: 3, rule: "Disallow: /b" });
  assert.ok(others.changes[0].path.startsWith("/b"));
  assert.deepEqual(difference.removedSitemaps.map(({ url }) => url), ["https://e.example/1"]);
  assert.deepEqual(difference.addedSettings.map(({ kind, value }) => [kind, value]), [["Host", "e.example"]]);
  assert.equal(compare(RobotsTxt.parse(before), before).same, true);
  assert.throws(() => compare(RobotsTxt.parse(before), RobotsTxt.parse(before, { dialect: "google" })),
    { code: "invalid-argument" });
});

test("an option that does not exist is an error", () => {
  const file = RobotsTxt.parse("");
  for (const call of [
    (options) => lint("", options),
    (options) => lint(file, options),
    (options) => file.diagnostics(options),
    (options) => lint("", { fetched: options }),
    (options) => fix("", options),
    (options) => compare("", "", options),
    (options) => crawlers("", options),
  ]) {
    assert.throws(() => call({ knownRobot: false }), { code: "invalid-argument" });
    call({});
  }
  // A file that is parsed already has its dialect and its URL.
  assert.deepEqual(lint(file, { dialect: "google", url: "https://a.example/robots.txt", knownRobots: false }), lint(file));
});

test("crawlers tells what the known crawlers may fetch", () => {
  const found = crawlers("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /x\n", { page: "/x" });
  const gptbot = found.find(({ name }) => name === "GPTBot");
  assert.deepEqual([gptbot.reach, gptbot.exact, gptbot.allowed, gptbot.rule.line], ["nowhere", true, false, 2]);
  const googlebot = found.find(({ name }) => name === "Googlebot");
  assert.deepEqual([googlebot.reach, googlebot.allowed, googlebot.group.agent], ["partly", false, "*"]);
});
