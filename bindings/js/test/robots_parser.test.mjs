// The drop-in for robots-parser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { default: robotsParser } = await load("robots-parser");

const FILE = [
  "User-agent: *",
  "Disallow: /fish",
  "Allow: /fish/ok",
  "Crawl-delay: 0.5",
  "",
  "User-agent: FooBot",
  "Disallow: /foo",
  "Sitemap: /map.xml",
  "Sitemap: /map.xml",
  "Host: www.Example.com",
  "Host: Example.com",
].join("\n");

const robots = robotsParser("http://example.com/robots.txt", FILE);

test("isAllowed and isDisallowed answer for the robot, or for every robot", () => {
  assert.equal(robots.isAllowed("http://example.com/fish"), false);
  assert.equal(robots.isAllowed("http://example.com/fish/ok"), true);
  assert.equal(robots.isAllowed("http://example.com/fish", "FooBot/1.0"), true);
  assert.equal(robots.isDisallowed("http://example.com/foo", "foobot"), true);
  assert.equal(robots.isAllowed("http://example.com/foo", "Mozilla/5.0 (compatible; FooBot/2.1; +http://foo.example)"), false);
});

test("a URL of another site has no answer, and counts as disallowed for isDisallowed", () => {
  for (const url of ["https://example.com/fish", "http://www.example.com/fish", "http://example.com:81/", "/fish", "http://ex ample.com/",
    "http://user@example.org/"]) {
    assert.equal(robots.isAllowed(url), undefined, url);
    assert.equal(robots.isDisallowed(url), true, url);
    assert.equal(robots.isExplicitlyDisallowed(url, "FooBot"), undefined, url);
    assert.equal(robots.getMatchingLineNumber(url), -1, url);
  }
  assert.equal(robotsParser("https://ex ample.com/robots.txt", FILE).isAllowed("/fish"), undefined);
});

test("URLs are read as browsers read them", () => {
  for (const url of ["http://EXAMPLE.com/fish", "http://example.com:80/fish", "http://example.com/a/../fish", "http://example.com/a/%2e%2e/fish",
    "http://example.com\\fish", " http://example.com/fish", "http://example.com/fi\nsh", "http://user:secret@example.com/fish#x"]) {
    assert.equal(robots.isAllowed(url), false, url);
  }
  const relative = robotsParser("/robots.txt", FILE);
  assert.equal(relative.isAllowed("/fish"), false);
  assert.equal(relative.isAllowed("http://example.com/fish"), undefined);
});

test("isExplicitlyDisallowed ignores the groups for every robot", () => {
  assert.equal(robots.isExplicitlyDisallowed("http://example.com/fish", "BarBot"), false);
  assert.equal(robots.isExplicitlyDisallowed("http://example.com/foo", "FooBot"), true);
});

test("lines, delays, sitemaps and the preferred host", () => {
  assert.equal(robots.getMatchingLineNumber("http://example.com/fish"), 2);
  assert.equal(robots.getMatchingLineNumber("http://example.com/fish/ok"), 3);
  assert.equal(robots.getMatchingLineNumber("http://example.com/"), -1);
  assert.equal(robots.getCrawlDelay(), 0.5);
  assert.equal(robots.getCrawlDelay("FooBot"), undefined);
  assert.deepEqual(robots.getSitemaps(), ["/map.xml", "/map.xml"]);
  assert.equal(robots.getPreferredHost(), "example.com");
  assert.equal(robotsParser("http://example.com/robots.txt", "").getPreferredHost(), null);
  assert.equal(robotsParser("http://example.com/robots.txt", null).isAllowed("http://example.com/"), true);
});

test("names of an object's own properties are names of robots", () => {
  for (const name of ["constructor", "__proto__", "toString"]) assert.equal(robots.isAllowed("http://example.com/fish", name), false);
});

test("a dialect may be named", () => {
  const file = "User-agent: *\nDisallow: /*.gif$\n";
  assert.equal(robotsParser("http://example.com/robots.txt", file).isAllowed("http://example.com/a.gif"), false);
  assert.equal(robotsParser("http://example.com/robots.txt", file, { dialect: "original-1994" }).isAllowed("http://example.com/a.gif"), true);
});
