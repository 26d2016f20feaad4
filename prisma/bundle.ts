import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exists } from '../src/platform/db/prepared.ts';
import { root } from '../src/platform/root.ts';
import { hashOfFiles } from '../src/web/build-stamp.ts';
import { loadVite } from '../src/web/load-vite.ts';

// Bundles the service and most of its libraries into a few files, which halves the loading time (docs/adr/0010-bundled-service.md).

/** Folder of bundles. Each bundle has a subfolder named after the hash of its sources. */
const bundleFolder = path.join(root, '.cache/service');

/** Entry point of `npm start`. Loads the bundle of the current sources. */
export const bundleEntry = path.join(bundleFolder, 'main.mjs');

/**
 * Packages that can't be bundled: they are loaded with `require`, read files from their own folder, or are large and
 * rarely needed.
 */
export const outsidePackages: readonly string[] = [
  '@better-auth/passkey',
  '@electric-sql/pglite',
  '@messageformat/core',
  '@messageformat/parser',
  '@graphql-yoga/render-graphiql',
  'better-auth',
  'bidi-js',
  'fontkit',
  'ioredis',
  'linebreak',
  'nodemailer',
  'pdfkit',
  'subset-font',
];

/** Deletes all bundles except the current and the previous one. A running process may still use the previous bundle. */
async function removeOld(stamp: string): Promise<void> {
  const entries = await readdir(bundleFolder, { withFileTypes: true });
  const others = entries.filter((entry) => entry.isDirectory() && entry.name !== stamp);
  const dated = await Promise.all(
    others.map(async ({ name }) => ({ name, at: (await stat(path.join(bundleFolder, name))).mtimeMs })),
  );
  for (const { name } of dated.toSorted((a, b) => b.at - a.at).slice(1))
    await rm(path.join(bundleFolder, name), { recursive: true, force: true });
}

async function build(target: string): Promise<void> {
  console.error('Bundling the service …');
  const vite = await loadVite();
  await vite.build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: [...outsidePackages, 'pg-native'] },
    build: {
      target: 'esnext',
      ssr: true,
      minify: false,
      sourcemap: true,
      outDir: target,
      rolldownOptions: {
        input: { main: path.join(root, 'src/main.ts') },
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}

/**
 * Bundles the service unless the current sources are already bundled. Returns the folder of the bundle. The folder is renamed after it is complete,
 * so that concurrent runs don't conflict.
 */
export async function bundleService(): Promise<string> {
  const stamp = await hashOfFiles({ folders: ['src'], files: ['package-lock.json', 'prisma/bundle.ts'] });
  const target = path.join(bundleFolder, stamp);
  const entry = `await import('./${stamp}/main.mjs');\n`;
  const aside = `${target}-${process.pid}`;
  if (!(await exists(target))) {
    await mkdir(bundleFolder, { recursive: true });
    await build(aside);
    await rename(aside, target).catch(async (error) => {
      if (!(await exists(target))) throw error;
      await rm(aside, { recursive: true, force: true });
    });
    await removeOld(stamp);
  }
  if ((await readFile(bundleEntry, 'utf8').catch(() => '')) !== entry) {
    await writeFile(`${aside}.mjs`, entry);
    await rename(`${aside}.mjs`, bundleEntry);
  }
  return target;
}
