import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { SchemaEngine } from '@prisma/schema-engine-wasm';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { migrate } from '../src/platform/db/migrate.ts';
import { createPglite, wrapPglite } from '../src/platform/db/pglite.ts';

// Compares a fully migrated database with the Prisma models. Uses the WebAssembly schema engine from npm, because the native engine would
// have to be downloaded during installation.

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

/** Returns the SQL statements that are missing from the migrations. Empty if the migrations match the models. */
export async function difference(): Promise<string> {
  const files = await readModels();
  const client = await createPglite({ dataDir: 'memory://' });
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
  const sql = stdout?.trim() ?? '';
  return sql.includes('This is an empty migration') ? '' : sql;
}
