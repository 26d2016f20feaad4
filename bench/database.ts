import pg from 'pg';

// Throwaway databases on the server the benchmarks measure.

/** The server: DATABASE_URL, else TEST_DATABASE_URL, else the one on this machine. */
export const serverUrl =
  process.env['DATABASE_URL'] ??
  process.env['TEST_DATABASE_URL'] ??
  'postgres://postgres@127.0.0.1:5432/postgres';

const made = new Set<string>();
let count = 0;

/** Runs `work` with a connection of its own. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

/** Makes a database, empty or a copy of the one at `template` (nobody may be connected to that), and answers its address. */
export async function createDatabase(template?: string): Promise<string> {
  const name = `quittance_bench_${process.pid}_${++count}`;
  const source = template === undefined ? '' : ` TEMPLATE ${nameOf(template)}`;
  await onDatabase(serverUrl, (client) => client.query(`CREATE DATABASE ${name}${source}`));
  made.add(name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database made here, anyone who is connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  const name = nameOf(url);
  if (!made.delete(name)) return;
  await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Drops every database made here that still exists. */
export async function dropAll(): Promise<void> {
  for (const name of made)
    await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  made.clear();
}
