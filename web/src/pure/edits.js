// Changes of a text: the edits of a finding, and the smallest replacement that makes one text from another.
import { Lines } from "./text.js";

/**
 * Returns the text after the edits of a finding. Each edit replaces one line with several, or with none.
 * @param {string} text
 * @param {{ line: number, lines: string[] }[]} edits
 */
export function applyEdits(text, edits) {
  const lines = new Lines(text);
  let changed = text;
  for (const { line, lines: written } of [...edits].sort((a, b) => b.line - a.line)) {
    const start = lines.start(line);
    const isLast = line >= lines.count;
    if (written.length > 0) changed = changed.slice(0, start) + written.join("\n") + changed.slice(lines.end(line));
    else if (isLast) changed = changed.slice(0, Math.max(0, start - 1));
    else changed = changed.slice(0, start) + changed.slice(lines.end(line) + 1);
  }
  return changed;
}

/**
 * Returns the smallest replacement that turns `before` into `after`, or null if they are equal.
 * @param {string} before
 * @param {string} after
 */
export function replacement(before, after) {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) ++head;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) ++tail;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}
