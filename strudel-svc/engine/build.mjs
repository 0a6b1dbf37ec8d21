// Bundles the programs of this folder into dist/. Run by `consort` when it installs the engine, and in the image.
//   node build.mjs            all bundles
//   node build.mjs realm ...  only these
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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

const bundles = {
  // Runs inside the worker, in a realm of its own: the real packages without a browser.
  realm: {
    entryPoints: ['src/realm/main.mjs'],
    outfile: 'dist/realm.js',
    format: 'iife',
    platform: 'browser',
    alias: { sfumato: here('src/realm/no_soundfont_player.mjs') }, // needs `window` when it is loaded
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
  render: { entryPoints: ['src/render/main.mjs'], outfile: 'dist/render.js', format: 'iife', platform: 'browser' },
  // The page on which a user hears and edits a script.
  listen: { entryPoints: ['src/listen/main.mjs'], outfile: 'dist/listen.js', format: 'iife', platform: 'browser' },
};

const wanted = process.argv.slice(2);
await mkdir(here('dist'), { recursive: true });
for (const [name, options] of Object.entries(bundles)) {
  if (!wanted.length || wanted.includes(name)) await build({ ...common, ...options });
}
