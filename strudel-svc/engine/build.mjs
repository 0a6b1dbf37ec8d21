// Bundles the programs of this folder into dist/. Run by `consort` when it installs the engine, and in the image.
//   node build.mjs            all bundles
//   node build.mjs realm ...  only these
// and writes what the packages define to dist/functions.json (`node build.mjs functions`).
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readFunctions } from './src/build/read_functions.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const common = {
  absWorkingDir: here('.'),
  bundle: true,
  minify: true,
  keepNames: true, // error messages name functions
  legalComments: 'linked',
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  define: { 'process.env.NODE_ENV': '"production"' },
};

// The packages add 1,700 methods to a prototype that is in use already. V8 then copies its list of properties for each
// of them, which takes a third of the time of a realm. With over 1,020 properties it uses a hash table instead, so the
// class begins with that many, which the realm deletes (src/realm/scope.mjs).
const fill = (prototype) => {
  for (const i of [0, 1]) prototype[`consort${i}`] = 0;
  delete prototype.consort0; // a table from here on
  for (let i = 2; i <= 1021; i += 1) prototype[`consort${i}`] = 0;
};
const hashTableForMethods = {
  name: 'hash table for methods',
  setup({ onLoad }) {
    onLoad({ filter: /@strudel.core.dist.index[.]mjs$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const place = code.indexOf('{', code.lastIndexOf('class ', code.indexOf('this._Pattern = '))) + 1;
      return { contents: `${code.slice(0, place)} static { (${fill})(this.prototype) } ${code.slice(place)}` };
    });
  },
};

const inRealm = {
  format: 'iife',
  platform: 'browser',
  alias: {
    'fraction.js': here('src/realm/fraction.mjs'),
    sfumato: here('src/realm/no_soundfont_player.mjs'), // needs `window` when it is loaded
    '@kabelsalat/web': here('src/realm/no_kabelsalat.mjs'),
    '@tonaljs/tonal': here('src/realm/parts_of_tonal.mjs'),
  },
};

// `import { everything } from 'all-of:PACKAGE'` gives an object with all that a package exports. `import * as` would give
// the same, but with a getter for each of a thousand names, which are made in every realm.
const allOfPackage = {
  name: 'all of a package',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^all-of:/ }, ({ path }) => ({ path: path.slice('all-of:'.length), namespace: 'all-of' }));
    onLoad({ filter: /./, namespace: 'all-of' }, async ({ path }) => {
      const stdin = { contents: `export * from '${path}'`, resolveDir: here('.') };
      const { metafile } = await build({ ...common, ...inRealm, format: 'esm', stdin, write: false, metafile: true, legalComments: 'none' });
      const names = Object.values(metafile.outputs)[0].exports.join();
      return { contents: `import {${names}} from '${path}'; export const everything = {${names}}`, resolveDir: here('.') };
    });
    onLoad({ filter: /@strudel.webaudio.dist.index[.]mjs$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      return { contents: code.replace(/import \* as (\w+) from "@strudel.core"/, "import { everything as $1 } from 'all-of:@strudel/core'") };
    });
  },
};

const bundles = {
  // Run inside the worker, in realms: the real packages without a browser.
  reader: { ...inRealm, entryPoints: ['src/realm/reader.mjs'], outfile: 'dist/reader.js' },
  realm: {
    ...inRealm,
    entryPoints: ['src/realm/main.mjs'],
    outfile: 'dist/realm.js',
    plugins: [hashTableForMethods, allOfPackage],
    keepNames: false, // naming a thousand functions takes time in every realm
    define: { ...common.define, Function: 'compileScript' }, // the realm may not compile text: see src/realm/script.mjs
  },
  // The tables of @strudel/xen: half of all bytes, so they are loaded only for scripts that use them.
  tunings: {
    entryPoints: ['src/realm/tunings.mjs'],
    outfile: 'dist/tunings.js',
    format: 'iife',
    platform: 'browser',
    alias: { '@strudel/core': here('src/realm/core_of_realm.mjs') },
  },
  // The page of headless Chromium that renders a script to sound.
  render: {
    entryPoints: ['src/render/main.mjs'],
    outfile: 'dist/render.js',
    format: 'iife',
    platform: 'browser',
    plugins: [allOfPackage],
  },
  // The page on which a user hears and edits a script.
  listen: { entryPoints: ['src/listen/main.mjs'], outfile: 'dist/listen.js', format: 'iife', platform: 'browser' },
};

const wanted = process.argv.slice(2);
await mkdir(here('dist'), { recursive: true });
for (const [name, options] of Object.entries(bundles)) {
  if (!wanted.length || wanted.includes(name)) await build({ ...common, ...options });
}
if (!wanted.length || wanted.includes('functions')) {
  await writeFile(here('dist/functions.json'), JSON.stringify(await readFunctions(here('node_modules'))));
}
