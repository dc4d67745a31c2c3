// robotrules: everything.
import { provide } from "./engine.js";
import { base64 } from "./wasm_whole.js";

provide(true, base64);

export { compare } from "./compare.js";
export { crawlers } from "./crawlers.js";
export { init } from "./engine.js";
export { RobotRulesError } from "./error.js";
export { fix, lint, lintCodes } from "./lint.js";
export { dialects, robotName, robotsUrl } from "./names.js";
export { RobotsFetch } from "./robots_fetch.js";
export { RobotsTxt } from "./robots_txt.js";
export { Rules } from "./rules.js";
export { SideBySide, agree } from "./side_by_side.js";
