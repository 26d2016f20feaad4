import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { publishBuild } from './build-folder.ts';
import { type BuildName, buildStamp } from './build-stamp.ts';
import { dashboardLanguages } from './dashboard-languages.ts';
import { loadVite } from './load-vite.ts';

// Builds browser code if the current code isn't built yet. Runs in a separate process, so that the service stays responsive.

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

const compressible = /\.(?:css|js|json|svg)$/;
/** Minimum size for compression, in bytes. For smaller files, the compression overhead exceeds the savings. */
const smallestBytes = 400;

/** Writes compressed copies of a built file next to it. */
async function compress(file: string): Promise<void> {
  if (!compressible.test(file)) return;
  const bytes = await readFile(file);
  if (bytes.length < smallestBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    deflate(bytes, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

const run = promisify(execFile);

const languageFlag = '--language';

/** Runs this module in another process. Few objects of a build are short-lived, so they need little space. */
const runSelf = (args: readonly string[]) =>
  run(process.execPath, ['--max-semi-space-size=2', import.meta.filename, ...args]);

/** Writes the bundles of the selected configurations to a folder. */
async function bundle(
  configsOf: (module: typeof import('./vite.ts')) => readonly InlineConfig[],
  outDir: string,
): Promise<void> {
  // Tests set `NODE_ENV` to a value that would produce a development build.
  env['NODE_ENV'] = 'production';
  const { build } = await loadVite();
  // The plugins import Vite, so they must be loaded after the allocator is set.
  for (const config of configsOf(await import('./vite.ts')))
    await build({ ...config, build: { ...config.build, outDir, emptyOutDir: false } });
}

/** Builds the code into the folder of its stamp. */
export const buildWeb = (name: BuildName, stamp: string): Promise<void> =>
  publishBuild(name, stamp, async (aside) => {
    // A process for each language, because the bundler doesn't return the memory of a build. The peak is below 600 MB.
    if (name === 'dashboard')
      for (const language of dashboardLanguages) await runSelf([languageFlag, language, aside]);
    else await bundle(({ pagesConfigs }) => pagesConfigs(), aside);
    // Compresses one file after another, because each compression uses a large buffer.
    for (const file of await readdir(aside)) await compress(path.join(aside, file));
    return aside;
  });

if (import.meta.main) {
  const [name, stamp, folder] = process.argv.slice(2);
  if (name === languageFlag && stamp !== undefined && folder !== undefined)
    await bundle(({ dashboardConfig }) => [dashboardConfig([stamp])], folder);
  else if (name === 'pages' || name === 'dashboard') await buildWeb(name, stamp ?? (await buildStamp(name)));
  else for (const each of ['pages', 'dashboard']) await runSelf([each]);
}
