import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { isTemporary } from '../../src/platform/db/temporary.ts';
import { openReadiness } from '../../src/platform/readiness.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

/**
 * Proxies connections to the server. `stall` makes existing connections stop transferring data without closing them. New connections still
 * work.
 */
async function openWire(url: string): Promise<{ url: string; stall: () => void; close: () => void }> {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(url);
  const wire = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  const through = new URL(url);
  through.host = `127.0.0.1:${(wire.address() as AddressInfo).port}`;
  return {
    url: through.href,
    stall: () => {
      for (const socket of sockets) socket.pause().unpipe();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      wire.close();
    },
  };
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

describe.skipIf(serverUrl() === undefined)('a database with timeouts', () => {
  let server: Database;
  let drop: () => Promise<void>;
  let url: string;
  beforeAll(async () => {
    const fresh = await freshDatabase();
    [server, drop, url] = [fresh.database, fresh.drop, fresh.url ?? ''];
  });
  afterAll(async () => {
    await server.close();
    await drop();
  });

  /** Runs `work` with a database that has separate timeouts. */
  async function withTimeouts(
    timeouts: { statementMs?: number; idleTransactionMs?: number; silenceMs?: number },
    work: (database: Database) => Promise<void>,
    through = url,
  ): Promise<void> {
    const databaseTimeouts = {
      statementMs: 30_000,
      idleTransactionMs: 30_000,
      silenceMs: 60_000,
      ...timeouts,
    };
    const database = await openDatabase({
      databaseUrl: through,
      databasePoolSize: 1,
      dataDir: '',
      databaseTimeouts,
    });
    await work(database).finally(database.close);
  }

  test('cancels a statement that takes too long, and reports a temporary error', async () => {
    await withTimeouts({ statementMs: 200 }, async (database) => {
      const failure = await failureOf(database.query('SELECT pg_sleep(20)'));
      expect(failure).toMatchObject({ code: '57014' });
      expect(isTemporary(failure)).toBe(true);
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  test('allows longer statements only in scripts, and in transactions with a longer timeout', async () => {
    await withTimeouts({ statementMs: 200, silenceMs: 300 }, async (database) => {
      const long = await database.transaction(({ query }) => query('SELECT pg_sleep(0.8), 1 AS one'), {
        timeoutMs: 60_000,
      });
      expect(long).toMatchObject([{ one: 1 }]);
      expect(await database.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '200ms' }]);
      await database.script('SELECT pg_sleep(0.8)');
      expect(await database.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '200ms' }]);
      expect(await failureOf(database.query('SELECT pg_sleep(20)'))).toMatchObject({ code: '57014' });
    });
  });

  test('ends idle transactions and releases their locks', async () => {
    await server.script(
      'CREATE TABLE "Held" (id int PRIMARY KEY, value int); INSERT INTO "Held" VALUES (1, 0)',
    );
    await withTimeouts({ idleTransactionMs: 300 }, async (database) => {
      const [locked, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const standing = failureOf(
        database.transaction(async ({ query }) => {
          await query('UPDATE "Held" SET value = 1');
          locked.resolve();
          await freed.promise;
          await query('UPDATE "Held" SET value = 3');
        }),
      );
      await locked.promise;
      await server.query('UPDATE "Held" SET value = 2');
      freed.resolve();
      expect(isTemporary(await standing)).toBe(true);
      expect(await server.query('SELECT value FROM "Held"')).toEqual([{ value: 2 }]);
      expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  test("is reported as not ready while it's unresponsive, and then gets a new connection", {
    timeout: 60_000,
  }, async () => {
    const wire = await openWire(url);
    await withTimeouts(
      { silenceMs: 8_000 },
      async (database) => {
        const isReady = openReadiness(database);
        expect(await isReady()).toBe(true);
        wire.stall();
        const began = performance.now();
        const unanswered = failureOf(database.query('SELECT 1 AS one'));
        expect(await Promise.all([isReady(), isReady()])).toEqual([false, false]);
        expect(performance.now() - began).toBeLessThan(7_500);
        const failure = await unanswered;
        expect(performance.now() - began).toBeLessThan(30_000);
        expect(failure).toMatchObject({ message: 'The database did not answer in time.' });
        expect(isTemporary(failure)).toBe(true);
        expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
        expect(await isReady()).toBe(true);
      },
      wire.url,
    );
    wire.close();
  });

  test('keeps connections without pending statements open', async () => {
    await withTimeouts({ silenceMs: 200 }, async (database) => {
      const [first] = await database.query('SELECT pg_backend_pid() AS pid');
      const [waited] = await server.query('SELECT pg_sleep(0.6)::text AS slept');
      expect(waited).toEqual({ slept: '' });
      expect(await database.query('SELECT pg_backend_pid() AS pid')).toEqual([first]);
    });
  });
});
