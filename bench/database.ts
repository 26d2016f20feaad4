import pg from 'pg';

// Temporary databases on the server that a benchmark measures.

/** URL of the database server: `DATABASE_URL`, `TEST_DATABASE_URL`, or the local server. */
export const serverUrl =
  process.env['DATABASE_URL'] ??
  process.env['TEST_DATABASE_URL'] ??
  'postgres://postgres@127.0.0.1:5432/postgres';

const made = new Set<string>();
let count = 0;

/** Runs `work` with a separate database connection. */
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

/** Creates an empty database, or copies the database at the URL `template`, which must have no connections. Returns the new database's URL. */
export async function createDatabase(template?: string): Promise<string> {
  const name = `quittance_bench_${process.pid}_${++count}`;
  const source = template === undefined ? '' : ` TEMPLATE ${nameOf(template)}`;
  await onDatabase(serverUrl, (client) => client.query(`CREATE DATABASE ${name}${source}`));
  made.add(name);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Closes all connections to a temporary database and drops it. */
export async function dropDatabase(url: string): Promise<void> {
  const name = nameOf(url);
  if (!made.delete(name)) return;
  await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
}

/** Drops all temporary databases. */
export async function dropAll(): Promise<void> {
  for (const name of made)
    await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  made.clear();
}
