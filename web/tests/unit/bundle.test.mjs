// web/tools/bundle.mjs.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { asCommonJs, bundle } from "../../tools/bundle.mjs";

test("a bundle runs its modules once, in the order in which they are needed", () => {
  const root = mkdtempSync(join(tmpdir(), "bundle-"));
  try {
    writeFileSync(join(root, "a.js"), 'import { b, c as d } from "./b.js";\nimport { x } from "data:x";\nsay(`${b()} ${d} ${x}`);\n');
    writeFileSync(join(root, "b.js"), '// a comment\nsay("once");\nexport function b() {\n  return "b";\n}\n/** More. */\nexport const c = "c";\n');
    const said = [];
    runInNewContext(bundle({ entry: join(root, "a.js"), root, packages: {}, data: { "data:x": "export const x = 1;\n" } }), { say: (text) => said.push(text) });
    assert.deepEqual(said, ["once", "b c 1"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a form of import that is not known is an error", () => {
  assert.throws(() => asCommonJs("a.js", 'import * as b from "./b.js";\n'), /a\.js has an import or export/);
  assert.throws(() => asCommonJs("a.js", "export default 1;\n"), /a\.js/);
});
