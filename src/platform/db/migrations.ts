import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../root.ts';

// Access to the migration files. This module must not import generated code, because `npm run generate` uses this module before the code is
// generated.

/**
 * Migration file: its folder name, its SQL, and the checksum that Prisma stores. `replaced` contains the checksums of earlier versions of the file
 * that have the same result, from comments such as `-- Replaces <checksum>, …`.
 */
export type Migration = {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  readonly replaced: readonly string[];
};

const folder = path.join(root, 'prisma/migrations');

/** Reads all migration files in order. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(folder, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const replaced = [...sql.matchAll(/^-- Replaces ([0-9a-f]{64})\b/gm)].map(([, old = '']) => old);
      return { name, sql, checksum, replaced };
    }),
  );
}
