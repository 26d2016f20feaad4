import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emailLeases } from '../../src/modules/messages/emails/store.ts';
import { fanOutEmails } from '../../src/modules/messages/emails/worker/fan-out.ts';
import type { Database } from '../../src/platform/db/pool.ts';
import { systemContext } from '../../src/request/context.ts';
import { inTransaction, recordEvents } from '../../src/request/transaction.ts';
import { eventually } from '../support/eventually.ts';
import { createCustomer, firstShop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { waitingForLocks } from '../support/nodes.ts';
import { serverUrl } from '../support/template.ts';

// Emails to a customer are created while a concurrent transaction bills the customer.

let t: TestApp;
beforeAll(async () => {
  // No mail transport is configured, so only this test creates emails.
  t = await startApp({ writesEvents: true });
});
afterAll(() => t.close());

describe.runIf(serverUrl() !== undefined)(
  'email creation while another transaction bills the customer',
  () => {
    test("waits for the customer's lock first, so neither transaction is retried", async () => {
      const shop = firstShop(t);
      const { id } = await createCustomer(shop);
      const { database } = t.app;
      let attempts = 0;
      const transaction: Database['transaction'] = (work, limits) =>
        database.transaction((open) => {
          attempts++;
          return work(open);
        }, limits);
      const ctx = await systemContext(
        { ...t.app, database: { ...database, transaction } },
        shop.environmentId,
      );
      await inTransaction(ctx, (tx) =>
        recordEvents(tx, [
          {
            kind: 'payment.failed',
            occurredAt: tx.clock.now(),
            customerId: id,
            subscriptionId: null,
            data: {},
          },
        ]),
      );
      const key = { environmentId: ctx.environment.id };
      await emailLeases.lease(database.query, key, 'test', ctx.wall.now(), new Date('2999-01-01T00:00:00Z'));

      attempts = 0;
      const locked = Promise.withResolvers<void>();
      const isWaited = Promise.withResolvers<void>();
      const billing = inTransaction(ctx, async (tx) => {
        await tx.sql('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
        locked.resolve();
        await isWaited.promise;
        await tx.sql('UPDATE "EnvironmentCounter" SET seq = seq + 1 WHERE "environmentId" = $1');
      });
      await locked.promise;
      const emails = fanOutEmails(ctx, 'test', false);
      await eventually(
        () => waitingForLocks(t.app.database.query),
        (pids) => pids.length === 1,
      );
      isWaited.resolve();
      await Promise.all([billing, emails]);
      expect(attempts).toBe(2);
      const [row] = await ctx.sql<{ count: bigint }>(
        `SELECT count(*) AS count FROM "EmailNotification" WHERE "environmentId" = $1 AND "customerId" = $2`,
        [id],
      );
      expect(row?.count).toBe(1n);
    });
  },
);
