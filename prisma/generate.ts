import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, exists, preparedFile } from '../src/platform/db/prepared.ts';
import { buildStamp, isBuilt } from '../src/web/build-stamp.ts';

// Generates the Prisma client and the Pothos types when the models changed, builds the pages of customers when their code did, and prepares the embedded database when the migrations did. Nothing may rely on an install script, so `start`, `test` and
// `typecheck` call this first; it costs milliseconds when nothing changed. Written aside and renamed, so that two at once do not trip.

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
  // Generation needs no schema engine, yet the command line rejects to start without finding one; Node stands in for it.
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
  // Types of documents lie there too, and are made by another script.
  await rename(path.join(target, 'documents'), path.join(made, 'documents')).catch(() => undefined);
  await rename(target, path.join(aside, 'replaced')).catch(() => undefined);
  await rename(made, target).catch(async (error) => {
    // Another generation of the same models came first; its result is as good.
    if ((await readFile(path.join(target, 'stamp'), 'utf8').catch(() => '')) !== hash) throw error;
  });
  await rm(aside, { recursive: true, force: true });
}

if (!(await isBuilt('pages'))) {
  console.error('Building the pages of customers …');
  const { buildWeb } = await import('../src/web/build.ts');
  // The service starts without them too, tries again and says what is wrong.
  await buildWeb('pages', await buildStamp('pages')).catch(console.error);
}

// Nobody needs it on a server, except the tests, which make it themselves.
if ((process.env['DATABASE_URL'] ?? '') === '' && !(await exists(await preparedFile(cacheFolder)))) {
  console.error('Preparing the embedded database …');
  const { prepareDatabase } = await import('./prepared-database.ts');
  // The service starts without it too, and migrates a new database itself.
  await prepareDatabase().catch(console.error);
}

// What `npm start` runs; everything else runs the sources.
if (process.argv.includes('--service')) {
  const { bundleService } = await import('./bundle.ts');
  await bundleService();
}
