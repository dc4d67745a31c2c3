export { default } from "robotrules/robots-parser";
export type { Robot } from "robotrules/robots-parser";
