// The package under test: ROBOTRULES_JS names its folder, build/js by default.
import { pathToFileURL, fileURLToPath } from "node:url";
import { dirname, join, resolve } from "node:path";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
export const folder = resolve(process.env.ROBOTRULES_JS ?? join(root, "build/js"));

/** Imports a module of the package, such as "index" or "check". */
export const load = (name) => import(pathToFileURL(join(folder, "esm", `${name}.js`)).href);
