// Files and calls that want to break the module: nothing traps, memory has a limit and comes back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./package.mjs";

const { RobotsTxt, Rules, compare, crawlers, fix, lint } = await load("index");
const { instance } = await load("engine");

const MIB = 1024 * 1024;

/** Bytes that look random and are the same in every run. */
function noise(size, seed) {
  const bytes = new Uint8Array(size);
  let state = seed;
  for (let i = 0; i < size; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[i] = state >>> 24;
  }
  return bytes;
}

const utf16 = (text) => new Uint8Array([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0), 0])]);

const files = {
  empty: "",
  "a NUL in every line": "User-agent: *\0\n\0Disallow: /\0x\n\0\0\0\n",
  "only NULs": new Uint8Array(100_000),
  noise: noise(200_000, 1),
  "noise behind a group": Buffer.concat([Buffer.from("User-agent: *\nDisallow: /"), noise(100_000, 2)]),
  UTF16: utf16("User-agent: *\nDisallow: /x\n"),
  "half a UTF-16 unit": utf16("User-agent: *\nDisallow: /x").subarray(0, 30).slice(0, 29),
  "one line of 3 MB": `User-agent: *\nDisallow: /${"a".repeat(3_000_000)}\n`,
  "no line ends": "User-agent: * Disallow: / ".repeat(20_000),
  "50,000 groups": Array.from({ length: 50_000 }, (_, i) => `User-agent: bot${i}\nDisallow: /${i}\n`).join(""),
  "100,000 rules": `User-agent: *\n${Array.from({ length: 100_000 }, (_, i) => `Disallow: /path/${i}*x${i % 7}$\n`).join("")}`,
  "deep wildcards": `User-agent: *\nDisallow: /${"*a".repeat(5_000)}$\nDisallow: /${"*".repeat(20_000)}b\n`,
  "a file of stars": "*".repeat(100_000),
  "one rule 50,000 times": `User-agent: *\n${"Disallow: /same\n".repeat(50_000)}`,
  "lone surrogates": "User-agent: *\nDisallow: /\ud800\nDisallow: /\udc00x\n",
};

for (const [name, file] of Object.entries(files)) {
  test(`${name}: rules and document`, () => {
    for (const dialect of ["rfc9309", "google", "robotstxt-rb", "www-robotrules"]) {
      const rules = Rules.compile(file, "FooBot", { dialect, url: "http://foo.bar/robots.txt" });
      for (const url of ["/", `/${"a".repeat(3000)}b`, "http://foo.bar/%00%ff%zz", "\0", "/\ud800"]) {
        assert.ok(["allowed", "disallowed"].includes(rules.check(url).access));
        assert.equal(typeof rules.explain(url), "string");
      }
      rules.free();
    }
    const document = RobotsTxt.parse(file);
    assert.ok(document.groups.length >= 0 && document.sitemaps.length >= 0);
    document.free();
    assert.equal(instance().broken, false);
  });
}

test("lint, fix, compare and crawlers take hostile files too", () => {
  for (const name of ["a NUL in every line", "noise behind a group", "UTF16", "deep wildcards", "lone surrogates", "empty"]) {
    const file = files[name];
    assert.ok(Array.isArray(lint(file)), name);
    assert.equal(typeof fix(file).text, "string", name);
    assert.equal(compare(file, file).same, true, name);
    assert.ok(crawlers(file).length > 0, name);
  }
  assert.equal(instance().broken, false);
});

test("a call that runs out of memory is an error, and everything else stays as it was", () => {
  const many = `User-agent: *\n${"Disallow: /some/path/that/takes/room\n".repeat(200)}`;
  const before = Rules.compile("User-agent: *\nDisallow: /x\n", "FooBot");
  const document = RobotsTxt.parse(many);
  const owner = instance();
  const taken = []; // nearly all of the memory
  for (let size = 512 * MIB; size >= 1024; ) {
    const block = owner.exports.robotrules_js_allocate(size);
    if (block === 0) size /= 2;
    else taken.push(block);
  }
  const used = owner.bytes;
  for (let i = 0; i < 50; ++i) {
    assert.throws(() => document.rulesFor("FooBot"), { code: "out-of-memory" });
    assert.throws(() => document.diagnostics(), { code: "out-of-memory" });
    assert.throws(() => crawlers(document), { code: "out-of-memory" });
    assert.throws(() => compare(document, document), { code: "out-of-memory" });
    assert.throws(() => RobotsTxt.parseIn(owner, many, "rfc9309", ""), { code: "out-of-memory" });
    assert.throws(() => before.check(`/${"a".repeat(1_000_000)}`), { code: "out-of-memory" });
    assert.equal(before.check("/x").line, 2);
  }
  assert.equal(owner.bytes, used);
  assert.equal(owner.broken, false);
  // All that the calls have taken is back.
  for (const block of taken) owner.exports.robotrules_js_release(block);
  for (const size of [512 * MIB, 256 * MIB, 128 * MIB]) {
    const block = owner.exports.robotrules_js_allocate(size);
    assert.notEqual(block, 0);
    owner.exports.robotrules_js_release(block);
  }
  assert.equal(document.rulesFor("FooBot").check("/some/path/that/takes/room").line, 2);
  assert.ok(document.diagnostics().length > 0);
  assert.ok(crawlers(document).length > 0);
});

test("a file that is larger than the memory is an error", () => {
  const huge = new Uint8Array(1100 * MIB);
  assert.throws(() => Rules.compile(huge, "FooBot"), { code: "out-of-memory" });
  assert.throws(() => RobotsTxt.parse(huge), { code: "out-of-memory" });
  assert.equal(Rules.compile("User-agent: *\nDisallow: /x\n", "FooBot").check("/x").line, 2);
});

test("an instance that has grown gets no new objects, so its memory can go", () => {
  const rules = Rules.compile(`User-agent: *\n${"Disallow: /x\n".repeat(3_000_000)}`, "FooBot");
  const grown = instance();
  assert.ok(grown.bytes <= 32 * MIB, "the next object is made in a small instance");
  rules.free();
});

test("what is freed is used again", () => {
  const file = `User-agent: *\n${Array.from({ length: 2000 }, (_, i) => `Disallow: /${i}\n`).join("")}`;
  const round = () => {
    const rules = Rules.compile(file, "FooBot");
    rules.check("/17");
    rules.free();
    const document = RobotsTxt.parse(file);
    document.groups;
    document.diagnostics();
    document.free();
    compare(file, "User-agent: *\nDisallow: /7\n");
  };
  for (let i = 0; i < 3; ++i) round();
  const { bytes } = instance();
  for (let i = 0; i < 30; ++i) round();
  assert.equal(instance().bytes, bytes);
});

test("forgotten objects are freed by the garbage collector", { skip: globalThis.gc === undefined && "needs --expose-gc" }, async () => {
  const file = `User-agent: *\n${Array.from({ length: 2000 }, (_, i) => `Disallow: /${i}\n`).join("")}`;
  const owner = instance();
  for (let i = 0; i < 2000 && instance() === owner; ++i) {
    Rules.compile(file, "FooBot");
    if (i % 20 === 19) {
      globalThis.gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  assert.equal(instance(), owner, "the memory did not grow beyond its limit");
});
