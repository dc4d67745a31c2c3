// robotrules/check: reads a robots.txt and answers questions. It is a third of the whole.
import { provide } from "./engine.js";
import { base64 } from "./wasm_check.js";

provide(false, base64);

export { init } from "./engine.js";
export { RobotRulesError } from "./error.js";
export { dialects, robotName, robotsUrl } from "./names.js";
export { RobotsTxt } from "./robots_txt.js";
export { Rules } from "./rules.js";
export { SideBySide, agree } from "./side_by_side.js";
