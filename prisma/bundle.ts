import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { exists } from '../src/platform/db/prepared.ts';
import { root } from '../src/platform/root.ts';
import { hashOfFiles } from '../src/web/build-stamp.ts';

// The service bundled: its sources and most libraries as a few files, which a process loads in half the time (docs/adr/0010-bundled-service.md).

/** The folder of bundles, each below in a folder named by the hash of what it is made from. */
const bundleFolder = path.join(root, '.cache/service');

/** What `npm start` runs: it loads the bundle of the sources as they were then. */
export const bundleEntry = path.join(bundleFolder, 'main.mjs');

/** Packages that are not bundled: those that sources `require`, those that read files beside their own, and large ones most processes never load. */
export const outsidePackages: readonly string[] = [
  '@better-auth/passkey',
  '@electric-sql/pglite',
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

/** Removes bundles but the present one and the one before, which a process may still be running. */
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
  const vite = await import('vite');
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
 * Bundles the service unless that was done for the sources as they are, and answers the folder of the bundle. Written aside and renamed, so that two at
 * once do not trip.
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
