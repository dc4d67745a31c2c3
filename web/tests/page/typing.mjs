// Times the answers of the page while text is typed in a large file.
import { write } from "./browser.mjs";

/** Returns a robots.txt of about `kib` KiB with groups, rules and wildcards. */
export function largeFile(kib) {
  const lines = ["User-agent: *"];
  for (let i = 0, size = 0; size < kib * 1024; ++i) {
    lines.push(`${i % 3 ? "Disallow" : "Allow"}: /section/${i * 7919 % 100003}/page${i}${i % 5 ? "" : "*"}`);
    if (i % 400 === 399) lines.push("", `User-agent: bot${i}`);
    size += lines.at(-1).length + 1;
  }
  return `${lines.join("\n")}\n`;
}

/**
 * Types `keys` characters into line 2 of a file of `kib` KiB, with pauses of `pause` milliseconds.
 * @returns {Promise<{ input: number, answer: number, frame: number, worker: number }[]>} milliseconds from each key press
 *   to the new text, to the verdict in the document, and to the frame after it; and those in the worker
 */
export async function typed(page, { kib = 500, keys = 25, pause = 400 } = {}) {
  await write(page, largeFile(kib));
  await page.focus("#file");
  await page.evaluate(() => document.getElementById("file").setSelectionRange(30, 30));
  await page.evaluate(() => {
    const root = document.documentElement;
    let key = null;
    window.typed = [];
    addEventListener("keydown", ({ timeStamp }) => { key = { pressed: timeStamp }; }, { capture: true });
    addEventListener("input", () => { key.input = performance.now() - key.pressed; }, { capture: true });
    new MutationObserver(() => {
      if (key === null || key.input === undefined) return;
      const done = key;
      key = null;
      done.answer = performance.now() - done.pressed;
      done.worker = Number(document.getElementById("verdict-facts").dataset.ms);
      requestAnimationFrame(() => setTimeout(() => {
        done.frame = performance.now() - done.pressed;
        window.typed.push(done);
      }));
    }).observe(root, { attributes: true, attributeFilter: ["data-answered"] });
  });
  for (let i = 1; i <= keys; ++i) {
    await page.keyboard.press("x");
    await page.waitForFunction((count) => window.typed.length === count, i);
    await page.waitForTimeout(pause); // the slow worker reads the whole file in the meantime
  }
  return page.evaluate(() => window.typed);
}

/** Returns the medians of what typed() returns. */
export function medians(figures) {
  const median = (name) => figures.map((figure) => figure[name]).sort((a, b) => a - b)[figures.length >> 1];
  return { input: median("input"), answer: median("answer"), frame: median("frame"), worker: median("worker") };
}
