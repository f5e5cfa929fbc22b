// The page's modules, bundled for the tests of them, which are called with NODE_MODULES SOURCE_DIR.
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, folder] = process.argv.slice(2);
const { buildSync } = createRequire(join(modules, "x.js"))("esbuild");

export const source = folder;

// A module by its path below src.
export function load(file) {
  const { outputFiles } = buildSync({
    entryPoints: [join(source, "coordinator/page/web/src", file)],
    bundle: true,
    write: false,
    format: "esm",
    nodePaths: [modules],
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  return import("data:text/javascript;base64," + Buffer.from(outputFiles[0].text).toString("base64"));
}
