// Lines of a text. Lines are numbered from 1; a line ends with "\n".

/** Offsets of the lines of a text. */
export class Lines {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    const starts = [0];
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  get count() {
    return this.starts.length;
  }

  /** Returns the offset where a line begins. */
  start(line) {
    return this.starts[Math.max(0, Math.min(line, this.count) - 1)];
  }

  /** Returns the offset of the end of a line, without its "\n". */
  end(line) {
    return line >= this.count ? this.text.length : this.starts[line] - 1;
  }

  line(line) {
    return this.text.slice(this.start(line), this.end(line));
  }
}

/** Returns a text as a text area shows it: each line ends with "\n". */
export function withPlainLineEnds(text) {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

/** Returns the lines of a text without blank ones and without blanks around them, each once. */
export function words(text) {
  const found = new Set();
  for (const line of text.split("\n")) {
    const word = line.trim();
    if (word !== "") found.add(word);
  }
  return [...found];
}

/**
 * Returns a URL as `robotrules check` reads it: "https://" and the "/" of a path may be left out.
 * @param {string} text
 */
export function urlOrPath(text) {
  const end = text.search(/[/?#]/);
  const head = end === -1 ? text : text.slice(0, end);
  const hasColon = head.includes(":");
  const hasPath = end !== -1 && text[end] === "/";
  if ((hasColon || hasPath) && /^(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*\.?(?::\d+)?$/i.test(head)) return `https://${text}`;
  return text === "" || text.startsWith("/") || hasColon ? text : `/${text}`;
}

/** Returns a size as people write it: "12 bytes", "3.4 KiB". */
export function sizeText(bytes) {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib < 100 ? kib.toFixed(1) : Math.round(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

/** Returns "1 line", "2 lines". */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
