// The tables of tests/conformance, asked through this package.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { load, root } from "./package.mjs";

const { Rules } = await load("check");
const tables = join(root, "tests/conformance");
const escapes = new Map([["n", 10], ["r", 13], ["t", 9], ["\\", 92]]);

/** Returns the bytes of a field with escapes. */
function bytesOf(field) {
  const bytes = [];
  let repeat = 1;
  for (let i = 0; i < field.length; ++i) {
    let byte = field.charCodeAt(i);
    if (field[i] === "\\") {
      const next = field[++i];
      if (next === "{") {
        const end = field.indexOf("}", i);
        repeat = Number(field.slice(i + 1, end));
        i = end;
        continue;
      }
      if (next === "x") {
        byte = Number.parseInt(field.slice(i + 1, i + 3), 16);
        i += 2;
      } else {
        byte = escapes.get(next);
        assert.notEqual(byte, undefined, `an unknown escape \\${next}`);
      }
    }
    for (; repeat > 0; --repeat) bytes.push(byte);
    repeat = 1;
  }
  return Uint8Array.from(bytes);
}

for (const table of readdirSync(tables).filter((name) => name.endsWith(".tsv"))) {
  test(`the answers of ${table}`, () => {
    let cases = 0;
    readFileSync(join(tables, table), "latin1").split("\n").forEach((row, index) => {
      if (row === "" || row.startsWith("#")) return;
      const [name, dialect, agent, url, access, line, robots] = row.split("\t");
      const rules = Rules.compile(bytesOf(robots), bytesOf(agent), { dialect, url: "http://foo.bar/robots.txt" });
      const verdict = rules.check(bytesOf(url));
      const place = `${table}:${index + 1} ${name} (${dialect})`;
      assert.equal(verdict.access, access, place);
      if (line !== "-") assert.equal(String(verdict.line), line, place);
      assert.equal(rules.allowed(bytesOf(url)), access === "allowed", place);
      rules.free();
      ++cases;
    });
    assert.ok(cases > 10, `${table} has ${cases} cases`);
  });
}
