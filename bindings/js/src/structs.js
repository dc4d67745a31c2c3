// The structs of include/robotrules.h as they are in the memory of the module. wasm/layout.cpp checks their sizes.

// Size and alignment of each type of field. A text is a pointer and a length. `bytes` is a text that is read as bytes.
const types = { i32: [4, 4], u32: [4, 4], i64: [8, 8], f64: [8, 8], text: [8, 4], bytes: [8, 4] };

/**
 * Describes a struct by its fields in order. A field is the name of a type, or another struct.
 * @param {Record<string, any>} fields
 */
function struct(fields) {
  let size = 0;
  let alignment = 1;
  const places = [];
  for (const [name, type] of Object.entries(fields)) {
    const [bytes, aligned] = typeof type === "string" ? types[type] : [type.size, type.alignment];
    size = Math.ceil(size / aligned) * aligned;
    places.push([name, type, size]);
    size += bytes;
    alignment = Math.max(alignment, aligned);
  }
  return { size: Math.ceil(size / alignment) * alignment, alignment, places };
}

/**
 * Returns the struct at `at` as an object. Its bytes are a view of the memory, which is valid until the next call.
 * @param {import("./instance.js").Instance} instance
 */
export function read(instance, { places }, at) {
  const view = instance.view();
  const result = {};
  for (const [name, type, offset] of places) {
    const place = at + offset;
    if (type === "i32") result[name] = view.getInt32(place, true);
    else if (type === "u32") result[name] = view.getUint32(place, true);
    else if (type === "i64") result[name] = Number(view.getBigInt64(place, true));
    else if (type === "text") result[name] = instance.textAt(place);
    else if (type === "bytes") result[name] = instance.bytesAt(place);
    else result[name] = read(instance, type, place);
  }
  return result;
}

/**
 * Writes an object as a struct for the current call, and returns its address.
 * @param {import("./instance.js").Instance} instance
 * @param {Record<string, any>} values
 */
export function write(instance, { size, places }, values) {
  const at = instance.reserve(size);
  for (const [name, type, offset] of places) {
    const place = at + offset;
    const value = values[name];
    if (type === "i32") instance.view().setInt32(place, value, true);
    else if (type === "u32") instance.view().setUint32(place, value, true);
    else if (type === "i64") instance.view().setBigInt64(place, BigInt(Math.trunc(value)), true);
    else if (type === "f64") instance.view().setFloat64(place, value, true);
    else {
      const text = instance.put(value);
      instance.view().setUint32(place, text, true);
      instance.view().setUint32(place + 4, instance.size, true);
    }
  }
  return at;
}

export const TEXT = struct({ text: "text" });
export const RULE = struct({ pattern: "text", line: "u32", access: "i32" });
export const VERDICT = struct({
  access: "i32", why: "i32", rule: RULE, runnerUp: RULE, groupAgent: "text", groupLine: "u32", groupIsDefault: "i32",
});
export const SETTINGS = struct({
  crawlDelay: "i64", ratePeriod: "i64", rateRequests: "u32", rateFrom: "i32", rateTo: "i32", visitFrom: "i32",
  visitTo: "i32",
});
export const USAGE = struct({
  usagePath: "text", usageTrainAi: "i32", usageAiUse: "i32", usageSearch: "i32", signalSearch: "i32",
  signalAiInput: "i32", signalAiTrain: "i32",
});
export const RULES_FACTS = struct({ dialect: "text", size: "u32", memoryBytes: "u32" });
export const FILE_FACTS = struct({
  text: "text", url: "text", dialect: "text", directiveCount: "u32", groupCount: "u32", lineCount: "u32",
  truncated: "i32", looksLikeHtml: "i32",
});
export const DIRECTIVE = struct({
  name: "text", value: "text", kind: "i32", group: "i32", line: "u32", column: "u32", valueColumn: "u32",
  runLine: "u32",
});
export const GROUP = struct({ line: "u32", agentCount: "u32", ruleCount: "u32", otherCount: "u32" });
export const SITEMAP = struct({ url: "text", value: "text", line: "u32" });
export const LINT_OPTIONS = struct({
  size: "u32", knownRobots: "i32", fetched: "i32", status: "i32", redirects: "u32", maxAge: "i64", contentType: "text",
});
export const FINDING = struct({
  code: "text", message: "text", remedy: "text", editCount: "u32", severity: "i32", line: "u32", column: "u32",
});
export const EDIT = struct({ text: "text", lineCount: "u32", line: "u32" });
export const LINT_CODE = struct({ code: "text", summary: "text", severity: "i32", consequence: "i32" });
export const FIXED_FACTS = struct({
  text: "text", diff: "text", edits: "u32", leftCount: "u32", unprovenCount: "u32", isFixable: "i32",
});
export const CODE_COUNT = struct({ code: "text", count: "u32" });
export const DIFFERENCE_FACTS = struct({
  same: "i32", robotCount: "u32", addedSitemapCount: "u32", removedSitemapCount: "u32", addedSettingCount: "u32",
  removedSettingCount: "u32", limitCount: "u32",
});
export const ROBOT_CHANGE = struct({
  others: "i32", linesVary: "i32", agentCount: "u32", changeCount: "u32", delayBefore: "i64", delayAfter: "i64",
});
export const PATH_ANSWER = struct({ access: "i32", why: "i32", line: "u32", rule: "text" });
export const PATH_CHANGE = struct({ path: "text", before: PATH_ANSWER, after: PATH_ANSWER });
export const CHANGED_SETTING = struct({ value: "text", kind: "i32", line: "u32", agentCount: "u32" });
export const CRAWLER = struct({
  name: "text", operatedBy: "text", kind: "text", groupAgent: "text", groupLine: "u32", obeys: "i32", reach: "i32",
  access: "i32", rule: RULE,
});
export const ROBOTS_STEP = struct({
  done: "i32", url: "text", at: "i64", isRepeated: "i32", accept: "bytes", ifNoneMatch: "bytes",
  ifModifiedSince: "bytes", outcome: "i32", state: "i32", status: "i32", freshUntil: "i64", truncated: "i32",
  robots: "bytes", reason: "text",
});
export const EXCHANGE = struct({
  size: "u32", end: "i32", status: "i32", fields: "u32", fieldCount: "u32", body: "text", encoded: "i32", cut: "i32",
  partial: "i32", refusals: "i32", requestedAt: "i64", receivedAt: "i64", failure: "text", jitter: "f64",
});
