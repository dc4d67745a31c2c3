// The tables of tests/conformance.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./package.mjs";

export const tables = join(root, "tests/conformance");
const escapes = new Map([["n", 10], ["r", 13], ["t", 9], ["\\", 92]]);

/** Returns the rows of a table, which is in the folder `tables`, with their lines: their fields as they stand. */
export function rowsOf(table) {
  return readFileSync(join(tables, table), "latin1").split("\n")
    .map((row, index) => ({ number: index + 1, text: row, row: row.split("\t") }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
}

/** Returns the bytes of a field with escapes. */
export function bytesOf(field) {
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
