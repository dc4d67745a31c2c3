import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { folder, load } from "./package.mjs";

const KB = 1000;

// Limits in bytes: packed with brotli, and with gzip.
for (const [name, brotliLimit, gzipLimit] of [["robotrules-check", 42 * KB, 50 * KB], ["robotrules", 115 * KB, 135 * KB]]) {
  const bytes = readFileSync(join(folder, `${name}.wasm`));
  test(`${name}.wasm is at most ${brotliLimit} bytes packed`, (context) => {
    const brotli = brotliCompressSync(bytes).length;
    const gzip = gzipSync(bytes, { level: 9 }).length;
    context.diagnostic(`${bytes.length} bytes, brotli: ${brotli}, gzip -9: ${gzip}`);
    assert.ok(brotli <= brotliLimit, `brotli: ${brotli} bytes`);
    assert.ok(gzip <= gzipLimit, `gzip: ${gzip} bytes`);
  });

  test(`${name}.wasm needs nothing of its surroundings`, () => {
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
    assert.deepEqual(imports, [{ module: "robotrules", name: "out_of_memory", kind: "function" }]);
  });
}

test("the structs have the sizes that wasm/layout.cpp checks", async () => {
  const structs = await load("structs");
  const sizes = readFileSync(new URL("../wasm/layout.cpp", import.meta.url), "utf8")
    .matchAll(/sizeof\(robotrules_(\w+)\) == (\d+)/g);
  const names = { STR: "TEXT" };
  let count = 0;
  for (const [, name, size] of sizes) {
    const key = names[name.toUpperCase()] ?? name.toUpperCase();
    assert.equal(structs[key]?.size, Number(size), key);
    ++count;
  }
  assert.equal(count, Object.values(structs).filter((one) => typeof one !== "function").length);
});
