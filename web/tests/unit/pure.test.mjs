// The modules of web/src/pure.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { commands, jsonLines, quoted } from "../../src/pure/command.js";
import { applyEdits, replacement } from "../../src/pure/edits.js";
import { parts } from "../../src/pure/highlight.js";
import { sentence, usageRows } from "../../src/pure/sentences.js";
import { fromFragment, toFragment } from "../../src/pure/state.js";
import { Lines, sizeText, urlOrPath, withPlainLineEnds, words } from "../../src/pure/text.js";
import { exampleOf, nameOf, treeOf } from "../../src/pure/tree.js";

test("Lines finds the places of lines", () => {
  const lines = new Lines("ab\n\ncd");
  assert.equal(lines.count, 3);
  assert.deepEqual([1, 2, 3].map((line) => lines.line(line)), ["ab", "", "cd"]);
  assert.deepEqual([lines.start(3), lines.end(3), lines.start(9), lines.start(0)], [4, 6, 4, 0]);
  assert.equal(new Lines("").count, 1);
  assert.equal(new Lines("a\n").line(2), "");
});

test("line ends become those of a text area", () => {
  assert.equal(withPlainLineEnds("a\r\nb\rc\nd"), "a\nb\nc\nd");
});

test("words are trimmed, and each is there once", () => {
  assert.deepEqual(words(" a b \n\n c\na b\n"), ["a b", "c"]);
});

test("URLs and paths are read as the command reads them", () => {
  for (const [said, read] of [["/a", "/a"], ["a", "/a"], ["https://e.org/a", "https://e.org/a"], ["e.org/a", "https://e.org/a"],
    ["e.org", "/e.org"], ["e.org:8080", "https://e.org:8080"], ["?q", "/?q"], ["-x", "/-x"], ["mailto:a", "mailto:a"]]) {
    assert.equal(urlOrPath(said), read, said);
  }
});

test("sizes are short", () => {
  assert.deepEqual([1, 1023, 1536, 512000, 3 << 20].map(sizeText), ["1 byte", "1023 bytes", "1.5 KiB", "500 KiB", "3.0 MiB"]);
});

test("the parts of a line keep every character", () => {
  for (const line of ["", " ", "User-agent: *", "Disallow: /*.pdf$ # no", "# only", "nonsense", "Allow:", "a:b:c#d#e", "Disallow: /a$b"]) {
    assert.equal(parts(line).map(([text]) => text).join(""), line);
  }
  assert.deepEqual(parts("Disallow: /*.pdf$"), [["Disallow", "name disallow"], [":", "colon"], [" /", "value path"],
    ["*", "wildcard"], [".pdf", "value path"], ["$", "wildcard"]]);
  assert.deepEqual(parts("Dissallow: /a")[0], ["Dissallow", "name unknown"]);
});

test("a state goes through a link", async () => {
  const small = { file: "User-agent: ü\n", agents: "A", urls: "/ö", dialect: "google", view: "tree" };
  const link = await toFragment(small);
  assert.match(link, /^#1[A-Za-z0-9_-]+$/);
  assert.deepEqual(await fromFragment(link), small);
  const large = { file: "Disallow: /section\n".repeat(30000), before: "x", agents: "", urls: "" };
  const packed = await toFragment(large);
  assert.match(packed, /^#2[A-Za-z0-9_-]+$/);
  assert.ok(packed.length < 10000, `${packed.length} characters`);
  assert.deepEqual(await fromFragment(packed), { file: large.file, before: "x" });
});

test("a damaged link is an error, no link is none", async () => {
  assert.equal(await fromFragment(""), null);
  assert.equal(await fromFragment("#"), null);
  for (const bad of ["#9abc", "#1!!!", "#2AAAA", "#1bm8"]) await assert.rejects(fromFragment(bad), /link/);
});

test("a link cannot fill the memory", async () => {
  const link = await toFragment({ file: "a".repeat(9 * 1024 * 1024) }).catch(() => null);
  if (link !== null) await assert.rejects(fromFragment(link), /link/);
});

test("values of other types in a link are left out", async () => {
  const link = `#1${Buffer.from(JSON.stringify({ f: 5, a: ["x"], u: "/a" })).toString("base64url")}`;
  assert.deepEqual(await fromFragment(link), { urls: "/a" });
});

test("a shell reads quoted words back", () => {
  for (const word of ["", "plain", "a b", "it's", "$HOME `id` \\ \"x\"", "*?[a]", "ü", "a\nb", "-n", "!"]) {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${quoted(word)}`], { encoding: "utf8" }), word);
  }
});

test("command lines ask the same question", () => {
  const [check] = commands({ agents: ["Foo Bot", "B"], urls: ["/a?b=c&d", "-x"], dialect: "google" });
  assert.equal(check.line, "robotrules check --robots robots.txt --agent 'Foo Bot' --agent B --dialect google --explain -- '/a?b=c&d' -x");
  assert.ok(commands({ agents: [], urls: [], dialect: "rfc9309" }).every(({ line }) => !line.includes("check")));
});

test("JSON has the members of robotrules check --json", () => {
  const verdict = { access: "allowed", line: 3, rule: { text: "Allow: /a/b" }, why: "rule" };
  assert.equal(jsonLines([{ url: "https://e.org/a/b", agent: "FooBot", verdict }], "rfc9309"),
    '{"url":"https://e.org/a/b","agent":"FooBot","dialect":"rfc9309","access":"allowed","line":3,"rule":"Allow: /a/b","why":"rule"}\n');
});

test("edits replace and delete lines", () => {
  assert.equal(applyEdits("a\nb\nc\n", [{ line: 2, lines: ["x", "y"] }]), "a\nx\ny\nc\n");
  assert.equal(applyEdits("a\nb\nc\n", [{ line: 1, lines: [] }, { line: 3, lines: ["z"] }]), "b\nz\n");
  assert.equal(applyEdits("a\nb", [{ line: 2, lines: [] }]), "a");
  assert.equal(applyEdits("a", [{ line: 1, lines: [] }]), "");
});

test("the smallest replacement", () => {
  assert.equal(replacement("same", "same"), null);
  for (const [before, after] of [["abc", "abXc"], ["abc", "ac"], ["aaa", "aa"], ["", "x"], ["x", ""], ["aXa", "aYYa"]]) {
    const { start, end, text } = replacement(before, after);
    assert.equal(before.slice(0, start) + text + before.slice(end), after);
  }
  assert.deepEqual(replacement("line one\nline two\n", "line one\nline 2\n"), { start: 14, end: 17, text: "2" });
});

test("an example of a pattern", () => {
  assert.deepEqual(["/a", "/a*", "/*.pdf$", "/$", "*"].map(exampleOf), ["/a", "/a", "/zzz.pdf", "/", "/"]);
});

// A matcher for these tests: the longest plain prefix decides.
const check = (rules) => (path) => {
  const found = rules.filter(({ pattern }) => path.startsWith(pattern)).sort((a, b) => b.pattern.length - a.pattern.length)[0];
  return { allowed: found?.allow ?? true, line: found?.line ?? 0, rule: found ? { text: found.pattern } : null };
};

test("the tree of a file", () => {
  const rules = [{ pattern: "/shop/", allow: false, line: 2 }, { pattern: "/shop/open/a", allow: true, line: 3 }, { pattern: "/tmp", allow: false, line: 4 }];
  const { root, complete } = treeOf(rules, check(rules));
  assert.ok(complete);
  assert.equal(root.state, "partly");
  assert.ok(root.open);
  assert.deepEqual(root.children.map(nameOf), ["shop/", "tmp…"]);
  const [shop, tmp] = root.children;
  assert.deepEqual([shop.state, shop.open, shop.line], ["partly", false, 2]);
  assert.deepEqual(shop.children.map(({ path, state }) => [path, state]), [["/shop/open/", "partly"]]);
  assert.equal(shop.children[0].children[0].state, "open");
  assert.deepEqual([tmp.state, tmp.line, tmp.children.length, root.count], ["closed", 4, 0, 4]);
});

test("a tree of rules for all pages has only its root", () => {
  const rules = [{ pattern: "/", allow: false, line: 2 }, { pattern: "", allow: true, line: 3 }];
  const { root } = treeOf(rules, check([rules[0]]));
  assert.deepEqual([root.state, root.children.length], ["closed", 0]);
});

test("a large tree is cut", () => {
  const rules = Array.from({ length: 30000 }, (_, i) => ({ pattern: `/p${i}`, allow: false, line: i + 1 }));
  const { root, complete } = treeOf(rules, () => ({ allowed: false, line: 1, rule: null }));
  assert.equal(complete, false);
  assert.ok(root.count <= 20000);
});

test("sentences begin with a capital and end with a mark", () => {
  assert.equal(sentence("allowed by \"x\" in line 3"), "Allowed by \"x\" in line 3.");
  assert.equal(sentence(""), "");
});

test("preferences are yes, no or not stated", () => {
  const rows = usageRows({ contentSignal: { search: "allowed", aiInput: "unknown", aiTrain: "disallowed" },
    contentUsage: { search: "unknown", aiUse: "unknown", trainAi: "disallowed" } });
  assert.deepEqual(rows.map(({ name, answer }) => [name, answer]), [["search", "yes"], ["ai-input", "not stated"], ["ai-train", "no"],
    ["search", "not stated"], ["ai-use", "not stated"], ["train-ai", "no"]]);
});
