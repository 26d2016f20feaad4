import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrate } from '../src/platform/db/migrate.ts';
import { wrapPglite } from '../src/platform/db/pglite.ts';

// Writes a new migration: the difference between a database with all committed migrations and the models.
// The schema engine comes as WebAssembly from npm, because the native one is downloaded at install time.

const here = import.meta.dirname;

async function readModels(): Promise<{ path: string; content: string }[]> {
  const names = [
    'schema.prisma',
    ...(await readdir(path.join(here, 'models'))).map((name) => `models/${name}`),
  ];
  return Promise.all(
    names.map(async (name) => ({
      path: path.join(here, name),
      content: await readFile(path.join(here, name), 'utf8'),
    })),
  );
}

/** The statements that turn the migrated database into what the models describe; empty when they agree. */
async function difference(): Promise<string> {
  const files = await readModels();
  const client = await PGlite.create({ dataDir: 'memory://' });
  await mkdir(path.join(here, 'migrations'), { recursive: true });
  await migrate(wrapPglite(client));
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPGlite(client));
  const engine = await SchemaEngine.new(
    { datamodels: files.map((file) => [file.path, file.content]) },
    () => undefined,
    adapter,
  );
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files, configDir: here },
    to: { tag: 'schemaDatamodel', files },
    script: true,
    exitCode: null,
    filters: { externalTables: ['public._prisma_migrations'], externalEnums: [] },
  });
  await client.close();
  return stdout ?? '';
}

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:migration -- <name_in_snake_case>');
  process.exit(2);
}
const sql = await difference();
if (sql.trim() === '' || sql.includes('This is an empty migration')) {
  console.log('The models and the committed migrations agree; nothing was written.');
} else {
  const stamp = Temporal.Now.instant().toString({ smallestUnit: 'second' }).replace(/\D/g, '');
  const folder = path.join(here, 'migrations', `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'migration.sql'), sql);
  console.log(`Wrote ${path.relative(process.cwd(), path.join(folder, 'migration.sql'))}.`);
}
