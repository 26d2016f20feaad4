import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { difference } from './difference.ts';

// Creates a migration with the differences between the existing migrations and the Prisma models.

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:migration -- <name_in_snake_case>');
  process.exit(2);
}
const sql = await difference();
if (sql === '') {
  console.log('The models and the committed migrations agree; nothing was written.');
} else {
  const stamp = Temporal.Now.instant().toString({ smallestUnit: 'second' }).replace(/\D/g, '');
  const folder = path.join(import.meta.dirname, 'migrations', `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'migration.sql'), `${sql}\n`);
  console.log(`Wrote ${path.relative(process.cwd(), path.join(folder, 'migration.sql'))}.`);
}
