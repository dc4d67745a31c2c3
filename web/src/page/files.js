// Opening, dropping and saving files.
import { withPlainLineEnds } from "../pure/text.js";
import { byId, make } from "./dom.js";

const MAX_BYTES = 16 * 1024 * 1024;

/** Returns { text, bytes } of a file, or { error }. */
export async function openText(file) {
  if (file.size > MAX_BYTES) {
    return { error: `${file.name} is larger than 16 MiB. Use the command: robotrules check --robots FILE.` };
  }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { bytes, text: withPlainLineEnds(new TextDecoder().decode(bytes)) };
  } catch {
    return { error: `${file.name} cannot be read.` };
  }
}

/** Offers a text as a download. */
export function saveText(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Lets people choose a file with a button, or drop one on the page. */
export function startFiles(button, input, onFile) {
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const [file] = input.files;
    input.value = ""; // the same file may be chosen again
    if (file) onFile(file);
  });
  const drop = byId("drop");
  const hasFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.hidden = true;
  });
  addEventListener("drop", (event) => {
    drop.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  });
}
