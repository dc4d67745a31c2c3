/**
 * An error of robotrules. `code` is stable; the message is a sentence: what happened, to what, what to do.
 *
 * - "not-initialised": the WebAssembly module cannot be compiled at once here; `await init()` first
 * - "invalid-argument", "out-of-range": a wrong argument
 * - "unknown-dialect", "invalid-url"
 * - "out-of-memory": the file is too big for the module's memory (1 GiB); nothing has changed
 * - "freed": the object was used after free()
 * - "not-in-module": the function needs the whole module; import it from "robotrules"
 * - "internal": a fault of the library
 */
export class RobotRulesError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(message, options);
    this.name = "RobotRulesError";
    this.code = code;
  }
}
