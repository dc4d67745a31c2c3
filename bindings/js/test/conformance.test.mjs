// The tables of tests/conformance, asked through this package.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { load } from "./package.mjs";
import { bytesOf, rowsOf, tables } from "./tables.mjs";

const { Rules } = await load("check");

for (const table of readdirSync(tables).filter((name) => name.endsWith(".tsv"))) {
  test(`the answers of ${table}`, () => {
    let cases = 0;
    for (const { number, row: [name, dialect, agent, url, access, line, robots] } of rowsOf(table)) {
      const rules = Rules.compile(bytesOf(robots), bytesOf(agent), { dialect, url: "http://foo.bar/robots.txt" });
      const verdict = rules.check(bytesOf(url));
      const place = `${table}:${number} ${name} (${dialect})`;
      assert.equal(verdict.access, access, place);
      if (line !== "-") assert.equal(String(verdict.line), line, place);
      assert.equal(rules.allowed(bytesOf(url)), access === "allowed", place);
      rules.free();
      ++cases;
    }
    assert.ok(cases > 10, `${table} has ${cases} cases`);
  });
}
