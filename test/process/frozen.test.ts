import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/platform/db/pool.ts';
import { type Caller, callerOf, payCheckout } from '../support/caller.ts';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { waitingForLocks } from '../support/nodes.ts';
import { freshDatabase, serverUrl } from '../support/template.ts';

// A worker freezes in the middle of a transaction, as in a paused container. It loses its lease and locks, and another worker continues.
// When the first worker resumes, no work is left (BIL-58).

const key = 'ck_sandbox_frozen_test_0123456789abcdef';
const leaseMs = 2_000;
const idleTransactionMs = 1_500;

/** Additional time in milliseconds that the other worker may take on a busy machine. */
const slackMs = 10_000;

const customers = 6;

describe.skipIf(serverUrl() === undefined)('a worker frozen in a transaction', { timeout: 180_000 }, () => {
  let database: Database;
  let drop: () => Promise<void>;
  let api: Child;
  const workers = new Map<string, Child>();
  let shop: Caller;

  beforeAll(async () => {
    const fresh = await freshDatabase();
    [database, drop] = [fresh.database, fresh.drop];
    const env = (name: string) => ({
      DATABASE_URL: `${fresh.url}?application_name=${name}`,
      BOOTSTRAP_API_KEY: key,
      RATE_LIMIT_PER_MINUTE: '0',
      LOG_LEVEL: 'fatal',
      WORKER_POLL_MS: '100',
      WORKER_LEASE_MS: String(leaseMs),
      DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: String(idleTransactionMs),
    });
    api = await startChild({ ...env('api'), ROLE: 'api' });
    for (const name of ['first', 'second'])
      workers.set(name, await startChild({ ...env(name), ROLE: 'worker' }));
    shop = callerOf(api, key);
  }, 180_000);
  afterAll(async () => {
    for (const worker of workers.values()) await worker.kill();
    await api?.kill();
    await database?.close();
    await drop?.();
  });

  type Run = {
    readonly status: string;
    readonly completedDeadlineCount: number;
    readonly failedDeadlineCount: number;
  };

  const readRun = async (id: string): Promise<Run> => {
    const query =
      'query ($id: ID!) { testClockRun(id: $id) { status completedDeadlineCount failedDeadlineCount } }';
    return (await shop.graphql<{ testClockRun: Run }>(query, { id })).testClockRun;
  };

  const advance = async (days: number): Promise<string> =>
    String((await shop.rest('POST', '/test-clock', { advanceDays: days }))['id']);

  /** Returns the name of a worker whose connection meets a condition. `undefined` if no connection meets it. */
  const workerIn = async (condition: string): Promise<string | undefined> => {
    const rows = await database.query<{ name: string }>(
      `SELECT application_name AS name FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('first', 'second') AND ${condition}`,
    );
    return rows[0]?.name;
  };

  /** Returns the invoices, the payments, and the ledger totals, without IDs. */
  const emitted = async (): Promise<unknown> => {
    const [counts] = await database.query(
      `SELECT (SELECT count(*)::int FROM "Invoice") AS invoices, (SELECT max(number)::int FROM "Invoice") AS "lastNumber",
         (SELECT count(*)::int FROM "Transaction" WHERE status = 'succeeded') AS succeeded, (SELECT count(*)::int FROM "Transaction") AS transactions`,
    );
    return { counts, ...(await shop.graphql('{ ledgerVerify { ok mismatches { account } } }')) };
  };

  const after = (renewals: number) => {
    const count = customers * (1 + renewals);
    return {
      counts: { invoices: count, lastNumber: count, succeeded: count, transactions: count },
      ledgerVerify: { ok: true, mismatches: [] },
    };
  };

  test('loses its locks and lease to another worker, and nothing runs twice when it resumes', async () => {
    // Given: subscribers with weekly renewals.
    const plan = await shop.rest('POST', '/plans', { name: 'Pro', code: 'pro' });
    await shop.rest('POST', `/plans/${String(plan['id'])}/prices`, {
      billingInterval: 'weekly',
      price: 1_900,
    });
    for (let index = 0; index < customers; index++) {
      const externalId = `customer-${index}`;
      await shop.rest('POST', '/customers', { email: `${externalId}@example.com`, externalId });
      const { checkoutUrl } = await shop.rest('POST', '/subscriptions', {
        customerId: externalId,
        planCode: 'pro',
      });
      await payCheckout(api, checkoutUrl, { number: '4242424242424242' });
    }
    expect(await emitted()).toEqual(after(0));

    // When: a worker freezes while it holds locks on customers.
    const [locked, frozenInTime] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = database.transaction(async ({ query }) => {
      const [row] = await query<{ environmentId: string }>(
        `SELECT "environmentId" FROM "Customer" WHERE "externalId" = 'customer-3'`,
      );
      await query(
        `SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND "externalId" = 'customer-3' FOR UPDATE`,
        [row?.environmentId],
      );
      locked.resolve();
      await frozenInTime.promise;
    });
    await locked.promise;
    const id = await advance(28);
    const waiting = await eventually(
      async () => workerIn(`pid = ANY('{${(await waitingForLocks(database.query)).join()}}')`),
      (name) => name !== undefined,
    );
    const frozen = workers.get(waiting ?? '');
    if (frozen === undefined) throw new Error('No worker waits.');
    frozen.signal('SIGSTOP');
    frozenInTime.resolve();
    await locking;
    const began = performance.now();

    // Then: the locks are released in time, and the other worker completes the run.
    const progress = await eventually(
      () => readRun(id),
      ({ completedDeadlineCount }) => completedDeadlineCount > 0,
    );
    const waitedMs = performance.now() - began;
    expect(progress.failedDeadlineCount).toBe(0);
    expect(waitedMs).toBeLessThan(leaseMs + idleTransactionMs + slackMs);
    const finished = await eventually(
      () => readRun(id),
      ({ status }) => status !== 'pending' && status !== 'running',
    );
    expect(finished).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
    expect(await emitted()).toEqual(after(4));

    // Then: when the worker resumes, it repeats nothing and continues to work.
    frozen.signal('SIGCONT');
    await eventually(() => fetch(`${frozen.url}/readyz`).then(({ status }) => status === 200));
    const next = await advance(7);
    await eventually(
      () => readRun(next),
      ({ status }) => status === 'completed',
    );
    expect(await emitted()).toEqual(after(5));
    expect(await readRun(id)).toEqual(finished);
  });
});
