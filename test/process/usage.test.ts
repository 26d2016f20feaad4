import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/db/open.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { type Child, startChild } from '../support/child.ts';
import { childStorage } from '../support/storage.ts';
import { serverUrl } from '../support/template.ts';
import { expectOnce, pause, UsageClients, type UsageRequest } from '../support/usage-load.ts';

// Usage recorded by two processes that fail while recording. Acknowledged events are stored exactly once and other events at most once. A
// retry returns the original result (CON-7, CON-8).

const key = 'ck_sandbox_usage_faults_0123456789abc';

describe.skipIf(serverUrl() === undefined)('two processes on one database', { timeout: 120_000 }, () => {
  let env: Record<string, string>;
  let remove: () => Promise<void>;
  let database: Database;
  let children: [Child, Child];
  let planId: string;
  const clients = new UsageClients(key, () => children);
  const subscribers = (count: number) => clients.subscribers(planId, count);

  beforeAll(async () => {
    ({ env, remove } = await childStorage({
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: '0',
      APP_SECRET: 'a secret of the usage test, long',
    }));
    database = await openDatabase({
      databaseUrl: env['DATABASE_URL'],
      databasePoolSize: 2,
      dataDir: 'memory:',
    });
    const first = await startChild(env);
    children = [first, await startChild({ ...env, ROLE: 'api' })];
    planId = await clients.plan();
  }, 60_000);
  afterEach(async () => {
    // Restarts the processes that the test killed.
    for (const index of [0, 1] as const) {
      if (!(await answers(children[index])))
        children[index] = await startChild(index === 0 ? env : { ...env, ROLE: 'api' });
    }
  }, 60_000);
  afterAll(async () => {
    await database.close();
    await Promise.all(children.map((child) => child.stop()));
    await remove();
  });

  const answers = async (child: Child): Promise<boolean> => {
    try {
      return (await fetch(`${child.url}/healthz`)).ok;
    } catch {
      return false;
    }
  };

  test('lose no acknowledged event and count no event twice if one process is killed while it writes usage', async () => {
    const customers = await subscribers(4);
    const { emitted, rejections, end } = clients.begin(customers, 16);
    await pause(700);
    await children[0].kill();
    await pause(300);
    await end();
    expect(rejections).toContain('lost');
    expect(
      [...new Set(rejections)].filter((rejection) => !['lost', '503', '409'].includes(rejection)),
    ).toEqual([]);
    await expectOnce(database.query, customers, emitted);
    children[0] = await startChild(env);
    await clients.expectReplays(emitted.slice(-40));
  });

  test('recover if the database closes the connections under load, and count every event once', async () => {
    const customers = await subscribers(4);
    const { emitted, rejections, end } = clients.begin(customers, 16);
    // On busy cores, few requests use a connection at a time, so that a single cut can miss all of them.
    for (let cut = 0; cut < 3 || (rejections.length === 0 && cut < 50); cut++) {
      await pause(300);
      await database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
    await pause(200);
    await end();
    expect([...new Set(rejections)]).toEqual(['503']);
    await expectOnce(database.query, customers, emitted);
    await clients.expectReplays(emitted.slice(-40));
  });

  test('count each event once if events are sent individually and in batches in different orders, without deadlocks', async () => {
    const customers = await subscribers(3);
    for (let round = 0; round < 3; round++) {
      const events = Array.from({ length: 30 }, (_none, index) =>
        clients.request(customers[index % 3] ?? ''),
      );
      const bodies = events.map(({ body }) => body);
      const orders = [
        bodies,
        bodies.toReversed(),
        [...bodies.slice(11), ...bodies.slice(0, 11)],
        bodies.toReversed(),
      ];
      const batches = orders.map((order, index) =>
        clients.send(index, 'POST', '/usage/events/batch', { events: order }),
      );
      const singles = events.map((event, index) =>
        clients.send(index, 'POST', '/usage/events', event.body, event.key),
      );
      for (const { status, body } of await Promise.all(batches))
        expect([status, body['recorded']]).toEqual([200, 30]);
      const emitted = (await Promise.all(singles)).map((answer, index) => ({
        request: events[index] as UsageRequest,
        answer,
      }));
      expect(emitted.map(({ answer }) => answer.status)).toEqual(events.map(() => 200));
    }
    const [counted] = await database.query<{ events: bigint }>(
      'SELECT count(*) AS events FROM "UsageEvent" WHERE "customerId" = ANY($1)',
      [customers],
    );
    expect(counted?.events).toBe(90n);
  });

  test('return current feature access immediately after a write on either process', async () => {
    const [customer = ''] = await subscribers(1);
    for (let used = 1; used <= 20; used++) {
      const { status } = await clients.send(used, 'POST', '/usage/events', clients.request(customer).body);
      expect(status).toBe(200);
      const { body } = await clients.send(used + 1, 'GET', `/feature-access/calls?customerId=${customer}`);
      expect(body['consumption']).toMatchObject({ unitsUsed: used });
    }
  });

  test('reject a deleted API key immediately on either process', async () => {
    const { body } = await clients.send(0, 'POST', '/api-keys', { name: 'Short-lived' });
    const ask = (child: Child) =>
      fetch(`${child.url}/api/v1/customers`, { headers: { 'x-api-key': String(body['apiKey']) } });
    expect((await Promise.all([...children, ...children].map(ask))).map(({ status }) => status)).toEqual([
      200, 200, 200, 200,
    ]);
    expect((await clients.send(1, 'DELETE', `/api-keys/${String(body['id'])}`)).status).toBe(200);
    expect((await Promise.all([...children, ...children].map(ask))).map(({ status }) => status)).toEqual([
      401, 401, 401, 401,
    ]);
  });
});
