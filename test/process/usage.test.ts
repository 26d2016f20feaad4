import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/infra/db.ts';
import { type Child, startChild } from '../support/child.ts';
import { childStorage } from '../support/storage.ts';
import { serverUrl } from '../support/template.ts';

// Usage on two instances of one server that fail in the midst of it: what was acknowledged is there once, and what was not is there once or
// not at all, and its repetition tells the same (CON-7, CON-8, protocols A4).

const key = 'ck_sandbox_usage_faults_0123456789abc';

type Answer = { readonly status: number; readonly body: Record<string, unknown> };
type Event = {
  readonly key: string;
  readonly body: { readonly customerId: string; readonly featureCode: string; readonly eventId: string };
};

describe.skipIf(serverUrl() === undefined)('two instances', { timeout: 120_000 }, () => {
  let env: Record<string, string>;
  let remove: () => Promise<void>;
  let database: Database;
  let children: [Child, Child];
  let planId: string;

  beforeAll(async () => {
    ({ env, remove } = await childStorage({
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: '0',
      APP_SECRET: 'a secret of the usage test, long',
    }));
    database = await openDatabase({ databaseUrl: env['DATABASE_URL'], databasePoolSize: 2, dataDir: 'memory:' });
    const first = await startChild(env);
    children = [first, await startChild({ ...env, ROLE: 'api' })];
    const feature = await made('/features', { name: 'Calls', code: 'calls', type: 'usage' });
    planId = await made('/plans', { name: 'Free', code: 'free', isFree: true });
    await made(`/plans/${planId}/features`, { featureId: feature, enabled: true, unlimited: true });
  }, 60_000);
  afterEach(async () => {
    // Whatever a test did to them, the next one finds both.
    for (const index of [0, 1] as const) {
      if (!(await answers(children[index]))) children[index] = await startChild(index === 0 ? env : { ...env, ROLE: 'api' });
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

  async function send(child: Child, method: string, path: string, body?: object, idempotencyKey: string = randomUUID()): Promise<Answer> {
    const response = await fetch(`${child.url}/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async function made(path: string, body: object): Promise<string> {
    const answer = await send(children[0], 'POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return String(answer.body['id']);
  }

  /** New customers on the free plan. */
  async function subscribers(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) {
      const id = await made('/customers', { email: `${randomUUID()}@example.com` });
      await made('/subscriptions', { customerId: id, planId });
      ids.push(id);
    }
    return ids;
  }

  const eventOf = (customerId: string): Event => ({ key: randomUUID(), body: { customerId, featureCode: 'calls', eventId: randomUUID() } });

  /** Sends an event, and again with its key after a refusal that asks for it or a lost connection, to either instance; adds what refused it. */
  async function sendUntilDone({ key: idempotencyKey, body }: Event, refusals: string[]): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await send(children[attempt % 2] as Child, 'POST', '/usage/events', body, idempotencyKey);
        if (answer.status === 200) return answer;
        refusals.push(`${answer.status}`);
      } catch {
        refusals.push('lost');
      }
      if (attempt > 200) throw new Error(`An event was never recorded: ${refusals.slice(-5).join()}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  type Told = { readonly event: Event; readonly answer: Answer };

  /** Lets clients send one event after another, half of them to each instance first, until `isOver`. */
  async function load(customers: readonly string[], clients: number, isOver: () => boolean): Promise<{ told: Told[]; refusals: string[] }> {
    const told: Told[] = [];
    const refusals: string[] = [];
    const client = async (index: number): Promise<void> => {
      while (!isOver()) {
        const event = eventOf(customers[index % customers.length] ?? '');
        told.push({ event, answer: await sendUntilDone(event, refusals) });
      }
    };
    await Promise.all(Array.from({ length: clients }, (_none, index) => client(index)));
    return { told, refusals };
  }

  /** Every event there once, every total the number of its events, every position of the outbox taken once. */
  async function expectOnce(customers: readonly string[], told: readonly Told[]): Promise<void> {
    const stored = await database.query<{ eventId: string; id: string }>(
      'SELECT "eventId", id FROM "UsageEvent" WHERE "customerId" = ANY($1)',
      [customers],
    );
    const ids = new Map(stored.map((row) => [row.eventId, row.id]));
    expect(ids.size).toBe(stored.length);
    for (const { event, answer } of told) expect(ids.get(event.body.eventId)).toBe(answer.body['id']);
    expect(stored.length).toBe(new Set(told.map(({ event }) => event.body.eventId)).size);
    const [totals] = await database.query<{ total: bigint }>(
      'SELECT coalesce(sum(total), 0)::bigint AS total FROM "UsageCounter" WHERE "customerId" = ANY($1)',
      [customers],
    );
    expect(totals?.total).toBe(BigInt(stored.length));
    const [outbox] = await database.query<{ events: bigint; recorded: bigint }>(
      `SELECT count(*) AS events, count(DISTINCT data->>'usageEventId') AS recorded FROM "Event" WHERE kind = 'usage.recorded' AND "customerId" = ANY($1)`,
      [customers],
    );
    expect(outbox).toEqual({ events: BigInt(stored.length), recorded: BigInt(stored.length) });
  }

  /** The same requests once more are answered as they were, by the other instance too. */
  async function expectReplays(told: readonly Told[]): Promise<void> {
    for (const [index, { event, answer }] of told.entries()) {
      const again = await send(children[index % 2] as Child, 'POST', '/usage/events', event.body, event.key);
      expect(again).toEqual(answer);
    }
  }

  test('of which one is killed in the middle of flushes lose nothing that was acknowledged, and count nothing twice', async () => {
    const customers = await subscribers(4);
    let isOver = false;
    const loaded = load(customers, 16, () => isOver);
    await new Promise((resolve) => setTimeout(resolve, 700));
    await children[0].kill();
    await new Promise((resolve) => setTimeout(resolve, 300));
    isOver = true;
    const { told, refusals } = await loaded;
    expect(refusals).toContain('lost');
    expect([...new Set(refusals)].filter((refusal) => !['lost', '503', '409'].includes(refusal))).toEqual([]);
    await expectOnce(customers, told);
    children[0] = await startChild(env);
    await expectReplays(told.slice(-40));
  });

  test('go on when the database cuts their connections under load, and count everything once', async () => {
    const customers = await subscribers(4);
    let isOver = false;
    const loaded = load(customers, 16, () => isOver);
    for (let cut = 0; cut < 3; cut++) {
      await new Promise((resolve) => setTimeout(resolve, 300));
      await database.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    isOver = true;
    const { told, refusals } = await loaded;
    expect([...new Set(refusals)]).toEqual(['503']);
    await expectOnce(customers, told);
    await expectReplays(told.slice(-40));
  });

  test('count the same events once, sent one by one and in batches in different orders, and no client meets a deadlock', async () => {
    const customers = await subscribers(3);
    for (let round = 0; round < 3; round++) {
      const events = Array.from({ length: 30 }, (_none, index) => eventOf(customers[index % 3] ?? ''));
      const bodies = events.map(({ body }) => body);
      const orders = [bodies, bodies.toReversed(), [...bodies.slice(11), ...bodies.slice(0, 11)], bodies.toReversed()];
      const batches = orders.map((order, index) => send(children[index % 2] as Child, 'POST', '/usage/events/batch', { events: order }));
      const singles = events.map((event, index) => send(children[index % 2] as Child, 'POST', '/usage/events', event.body, event.key));
      for (const { status, body } of await Promise.all(batches)) expect([status, body['recorded']]).toEqual([200, 30]);
      const told = (await Promise.all(singles)).map((answer, index) => ({ event: events[index] as Event, answer }));
      expect(told.map(({ answer }) => answer.status)).toEqual(events.map(() => 200));
    }
    const [counted] = await database.query<{ events: bigint }>('SELECT count(*) AS events FROM "UsageEvent" WHERE "customerId" = ANY($1)', [
      customers,
    ]);
    expect(counted?.events).toBe(90n);
  });

  test('answer what a customer may use as it is right after a write, whichever of them is asked', async () => {
    const [customer = ''] = await subscribers(1);
    for (let used = 1; used <= 20; used++) {
      const { status } = await send(children[used % 2] as Child, 'POST', '/usage/events', eventOf(customer).body);
      expect(status).toBe(200);
      const { body } = await send(children[(used + 1) % 2] as Child, 'GET', `/feature-access/calls?customerId=${customer}`);
      expect(body['consumption']).toMatchObject({ unitsUsed: used });
    }
  });

  test('refuse a key from the moment it is deleted, whichever of them is asked', async () => {
    const { body } = await send(children[0], 'POST', '/api-keys', { name: 'Short-lived' });
    const ask = (child: Child) => fetch(`${child.url}/api/v1/customers`, { headers: { 'x-api-key': String(body['apiKey']) } });
    expect((await Promise.all([...children, ...children].map(ask))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send(children[1], 'DELETE', `/api-keys/${String(body['id'])}`)).status).toBe(200);
    expect((await Promise.all([...children, ...children].map(ask))).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });
});
