// One instance of the WebAssembly module: its memory, and calls into it.
import { RobotRulesError } from "./error.js";

const OUT_OF_MEMORY = Symbol("out of memory");

// The codes of robotrules_status.
const STATUS_CODES = [
  "ok", "invalid-argument", "out-of-range", "out-of-memory", "unknown-dialect", "invalid-url", "failed", "internal",
];

const OUT_SIZE = 256; // bytes for the results of a call
const ROOM = 8192; // bytes for the arguments of a call; more are allocated for the call
const ASCII_LOOP = 48; // strings up to this length are copied faster one by one than by TextEncoder

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** @typedef {string | Uint8Array | ArrayBuffer | URL} Text */

/** Returns the bytes of an argument that is not a string. */
function bytesOf(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (typeof URL === "function" && value instanceof URL) return encoder.encode(value.href);
  throw new RobotRulesError("invalid-argument", `A text must be a string or bytes, not ${value === null ? "null" : typeof value}.`);
}

export class Instance {
  /**
   * @param {WebAssembly.Module} module
   * @param {boolean} whole true: the module has lint, fix and compare
   */
  constructor(module, whole) {
    const imports = { robotrules: { out_of_memory() { throw OUT_OF_MEMORY; } } };
    const { exports } = new WebAssembly.Instance(module, imports);
    this.whole = whole;
    this.broken = false;
    this.exports = /** @type {any} */ (exports);
    this.memory = this.exports.memory;
    this.exports._initialize();
    this.exports.robotrules_js_prepare();
    this.exports.robotrules_js_keep();
    this.stack = this.exports.__stack_pointer.value;
    this.out = this.exports.robotrules_js_allocate(OUT_SIZE + ROOM);
    this.input = this.out + OUT_SIZE;
    this.top = this.input; // the next free byte for arguments
    this.extra = []; // allocated arguments of the current call
    this.size = 0; // of the text that was written last
    this.buffer = null;
    this.refresh();
  }

  /** Makes the views again after the memory has grown. */
  refresh() {
    this.buffer = this.memory.buffer;
    this.u8 = new Uint8Array(this.buffer);
    this.i32 = new Int32Array(this.buffer);
    this.data = new DataView(this.buffer);
    this.room = this.u8.subarray(this.input, this.input + ROOM);
  }

  view() {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return this.data;
  }

  /** Bytes that the instance has taken from the system. */
  get bytes() {
    return this.memory.buffer.byteLength;
  }

  // --- arguments

  /**
   * Writes one short text to the start of the arguments and returns its size, or -1 if put() must be used.
   * @param {Text} text
   */
  write(text) {
    if (typeof text !== "string") return -1;
    if (this.buffer !== this.memory.buffer) this.refresh();
    const { length } = text;
    if (length <= ASCII_LOOP) {
      const { room } = this;
      let i = 0;
      for (; i < length; ++i) {
        const c = text.charCodeAt(i);
        if (c > 127) break;
        room[i] = c;
      }
      if (i === length) return length;
    }
    return 3 * length <= ROOM ? encoder.encodeInto(text, this.room).written : -1;
  }

  /**
   * Writes a text behind the other arguments of the call, sets `size`, and returns its address.
   * @param {Text} text
   */
  put(text) {
    if (typeof text === "string") {
      if (this.buffer !== this.memory.buffer) this.refresh();
      const free = this.input + ROOM - this.top;
      if (3 * text.length <= free) {
        const at = this.top;
        this.size = encoder.encodeInto(text, this.u8.subarray(at, at + free)).written;
        this.top += this.size;
        return at;
      }
      return this.putBytes(encoder.encode(text));
    }
    return this.putBytes(bytesOf(text));
  }

  putBytes(bytes) {
    const at = this.reserve(bytes.length);
    this.u8.set(bytes, at);
    this.size = bytes.length;
    return at;
  }

  /** Returns the address of `size` bytes for arguments, aligned for structs. */
  reserve(size) {
    let at = (this.top + 7) & ~7;
    if (at + size <= this.input + ROOM) {
      this.top = at + size;
    } else {
      at = size < 0x7fff_fff0 ? this.exports.robotrules_js_allocate(size) >>> 0 : 0;
      if (at === 0) this.fail(3);
      this.extra.push(at);
    }
    if (this.buffer !== this.memory.buffer) this.refresh();
    return at;
  }

  /**
   * Writes an array of texts, and returns the address of the array.
   * @param {readonly Text[]} texts
   */
  putAll(texts) {
    const array = this.reserve(8 * texts.length);
    texts.forEach((text, index) => {
      const at = this.put(text);
      this.view().setUint32(array + 8 * index, at, true);
      this.data.setUint32(array + 8 * index + 4, this.size, true);
    });
    return array;
  }

  /** Ends a call: its arguments may be overwritten. */
  done() {
    this.top = this.input;
    while (this.extra.length > 0) this.exports.robotrules_js_release(this.extra.pop());
  }

  // --- calls

  /** Calls an exported function. If it runs out of memory, nothing has changed. */
  call(name, ...args) {
    const run = this.exports[name];
    if (run === undefined) {
      throw new RobotRulesError("not-in-module", "The function needs the whole module. Import it from \"robotrules\", not \"robotrules/check\".");
    }
    try {
      return run(...args);
    } catch (thrown) {
      return this.recover(thrown);
    }
  }

  /** Throws an error of this package as it is; other errors have left a call. */
  rethrow(thrown) {
    if (thrown instanceof RobotRulesError) throw thrown;
    return this.recover(thrown);
  }

  /** Restores the instance after a call that was left, and throws. */
  recover(thrown) {
    if (thrown === OUT_OF_MEMORY) {
      this.exports.__stack_pointer.value = this.stack;
      this.exports.robotrules_js_undo();
      this.fail(3);
    }
    this.broken = true; // no new object is made in it
    throw new RobotRulesError("internal", "The library has a fault. Please report it with the file and the call.", { cause: thrown });
  }

  /** Calls a function that makes a handle, and returns the handle. */
  make(name, ...args) {
    this.check(this.call(name, ...args, this.out));
    this.exports.robotrules_js_keep();
    return this.view().getUint32(this.out, true);
  }

  /** Throws unless the status is ROBOTRULES_OK. */
  check(status) {
    if (status !== 0) this.fail(status);
  }

  fail(status) {
    this.exports.robotrules_status_message(status, this.out);
    throw new RobotRulesError(STATUS_CODES[status] ?? "internal", this.textAt(this.out));
  }

  // --- results

  /** Returns the text whose pointer and length are at `place`. */
  textAt(place) {
    const view = this.view();
    const at = view.getUint32(place, true);
    return this.text(at, view.getUint32(place + 4, true));
  }

  /** Returns the bytes whose pointer and length are at `place`: a view, which is valid until the next call. */
  bytesAt(place) {
    const view = this.view();
    const at = view.getUint32(place, true);
    return this.u8.subarray(at, at + view.getUint32(place + 4, true));
  }

  text(at, size) {
    if (this.buffer !== this.memory.buffer) this.refresh();
    return size === 0 ? "" : decoder.decode(this.u8.subarray(at, at + size));
  }

  /** Calls a function that makes an owned text, and returns the text. */
  makeText(name, ...args) {
    const handle = this.make(name, ...args);
    this.exports.robotrules_text_view(handle, this.out);
    const text = this.textAt(this.out);
    this.exports.robotrules_text_free(handle);
    return text;
  }
}
