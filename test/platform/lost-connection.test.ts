import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { eventually } from '../support/eventually.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// If the server disappears without closing its connections, waiting callers receive an error and the process continues.

describe.skipIf(serverUrl() === undefined)('a broken database connection', () => {
  const sockets = new Set<Socket>();
  const wire = createServer((near) => {
    const { hostname, port } = new URL(serverUrl() ?? '');
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  let server: Database;
  let drop: () => Promise<void>;
  let database: Database;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    [server, drop] = [fresh.database, fresh.drop];
    await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
    const through = new URL(fresh.url ?? '');
    through.host = `127.0.0.1:${(wire.address() as AddressInfo).port}`;
    database = await openDatabase({ databaseUrl: through.href, databasePoolSize: 2, dataDir: '' });
  });
  afterAll(async () => {
    await database.close();
    await server.close();
    wire.close();
    await drop();
  });

  const asleep = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND query = 'SELECT pg_sleep(30)'`;

  test.each<[string, (text: string) => Promise<unknown>]>([
    ['a statement', (text) => database.query(text)],
    ['a plain statement', (text) => database.plain(text)],
    ['a script', (text) => database.script(text)],
    ['a transaction', (text) => database.transaction(({ query }) => query(text))],
  ])('during %s rejects the caller, and the next caller gets a new connection', async (_what, run) => {
    const cut = expect(run('SELECT pg_sleep(30)')).rejects.toThrow();
    await eventually(
      () => server.query<{ count: number }>(asleep),
      ([row]) => row?.count === 1,
    );
    for (const socket of sockets) socket.destroy();
    await cut;
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(30)'`,
    );
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
