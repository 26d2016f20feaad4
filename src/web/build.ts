import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { InlineConfig } from 'vite';
import { type BuildName, buildStamp, buildsFolder } from './build-stamp.ts';
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

const exists = (name: string): Promise<boolean> =>
  stat(name).then(
    () => true,
    () => false,
  );

/** Age after which the folder of an unfinished build is treated as abandoned. */
const abandonedMs = 600_000;

/** Removes outdated builds and abandoned unfinished builds. */
async function removeOthers(builds: string, stamp: string): Promise<void> {
  const others = (await readdir(builds)).filter((name) => name !== stamp);
  for (const name of others) {
    const folder = path.join(builds, name);
    const changed = await stat(folder).catch(() => null);
    const isUnfinished = name.includes('-');
    // Uses real time, because file timestamps don't follow the test clock.
    if (isUnfinished && changed !== null && performance.timeOrigin - changed.mtimeMs < abandonedMs) continue;
    await rm(folder, { recursive: true, force: true });
  }
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

/** Builds the code into the folder of its stamp. Writes to a temporary folder first, so that concurrent builds don't conflict. */
export async function buildWeb(name: BuildName, stamp: string): Promise<void> {
  const target = path.join(buildsFolder(name), stamp);
  if (await exists(target)) return;
  const aside = path.join(buildsFolder(name), `${stamp}-${process.pid}`);
  await mkdir(aside, { recursive: true });
  try {
    // A process for each language, because the bundler doesn't return the memory of a build. The peak is below 600 MB.
    if (name === 'dashboard')
      for (const language of dashboardLanguages) await runSelf([languageFlag, language, aside]);
    else await bundle(({ pagesConfigs }) => pagesConfigs(), aside);
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
  // Compresses one file after another, because each compression uses a large buffer.
  for (const file of await readdir(aside)) await compress(path.join(aside, file));
  await rename(aside, target).catch(async (error) => {
    if (!(await exists(target))) throw error;
    await rm(aside, { recursive: true, force: true });
  });
  await removeOthers(buildsFolder(name), stamp);
}

if (import.meta.main) {
  const [name, stamp, folder] = process.argv.slice(2);
  if (name === languageFlag && stamp !== undefined && folder !== undefined)
    await bundle(({ dashboardConfig }) => [dashboardConfig([stamp])], folder);
  else if (name === 'pages' || name === 'dashboard') await buildWeb(name, stamp ?? (await buildStamp(name)));
  else for (const each of ['pages', 'dashboard']) await runSelf([each]);
}
