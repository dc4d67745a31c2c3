// The worker: answers one request after the other. A request may bring a new file.
import { Answers } from "./answers.js";

const answers = new Answers();

self.onmessage = ({ data: { id, ask, question, file, before } }) => {
  const start = performance.now();
  try {
    if (file !== undefined) answers.setFile(file);
    if (before !== undefined) answers.setBefore(before);
    const value = answers[ask](question);
    self.postMessage({ id, value, ms: performance.now() - start });
  } catch (error) {
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
};
