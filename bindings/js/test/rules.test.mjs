import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { RobotRulesError, RobotsTxt, Rules, SideBySide, agree, dialects, robotName, robotsUrl } = await load("index");

const FILE = `User-agent: *
Disallow: /private/
Allow: /private/map
Crawl-delay: 1.5
Request-rate: 1/10s 0600-0845
Visit-time: 0600-0845
Clean-param: ref
Content-Signal: search=yes, ai-train=no
`;

const throwsCode = (code, run) => assert.throws(run, (error) => error instanceof RobotRulesError && error.code === code);

test("a verdict has the rule, its line, the runner-up and the group", () => {
  const rules = Rules.compile(FILE, "FooBot");
  assert.deepEqual(rules.check("https://example.org/private/map"), {
    allowed: true,
    access: "allowed",
    why: "rule",
    line: 3,
    rule: { access: "allowed", line: 3, pattern: "/private/map", text: "Allow: /private/map" },
    runnerUp: { access: "disallowed", line: 2, pattern: "/private/", text: "Disallow: /private/" },
    group: { agent: "*", line: 1, isDefault: true },
  });
  assert.deepEqual(rules.check("/other"), {
    allowed: true, access: "allowed", why: "no-rule", line: 0, rule: null, runnerUp: null,
    group: { agent: "*", line: 1, isDefault: true },
  });
  assert.equal(rules.allowed("/private/x"), false);
  assert.equal(rules.allowed(new URL("https://example.org/private/x")), false);
  assert.equal(rules.explain("/private/x"),
    'disallowed by "Disallow: /private/" in line 2, of the group for every robot (*), line 1');
});

test("a verdict stays the same after its rules are freed", () => {
  const rules = Rules.compile(FILE, "FooBot");
  const verdict = rules.check("/private/x");
  rules.free();
  rules.free();
  assert.equal(verdict.rule.text, "Disallow: /private/");
  throwsCode("freed", () => rules.check("/"));
  throwsCode("freed", () => rules.lines);
});

test("settings have units", () => {
  const rules = Rules.compile(FILE, "FooBot");
  assert.equal(rules.crawlDelay, 1500);
  assert.deepEqual(rules.requestRate, { requests: 1, period: 10_000, during: { from: 360, to: 525 } });
  assert.deepEqual(rules.visitTime, { from: 360, to: 525 });
  assert.equal(rules.cleanUrl("https://example.org/a?ref=1&b=2"), "https://example.org/a?b=2");
  assert.deepEqual(rules.usage("/").contentSignal, { search: "allowed", aiInput: "unknown", aiTrain: "disallowed" });
  assert.equal(rules.size, 2);
  assert.ok(rules.memoryBytes > 0);
  assert.deepEqual(rules.lines.map(({ text, line }) => [text, line]), [["Disallow: /private/", 2], ["Allow: /private/map", 3]]);
  const none = Rules.compile("", "FooBot");
  assert.deepEqual([none.crawlDelay, none.requestRate, none.visitTime, none.lines], [null, null, null, []]);
});

test("the same file as a string, bytes, a part of a buffer and an ArrayBuffer gives the same rules", () => {
  const bytes = new TextEncoder().encode(FILE);
  const shifted = new Uint8Array(bytes.length + 7);
  shifted.set(bytes, 5);
  for (const robots of [FILE, bytes, Buffer.from(FILE), shifted.subarray(5, 5 + bytes.length), bytes.buffer]) {
    assert.equal(Rules.compile(robots, "FooBot").check("/private/x").line, 2);
  }
});

test("an array of names is a robot with these names", () => {
  const file = "User-agent: Googlebot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n";
  const rules = Rules.compile(file, ["Googlebot-Image", "Googlebot"]);
  assert.deepEqual([rules.allowed("/a"), rules.allowed("/b")], [false, true]);
  const others = Rules.compile(file, ["X"]);
  assert.deepEqual([others.allowed("/a"), others.allowed("/b")], [true, false]);
  assert.equal(Rules.compile(file, "X", { ignoresStar: true }).check("/b").why, "no-group");
  assert.equal(Rules.compile(file, []).allowed("/b"), false);
});

test("URLs of every length and script are asked as UTF-8", () => {
  const rules = Rules.compile("User-agent: *\nDisallow: /\u00fc\nDisallow: /\u{1f4a9}\nDisallow: /*end$\n", "FooBot");
  assert.equal(rules.check("/\u00fc").line, 2);
  assert.equal(rules.check("/%C3%BC").line, 2);
  assert.equal(rules.check(new TextEncoder().encode("/\u00fc")).line, 2);
  assert.equal(rules.check("/\u{1f4a9}").line, 3);
  for (const length of [0, 1, 47, 48, 49, 2000, 8192, 8193, 100_000]) {
    const url = `/${"x".repeat(length)}`;
    assert.equal(rules.check(url).line, 0, `${length} letters`);
    assert.equal(rules.check(`${url}end`).line, 4, `${length} letters and "end"`);
    assert.equal(rules.check(`/${"\u00e9".repeat(length)}end`).line, 4, `${length} accents and "end"`);
  }
});

test("rules with the same pattern are told apart by their lines", () => {
  const rules = Rules.compile("User-agent: *\nAllow: /a\nDisallow: /a\nDisallow: /b\nDisallow:\nAllow:\n", "FooBot");
  const { rule, runnerUp } = rules.check("/a");
  assert.deepEqual([rule.text, rule.line, runnerUp.text, runnerUp.line], ["Allow: /a", 2, "Disallow: /a", 3]);
  const other = rules.check("/c");
  assert.deepEqual([other.rule?.line, other.runnerUp?.line].sort(), [5, 6]);
});

test("wrong arguments are errors with a code and a sentence", () => {
  throwsCode("unknown-dialect", () => Rules.compile("", "x", { dialect: "klingon" }));
  throwsCode("invalid-argument", () => Rules.compile(null, "x"));
  throwsCode("invalid-argument", () => Rules.compile(undefined, "x"));
  throwsCode("invalid-argument", () => Rules.compile("", undefined));
  throwsCode("invalid-argument", () => Rules.compile("", [1]));
  throwsCode("invalid-argument", () => Rules.compile("", "x").check(undefined));
  throwsCode("invalid-argument", () => Rules.compile("", "x").allowed(7));
  throwsCode("invalid-url", () => robotsUrl("/page"));
  assert.throws(() => Rules.compile("", "x", { dialect: "klingon" }), /no dialect "klingon"/);
});

test("an option that does not exist is an error that names those that do", () => {
  const file = RobotsTxt.parse("");
  for (const call of [
    (options) => Rules.compile("", "x", options),
    (options) => RobotsTxt.parse("", options),
    (options) => file.rulesFor("x", options),
    (options) => new SideBySide("", "x", options),
  ]) {
    throwsCode("invalid-argument", () => call({ dialekt: "google" }));
    throwsCode("invalid-argument", () => call("google"));
    for (const none of [undefined, null, {}]) call(none);
  }
  assert.throws(() => Rules.compile("", "x", { ignoreStar: true }), /no option "ignoreStar" here.*ignoresStar/);
});

test("names of robots and URLs of files", () => {
  assert.equal(robotName("Mozilla/5.0 (compatible; FooBot/1.0; +http://foo.example/bot)"), "FooBot");
  assert.equal(robotName("*"), "");
  assert.equal(robotsUrl("https://example.org:8080/a?b#c"), "https://example.org:8080/robots.txt");
});

test("dialects are the library's, and answer side by side", () => {
  assert.equal(dialects[0], "rfc9309");
  for (const dialect of dialects) assert.equal(Rules.compile("", "x", { dialect }).dialect, dialect);
  const sides = new SideBySide("User-agent: *\nDisallow: /*.gif$\n", "FooBot");
  const verdicts = sides.check("https://example.org/a.gif");
  assert.deepEqual(verdicts.map(({ dialect }) => dialect), dialects);
  assert.equal(verdicts[0].allowed, false);
  assert.equal(verdicts.find(({ dialect }) => dialect === "original-1994").allowed, true);
  assert.equal(agree(verdicts), false);
  assert.equal(agree(sides.check("https://example.org/other")), true);
  sides.free();
});

test("the dialect that resolves rules reads the file again for each site", () => {
  const sides = new SideBySide("User-agent: *\nDisallow: http://a.example/x\n", "FooBot", { dialects: ["www-robotrules"] });
  assert.equal(sides.check("http://a.example/x")[0].allowed, false);
  assert.equal(sides.check("http://b.example/x")[0].allowed, true);
  assert.equal(sides.check("http://a.example/x")[0].allowed, false);
});
