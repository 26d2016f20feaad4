import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/infra/db.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Cluster, noClusterBecause, startCluster } from '../support/cluster.ts';
import { expectOnce, type Told, UsageClients } from '../support/usage-load.ts';

// The database itself goes down under load and comes back: clients meet answers that ask for another attempt, nothing acknowledged is lost and
// nothing is counted twice (CON-7, CON-8, protocols A1, A4), and the processes of the product, which stay, serve again by themselves.

const key = 'ck_sandbox_database_crash_0123456789ab';

/** How long service may be away, on a machine that has other things to do too. */
const patience = { timeout: 10_000, interval: 50 };

const reason = noClusterBecause();
if (reason !== null) console.warn(`The crash of a database is not tested: ${reason}.`);

describe.skipIf(reason !== null)('a database that crashes under load', { timeout: 120_000 }, () => {
  let cluster: Cluster;
  let database: Database;
  let children: [Child, Child];
  let stopListening: () => Promise<void>;
  const heard: string[] = [];
  const clients = new UsageClients(key, () => children);

  beforeAll(async () => {
    cluster = await startCluster();
    const env = {
      DATABASE_URL: cluster.url,
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: '0',
      APP_SECRET: 'a secret of the crash test, long',
    };
    const first = await startChild(env);
    children = [first, await startChild({ ...env, ROLE: 'api' })];
    database = await openDatabase({ databaseUrl: cluster.url, databasePoolSize: 2, dataDir: 'memory:' });
    stopListening = await database.listen('crash_test', (payload) => void heard.push(payload));
  }, 120_000);
  afterAll(async () => {
    await stopListening?.();
    await database?.close();
    await Promise.all((children ?? []).map((child) => child.stop()));
    await cluster?.remove();
  });

  /** What the second process, which does none of the work in the background, answers to a query. */
  async function ask<T>(query: string): Promise<T> {
    const response = await fetch(`${children[1].url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return ((await response.json()) as { data: T }).data;
  }

  test('is met by refusals that ask for another attempt, and everything is there once afterwards', async () => {
    const customers = await clients.subscribers(await clients.plan(), 4);
    let isOver = false;
    const loaded = clients.load(customers, 16, () => isOver);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await cluster.crashAndRestart();
    // Within seconds both processes record again, though nobody touched them.
    const besides: Told[] = [];
    for (const index of [0, 1]) {
      const request = clients.request(customers[index] ?? '');
      const answer = await vi.waitFor(async () => {
        const sent = await clients.send(index, 'POST', '/usage/events', request.body, request.key);
        expect(sent.status).toBe(200);
        return sent;
      }, patience);
      besides.push({ request, answer });
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    isOver = true;
    const { told, refusals } = await loaded;

    expect([...new Set(refusals)]).toEqual(['503']);
    await expectOnce(database.query, customers, [...told, ...besides]);
    await clients.expectReplays([...told.slice(-40), ...besides]);
    expect(await ask('{ ledgerVerify { ok mismatches { account } } }')).toEqual({ ledgerVerify: { ok: true, mismatches: [] } });
    // What is done in the background goes on too, and so do notifications.
    const { body } = await clients.send(1, 'POST', '/test-clock', { advanceDays: 40 });
    await vi.waitFor(async () => {
      expect(await ask(`{ testClockRun(id: "${String(body['id'])}") { status } }`)).toEqual({ testClockRun: { status: 'completed' } });
    }, patience);
    await vi.waitFor(async () => {
      await database.query("SELECT pg_notify('crash_test', 'again')");
      expect(heard).toContain('again');
    }, patience);
  });
});
