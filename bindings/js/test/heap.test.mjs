// The heap of the WebAssembly module (wasm/heap.cpp): random allocations keep their bytes, and freed memory is used again.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder } from "./package.mjs";

const MIB = 1024 * 1024;
const PAGE = 65_536;

/** A module of its own, so that nothing else uses its memory. */
function fresh(name) {
  const module = new WebAssembly.Module(readFileSync(join(folder, `${name}.wasm`)));
  const { exports } = new WebAssembly.Instance(module, { robotrules: { out_of_memory() { throw new Error("full"); } } });
  exports._initialize?.();
  exports.robotrules_js_prepare?.();
  return exports;
}

/** Numbers from 0 to `below`, the same in every run. */
function randoms(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

for (const name of ["robotrules-check", "robotrules"]) {
  test(`${name}: 200,000 random allocations neither overlap nor waste memory`, () => {
    const exports = fresh(name);
    const random = randoms(7);
    const sizes = [1, 15, 16, 17, 40, 200, 1_000, 5_000, 70_000, 300_000];
    const blocks = [];
    let used = 0;
    let most = 0;
    const free = (place) => {
      const block = blocks[place];
      blocks[place] = blocks[blocks.length - 1];
      blocks.pop();
      const bytes = new Uint8Array(exports.memory.buffer, block.at, block.size);
      assert.ok(bytes[0] === block.mark && bytes[block.size - 1] === block.mark && bytes[block.size >> 1] === block.mark);
      exports.robotrules_js_release(block.at);
      used -= block.size;
    };
    for (let i = 0; i < 200_000; ++i) {
      if (blocks.length > 0 && (used > 20 * MIB || blocks.length > 2_000 || random(2) === 0)) {
        free(random(blocks.length));
        continue;
      }
      const size = 1 + random(sizes[random(sizes.length)]);
      const at = exports.robotrules_js_allocate(size);
      assert.ok(at > 0 && at % 16 === 0);
      const block = { at, size, mark: 1 + random(255) };
      new Uint8Array(exports.memory.buffer, at, size).fill(block.mark);
      blocks.push(block);
      most = Math.max(most, (used += size));
    }
    while (blocks.length > 0) free(blocks.length - 1);
    const memory = exports.memory.buffer.byteLength;
    assert.ok(memory < 2 * most + 4 * MIB, `${memory} bytes of memory for ${most} bytes`);
    // All of it is one block again: nearly as much fits in one piece.
    const large = exports.robotrules_js_allocate(most);
    assert.ok(large > 0);
    assert.equal(exports.memory.buffer.byteLength, memory, "no page is added");
    exports.robotrules_js_release(large);
  });

  test(`${name}: no memory is an answer`, () => {
    const exports = fresh(name);
    for (const size of [0xffffffff, 0xfffffff0, 0x80000000, 0x7fffffff, 0x7fff0000, 0x40000000]) {
      assert.equal(exports.robotrules_js_allocate(size), 0, `${size} bytes`);
    }
    const blocks = [];
    for (;;) {
      const at = exports.robotrules_js_allocate(100 * MIB);
      if (at === 0) break;
      blocks.push(at);
    }
    assert.equal(blocks.length, 10, "of 1 GiB");
    assert.ok(exports.robotrules_js_allocate(PAGE) > 0, "a small block still fits");
    for (const at of blocks) exports.robotrules_js_release(at);
    assert.ok(exports.robotrules_js_allocate(900 * MIB) > 0, "neighbours are one block");
  });
}
