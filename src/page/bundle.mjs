// SPDX-License-Identifier: BSD-3-Clause
// Bundles the page and writes it as the C++ source of page_bundle.hpp.
// Usage: node bundle.mjs FOLDER_OF_NODE_MODULES OUTPUT.cpp

import {readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const [folder, output] = process.argv.slice(2).map((name) => path.resolve(name));
const sources = path.dirname(fileURLToPath(import.meta.url));
const modules = path.join(folder, 'node_modules');
const esbuild = createRequire(path.join(folder, 'package.json'))('esbuild');

const built = esbuild.buildSync({
  entryPoints: [path.join(sources, 'main.js')],
  outdir: 'out',
  absWorkingDir: folder,
  nodePaths: [modules],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'iife',
  target: 'es2022',
  charset: 'ascii',
  legalComments: 'inline',
});
const text = (suffix) => built.outputFiles.find((file) => file.path.endsWith(suffix)).text;

/** The licence of every package that code was taken from. */
function licences() {
  const packages = new Set();
  for (const input of Object.keys(built.metafile.inputs)) {
    const parts = input.split('node_modules/');
    if (parts.length > 1)
      packages.add(
        parts
          .at(-1)
          .split('/')
          .slice(0, parts.at(-1).startsWith('@') ? 2 : 1)
          .join('/'),
      );
  }
  return [...packages]
    .sort()
    .map((name) => {
      const home = path.join(modules, name);
      const file = readdirSync(home).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`${name} comes without a licence`);
      const {version} = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
      return `${name} ${version}\n\n${readFileSync(path.join(home, file), 'utf8').trim()}`;
    })
    .join('\n\n\n');
}

const escaped = (html) =>
  html
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[^\n\x20-\x7e]/g, (letter) => `&#${letter.codePointAt(0)};`);

// Replaced by functions: in a string "$&" would mean something.
const page = readFileSync(path.join(sources, 'page.html'), 'utf8')
  .replace('/*styles*/', () => text('.css').trim())
  .replace('<!--licences-->', () => escaped(licences()))
  .replace('<!--program-->', () => text('.js').trim());
const [before, after, ...more] = page.split('<!--plan-->');
if (after === undefined || more.length > 0) throw new Error('the plan must have one place in page.html');
if (/[^\n\t\x20-\x7e]/.test(page)) throw new Error('the page must be plain ASCII');

/** Raw literals, in pieces that no compiler finds too long. */
function literal(content) {
  const pieces = content.match(/[^]{1,16000}/g) ?? [''];
  const delimiter = 'halocline_page';
  if (content.includes(`)${delimiter}"`)) throw new Error('the page contains its own delimiter');
  return pieces.map((piece) => `R"${delimiter}(${piece})${delimiter}"`).join('\n');
}

writeFileSync(
  output,
  `// Made by src/page/bundle.mjs.
#include "tools/plan/page_bundle.hpp"

namespace halocline::tools {

PageBundle page_bundle() {
  static constexpr char before[] =
${literal(before)};
  static constexpr char after[] =
${literal(after)};
  return {{before, sizeof before - 1}, {after, sizeof after - 1}};
}

}  // namespace halocline::tools
`,
);
