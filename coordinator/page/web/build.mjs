// Bundles src/main.tsx and src/style.css into src/index.html, and writes the whole as a C++ source.
//   node build.mjs NODE_MODULES OUTPUT.cc     or OUTPUT.html, to look at it
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2);
const { buildSync } = createRequire(join(modules, "x.js"))("esbuild");
const source = join(dirname(fileURLToPath(import.meta.url)), "src");

function bundle(entry, format) {
  const result = buildSync({
    absWorkingDir: source,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: "es2020",
    charset: "utf8",
    nodePaths: [modules],
    jsx: "automatic",
    jsxImportSource: "preact",
  });
  return result.outputFiles[0].text.trim();
}

const html = readFileSync(join(source, "index.html"), "utf8")
  .replace("/*STYLE*/", () => bundle("style.css").replaceAll("</style", "<\\/style"))
  .replace("/*SCRIPT*/", () => bundle("main.tsx", "iife").replaceAll("</script", "<\\/script"));

if (output.endsWith(".html")) {
  writeFileSync(output, html);
} else {
  // The length of string literals is limited: one for each 8 kB.
  const bytes = Buffer.from(html, "utf8");
  const pieces = [];
  for (let at = 0; at < bytes.length; at += 8192) {
    let text = "";
    for (const byte of bytes.subarray(at, at + 8192)) {
      const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
      text += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
    }
    pieces.push(`    "${text}"`);
  }
  writeFileSync(
    output,
    `// Made by page/web/build.mjs.\n#include "coordinator/page/page_file.h"\n\n` +
      `namespace joseki::coordinator {\n\nstd::string_view PageFile() {\n  static constexpr char kPage[] =\n` +
      pieces.join("\n") +
      `;\n  return {kPage, sizeof(kPage) - 1};\n}\n\n}  // namespace joseki::coordinator\n`,
  );
}
