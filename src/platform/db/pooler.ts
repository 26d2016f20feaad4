// Checks of a connection pooler between the service and the server, such as PgBouncer in transaction mode. Consecutive transactions of a
// client can use different server connections, so the settings of a connection belong to the database role.
import pg from 'pg';
import { ConfigurationError } from '../config.ts';
import { type DatabaseTimeouts, sessionSettings } from '../database-timeouts.ts';

/** Named statement that shows if the pooler prepares the statements of a client on each server connection. */
const probe = { name: 'pooler_check', text: 'SELECT 1' };

/** SQLSTATE of a statement name that the server connection doesn't know. */
const unknownStatement = '26000';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns a setting in the form of `SHOW` as a comparable text. Times are in milliseconds, such as `30000` for `30s`. */
function comparable(value: string): string {
  const [, number, unit = ''] = /^(\d+)(ms|s|min|h|d)$/.exec(value) ?? [];
  return number === undefined ? value : String(Number(number) * (units[unit] ?? 1));
}

/** Returns the settings that have a different value on a connection through the pooler. */
async function differing(client: pg.Client, timeouts: DatabaseTimeouts): Promise<readonly string[]> {
  const wanted = Object.entries(sessionSettings(timeouts));
  // Settings of extensions that aren't loaded have no value. Local sockets have no TCP settings.
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT name, current_setting(name, true) AS value FROM unnest($1::text[]) AS name
     WHERE name NOT LIKE 'tcp%' OR inet_client_addr() IS NOT NULL`,
    [wanted.map(([name]) => name)],
  );
  const found = new Map(rows.map(({ name, value }) => [name, value]));
  return wanted.flatMap(([name, value]) => {
    const current = found.get(name) ?? null;
    return current === null || comparable(current) === value ? [] : [`${name} = '${value}'`];
  });
}

/** Number of transactions that hold server connections while the statement is repeated. */
const holders = 2;

/**
 * Throws a ConfigurationError if the pooler doesn't prepare a client's named statement on each server connection. Transactions of other
 * clients hold the server connections that the pooler would use again. With too few connections, the result stays unknown.
 */
async function assertPrepares(client: pg.Client, others: readonly pg.Client[]): Promise<void> {
  await client.query(probe);
  try {
    for (const other of others) {
      await other.query('BEGIN');
      await client.query(probe);
    }
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return;
    if (error.code !== unknownStatement) throw error;
    throw new ConfigurationError(
      "The pooler in DATABASE_URL doesn't keep prepared statements in transaction mode. Use PgBouncer 1.21 or later, and set max_prepared_statements to 1000.",
    );
  } finally {
    await Promise.all(others.map((other) => other.query('ROLLBACK').catch(() => undefined)));
  }
}

/**
 * Throws a ConfigurationError if connections through the pooler don't have the settings that the service needs, or if the pooler doesn't
 * keep prepared statements. The error contains the statements that change the settings of the role.
 */
export async function assertPooler(url: string, timeouts: DatabaseTimeouts): Promise<void> {
  const settings = { connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 3_000 };
  const client = new pg.Client(settings);
  const others = Array.from({ length: holders }, () => new pg.Client(settings));
  const all = [client, ...others];
  // A lost connection rejects the running statement.
  for (const each of all) each.on('error', () => undefined);
  try {
    await Promise.all(all.map((each) => each.connect()));
    const different = await differing(client, timeouts);
    if (different.length > 0) {
      const { rows } = await client.query<{ role: string }>('SELECT quote_ident(current_user) AS role');
      const role = rows[0]?.role ?? 'CURRENT_USER';
      throw new ConfigurationError(
        `A pooler doesn't forward the settings of a connection. Run these statements as ${role}, and let the pooler reconnect: ${different.map((setting) => `ALTER ROLE ${role} SET ${setting};`).join(' ')}`,
      );
    }
    await assertPrepares(client, others);
  } finally {
    await Promise.all(all.map((each) => each.end().catch(() => undefined)));
  }
}
