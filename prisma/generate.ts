import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, exists, preparedFile } from '../src/platform/db/prepared.ts';
import { buildStamp, isBuilt } from '../src/web/build-stamp.ts';

// Generates the Prisma client and the Pothos types, builds the hosted pages and prepares the embedded database. Skips steps whose inputs
// haven't changed, so a run without changes takes only milliseconds. `start`, `test`, and `typecheck` run this script, so that no install
// scripts are needed. Output folders are renamed after they are complete, so that concurrent runs don't conflict.

const here = import.meta.dirname;
const root = path.dirname(here);
const target = path.join(root, 'src/generated');

async function hashOfInputs(): Promise<string> {
  const models = (await readdir(path.join(here, 'models')))
    .sort()
    .map((name) => path.join(here, 'models', name));
  const hash = createHash('sha256');
  for (const file of [path.join(here, 'schema.prisma'), path.join(root, 'package-lock.json'), ...models])
    hash.update(await readFile(file));
  return hash.digest('hex');
}

const hash = await hashOfInputs();
const stamp = await readFile(path.join(target, 'stamp'), 'utf8').catch(() => '');
if (stamp !== hash) {
  console.error('Generating the Prisma client …');
  const aside = path.join(root, '.cache', `generate-${process.pid}`);
  await mkdir(path.join(aside, 'prisma'), { recursive: true });
  await cp(path.join(here, 'schema.prisma'), path.join(aside, 'prisma/schema.prisma'));
  await cp(path.join(here, 'models'), path.join(aside, 'prisma/models'), { recursive: true });
  const prisma = path.join(root, 'node_modules/prisma/build/index.js');
  // The Prisma CLI requires a schema engine, although generation doesn't use it. Any executable is sufficient.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ?? process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  await promisify(execFile)(process.execPath, [prisma, 'generate', '--schema', path.join(aside, 'prisma')], {
    cwd: root,
    env,
  });
  const made = path.join(aside, 'src/generated');
  await writeFile(path.join(made, 'stamp'), hash);
  // Keeps the generated types of GraphQL documents and messages, which another script writes to the same folder.
  for (const folder of ['documents', 'messages'])
    await rename(path.join(target, folder), path.join(made, folder)).catch(() => undefined);
  await rename(target, path.join(aside, 'replaced')).catch(() => undefined);
  await rename(made, target).catch(async (error) => {
    // A concurrent run has already generated the same code.
    if ((await readFile(path.join(target, 'stamp'), 'utf8').catch(() => '')) !== hash) throw error;
  });
  await rm(aside, { recursive: true, force: true });
}

if (!(await isBuilt('pages'))) {
  console.error('Building the pages of customers …');
  const { buildWeb } = await import('../src/web/build.ts');
  // A failed build isn't fatal, because the service builds missing pages when it starts and reports the errors.
  await buildWeb('pages', await buildStamp('pages')).catch(console.error);
}

// The embedded database isn't needed if the service uses a database server. Tests prepare the database themselves.
if ((process.env['DATABASE_URL'] ?? '') === '' && !(await exists(await preparedFile(cacheFolder)))) {
  console.error('Preparing the embedded database …');
  const { prepareDatabase } = await import('./prepared-database.ts');
  // A failure isn't fatal, because the service can create and migrate a new database when it starts.
  await prepareDatabase().catch(console.error);
}

// Only `npm start` uses the bundle.
if (process.argv.includes('--service')) {
  const { bundleService } = await import('./bundle.ts');
  await bundleService();
}
