// The two workers: the fast one answers while a person types, the slow one reads the whole file for mistakes.

/** A worker with the newest question of each kind: an older one that still waits is dropped. */
class Channel {
  #worker;
  #waiting = new Map(); // kind → question
  #current = null;
  #next = 0;
  #sent = { file: -1, before: -1 }; // revisions that the worker has
  #model;

  constructor(address, model, onFailure) {
    this.#model = model;
    this.#worker = new Worker(address);
    this.#worker.onmessage = ({ data }) => this.#answer(data);
    this.#worker.onerror = (event) => onFailure(event.message || "The engine did not start.");
  }

  /**
   * Asks a question. Resolves with { value, ms }, with { error }, or with null if a newer question of its kind took
   * its place.
   */
  ask(kind, question) {
    return new Promise((resolve) => {
      this.#waiting.get(kind)?.resolve(null);
      this.#waiting.delete(kind);
      this.#waiting.set(kind, { kind, question, resolve });
      this.#send();
    });
  }

  #send() {
    if (this.#current !== null) return;
    const [next] = this.#waiting.values();
    if (next === undefined) return;
    this.#waiting.delete(next.kind);
    this.#current = { ...next, id: ++this.#next };
    const message = { id: this.#next, ask: next.kind, question: next.question };
    const { file, fileRevision, before, beforeRevision } = this.#model;
    if (this.#sent.file !== fileRevision) message.file = file;
    if (this.#sent.before !== beforeRevision) message.before = before;
    this.#sent = { file: fileRevision, before: beforeRevision };
    this.#worker.postMessage(message);
  }

  #answer({ id, value, error, ms }) {
    if (this.#current?.id !== id) return;
    const { kind, resolve } = this.#current;
    this.#current = null;
    // The answer is old if a newer question of its kind waits.
    resolve(this.#waiting.has(kind) ? null : { value, error, ms });
    this.#send();
  }
}

/**
 * Starts the workers.
 * @param {{ file: string | Uint8Array, fileRevision: number, before: string, beforeRevision: number }} model
 * @param {(message: string) => void} onFailure
 */
export function startWorkers(model, onFailure) {
  const source = document.getElementById("worker-source").textContent;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return { fast: new Channel(address, model, onFailure), slow: new Channel(address, model, onFailure) };
}
