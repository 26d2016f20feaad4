import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, recordEvents } from '../../src/request/transaction.ts';
import { follow, openSocket } from '../modules/messages/events/live.ts';
import { eventually } from '../support/eventually.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { serverUrl } from '../support/template.ts';

// A process receives events from other processes through a LISTEN connection, which the server can end at any
// time.

describe.skipIf(serverUrl() === undefined)(
  'the database connection that listens for notifications (LISTEN)',
  () => {
    let t: TestApp;
    beforeAll(async () => {
      t = await startApp({ writesEvents: true, env: { ROLE: 'api', DATABASE_URL: serverUrl() ?? '' } });
    });
    afterAll(() => t.close());

    const listeners = () =>
      t.app.database.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND (query LIKE 'LISTEN %' OR query LIKE 'SELECT pg_notify%')`,
      );

    async function happen(numbers: readonly number[]): Promise<void> {
      const ctx = await t.context();
      const events = numbers.map((number) => ({
        kind: 'customer.updated',
        occurredAt: ctx.clock.now(),
        customerId: null,
        subscriptionId: null,
        data: { number },
      }));
      await inTransaction(ctx, (tx) => recordEvents(tx, events));
    }

    test('is replaced if the server ends it, and subscribers receive every event, including those during the interruption', async () => {
      const client = openSocket(t);
      const reader = follow<{ data: { number: number } }>(
        client,
        'subscription { eventStream(afterPosition: 0) { data } }',
      );
      const next = async (): Promise<number> => (await reader.next()).value.data.number;
      await happen([1]);
      expect(await next()).toBe(1);
      const [before, ...others] = await listeners();
      expect(others).toEqual([]);
      await t.app.database.query('SELECT pg_terminate_backend($1::integer)', [before?.pid]);
      await eventually(listeners, ([now]) => now?.pid !== before?.pid);
      await happen([2, 3]);
      expect([await next(), await next()]).toEqual([2, 3]);
      const [after] = await eventually(listeners, ([now]) => now !== undefined);
      expect(after?.pid).not.toBe(before?.pid);
      await happen([4]);
      expect(await next()).toBe(4);
      await reader.stop();
      await client.dispose();
    });
  },
);
