// The whole state of the page as the fragment of a link: "#1" and JSON, or "#2" and JSON that is compressed, both as
// base64url. Version numbers stay readable for ever.

const PLAIN = "1";
const PACKED = "2";
const PACK_FROM = 400; // characters of JSON
const MAX_JSON = 8 * 1024 * 1024; // bytes after unpacking: a link must not fill the memory

/** @typedef {{ file: string, before: string, agents: string, urls: string, dialect: string, view: string }} State */

// The names in a link, and those of the page.
const NAMES = [["f", "file"], ["b", "before"], ["a", "agents"], ["u", "urls"], ["d", "dialect"], ["v", "view"]];

async function drain(stream, limit) {
  const reader = stream.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error("The link contains too much text.");
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function through(bytes, transform, limit) {
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  return drain(source.pipeThrough(transform), limit);
}

export function toBase64Url(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

export function fromBase64Url(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

/**
 * Returns the fragment of a link to this state, with "#". A page reads at most 8 MiB from a link.
 * @param {Partial<State>} state
 */
export async function toFragment(state) {
  const said = {};
  for (const [short, name] of NAMES) if (state[name]) said[short] = state[name];
  const bytes = new TextEncoder().encode(JSON.stringify(said));
  if (bytes.length < PACK_FROM || typeof CompressionStream !== "function") return `#${PLAIN}${toBase64Url(bytes)}`;
  return `#${PACKED}${toBase64Url(await through(bytes, new CompressionStream("deflate-raw"), MAX_JSON))}`;
}

/**
 * Returns the state of a fragment, or null if there is none. Fails if the fragment is damaged or of a later version.
 * @param {string} fragment
 * @returns {Promise<Partial<State> | null>}
 */
export async function fromFragment(fragment) {
  const text = fragment.replace(/^#/, "");
  if (text === "") return null;
  const version = text[0];
  if (version !== PLAIN && version !== PACKED) throw new Error("This page does not know the form of the link.");
  let said;
  try {
    let bytes = fromBase64Url(text.slice(1));
    if (version === PACKED) bytes = await through(bytes, new DecompressionStream("deflate-raw"), MAX_JSON);
    said = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new Error("The link is damaged or incomplete.", { cause });
  }
  const state = {};
  for (const [short, name] of NAMES) if (typeof said?.[short] === "string") state[name] = said[short];
  return state;
}
