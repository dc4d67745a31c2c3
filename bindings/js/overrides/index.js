// The root of this package is the drop-in for robots-parser.
export { default } from "robotrules/robots-parser";
