#!/usr/bin/env node
// Times the page in Chromium: milliseconds from a key press to the verdict, while text is typed in a file of 500 KiB.
//
//     make test-bindings && node web/bench/typing.mjs
//
//   KIB, KEYS   the size of the file (default 500) and the number of keys (default 50)
//   CHROMIUM    the browser (default: chromium)
import { execFileSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const out = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "build/web");
process.env.PAGE ??= join(out, "robotrules.html");
process.env.TOOLS ??= join(out, "tools");
process.env.CHROMIUM ??= execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
const { start, withPage } = await import("../tests/page/browser.mjs");
const { medians, typed } = await import("../tests/page/typing.mjs");

const kib = Number(process.env.KIB ?? 500);
const browser = await start();
try {
  await withPage(browser, {}, async (page) => {
    const figures = await typed(page, { kib, keys: Number(process.env.KEYS ?? 50) });
    const { input, answer, frame, worker } = medians(figures);
    console.log(`Chromium ${browser.version()}, ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`);
    console.log(`${figures.length} keys in a file of ${kib} KiB; medians from the key press, in ms:`);
    console.log(`  the browser has changed the text   ${input.toFixed(1)}`);
    console.log(`  the verdict is in the document     ${answer.toFixed(1)}   (in the worker: ${worker.toFixed(1)})`);
    console.log(`  the next frame is drawn            ${frame.toFixed(1)}`);
    const slow = figures.map((figure) => figure.answer).sort((a, b) => a - b)[Math.floor(figures.length * 0.95)];
    console.log(`  95 of 100 verdicts within          ${slow.toFixed(1)}`);
  });
} finally {
  await browser.close();
}
