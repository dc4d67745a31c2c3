// Instances of the WebAssembly modules. The objects of one page or program share an instance; a new one is made when the
// old one has grown, so that its memory can be given back when its objects are gone.
import { RobotRulesError } from "./error.js";
import { Instance } from "./instance.js";

const MAX_SHARED_BYTES = 32 * 1024 * 1024; // an instance that has grown beyond this gets no new objects

/** @type {{ base64: string | null, module: WebAssembly.Module | null }[]} */
const sources = [{ base64: null, module: null }, { base64: null, module: null }]; // for checking, the whole
/** @type {Instance | null} */
let current = null;

/**
 * Names the module of an entry. `whole`: it has lint, fix and compare.
 * @param {boolean} whole
 * @param {string} base64
 */
export function provide(whole, base64) {
  sources[whole ? 1 : 0].base64 = base64;
}

/** Returns the index of the largest module that there is. */
function best() {
  return sources[1].base64 !== null || sources[1].module !== null ? 1 : 0;
}

/** @param {string} base64 */
function decode(base64) {
  if (typeof Buffer === "function") return Buffer.from(base64, "base64");
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Returns the instance for new objects. */
export function instance() {
  const index = best();
  if (current !== null && !current.broken && current.whole === (index === 1) && current.bytes <= MAX_SHARED_BYTES) {
    return current;
  }
  const source = sources[index];
  if (source.module === null) {
    try {
      source.module = new WebAssembly.Module(decode(/** @type {string} */ (source.base64)));
    } catch (cause) {
      throw new RobotRulesError("not-initialised",
        "WebAssembly cannot be compiled at once here. Call `await init()` before anything else.", { cause });
    }
    source.base64 = source.base64 === null ? null : "";
  }
  current = new Instance(source.module, index === 1);
  return current;
}

/**
 * Compiles the module without blocking. Only a page's main thread needs it, where browsers refuse to compile at once.
 *
 * @param {WebAssembly.Module | Response | Promise<Response> | URL | string | BufferSource} [from] the module, its bytes,
 *   or the address of robotrules.wasm; without it, the copy inside this package is used
 */
export async function init(from) {
  const source = sources[best()];
  if (source.module !== null) return;
  let input = await from;
  if (input === undefined) input = decode(/** @type {string} */ (source.base64));
  if (typeof input === "string" || (typeof URL === "function" && input instanceof URL)) input = await fetch(input);
  if (typeof Response === "function" && input instanceof Response) input = await input.arrayBuffer();
  source.module = input instanceof WebAssembly.Module ? input : await WebAssembly.compile(/** @type {any} */ (input));
  source.base64 = source.base64 === null ? null : "";
}

const registry = typeof FinalizationRegistry === "function"
  ? new FinalizationRegistry(({ owner, free, handle }) => {
      if (!owner.broken) owner.exports[free](handle);
    })
  : null;

let ownerIn;
let handleIn;

/** An object that has a handle in an instance. */
export class Owned {
  #owner;
  #handle;
  #free;

  /**
   * @param {Instance} owner
   * @param {number} handle
   * @param {string} free the function that frees the handle
   */
  constructor(owner, handle, free) {
    this.#owner = owner;
    this.#handle = handle;
    this.#free = free;
    registry?.register(this, { owner, free, handle }, this);
  }

  static {
    ownerIn = (object) => object.#owner;
    handleIn = (object) => object.#handle;
  }

  /** Gives the memory back now. Without a call, that happens some time after the last use. */
  free() {
    if (this.#handle === 0) return;
    registry?.unregister(this);
    if (!this.#owner.broken) this.#owner.exports[this.#free](this.#handle);
    this.#handle = 0;
  }
}

/**
 * Returns the instance of an object.
 * @param {Owned} object
 * @returns {Instance}
 */
export function ownerOf(object) {
  return ownerIn(object);
}

/**
 * Returns the handle of an object.
 * @param {Owned} object
 * @returns {number}
 */
export function handleOf(object) {
  const handle = handleIn(object);
  if (handle === 0) throw new RobotRulesError("freed", "The object was freed. Make a new one.");
  return handle;
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Owned.prototype, Symbol.dispose, {
    value() { this.free(); },
    configurable: true,
    writable: true,
  });
}
