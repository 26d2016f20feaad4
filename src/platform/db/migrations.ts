import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../root.ts';

// The committed migrations as files. `npm run generate` reads them before there is any generated code, so nothing here may import it.

/** One committed migration: its folder name, its SQL, and the checksum Prisma keeps of it. */
export type Migration = { readonly name: string; readonly sql: string; readonly checksum: string };

const folder = path.join(root, 'prisma/migrations');

/** Reads the committed migrations in the order they apply. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
