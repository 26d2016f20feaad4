import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailLeases } from '../../../../src/modules/messages/emails/store.ts';
import { sendEmails } from '../../../../src/modules/messages/emails/worker/batch.ts';
import { fanOutEmails } from '../../../../src/modules/messages/emails/worker/fan-out.ts';
import type { Query } from '../../../../src/platform/db/pool.ts';
import { systemContext } from '../../../../src/request/context.ts';
import { inTransaction, recordEvents } from '../../../../src/request/transaction.ts';
import { createAdjustment, createCustomer, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// The number of statements doesn't depend on the email batch's size, and only the worker with the lease writes emails.

let t: TestApp;
beforeAll(async () => {
  // Email delivery is off, so only the test creates emails.
  t = await startApp({ writesEvents: true });
});
afterAll(() => t.close());

/** Returns a context for the shop that counts its statements. */
async function counted(shop: Shop) {
  const count = { statements: 0 };
  const counting =
    (query: Query): Query =>
    (text, params) => {
      count.statements++;
      return query(text, params);
    };
  const { database } = t.app;
  const transaction: typeof database.transaction = (work, limits) =>
    database.transaction((open) => work({ ...open, query: counting(open.query) }), limits);
  const app = {
    ...t.app,
    database: { ...database, query: counting(database.query), transaction },
    mail: { ...t.app.mail, delivers: true },
  };
  return { ctx: await systemContext(app, shop.environmentId), count };
}

/** Counts the statements that create emails from events and send the first batch. */
async function statementsFor(
  events: number,
): Promise<{ fanOut: number; batch: number; notifications: number }> {
  const shop = await otherShop(t);
  const { id } = await createCustomer(shop);
  const { id: invoiceId } = await createAdjustment(shop, { customerId: id });
  const { ctx, count } = await counted(shop);
  const kinds = ['payment.failed', 'trial.will_end', 'invoice.created', 'subscription.canceled'];
  await inTransaction(ctx, (tx) =>
    recordEvents(
      tx,
      Array.from({ length: events }, (_none, index) => ({
        kind: kinds[index % kinds.length] ?? '',
        occurredAt: tx.clock.now(),
        customerId: id,
        subscriptionId: null,
        data: { invoiceId },
      })),
    ),
  );
  const key = { environmentId: ctx.environment.id };
  await emailLeases.lease(
    t.app.database.query,
    key,
    'test',
    ctx.wall.now(),
    new Date('2999-01-01T00:00:00Z'),
  );
  expect(await fanOutEmails(ctx, 'someone else', false)).toBe(false);
  count.statements = 0;
  await fanOutEmails(ctx, 'test', false);
  const fanOut = count.statements;
  expect(await sendEmails(ctx, 'someone else')).toBe(0);
  count.statements = 0;
  expect(await sendEmails(ctx, 'test')).toBeGreaterThan(0);
  const [row] = await ctx.sql<{ notifications: bigint }>(
    'SELECT count(*) AS notifications FROM "EmailNotification" WHERE "environmentId" = $1',
  );
  return { fanOut, batch: count.statements, notifications: Number(row?.notifications) };
}

test('an email batch uses the same number of SQL statements for 5 and for 400 events', async () => {
  const few = await statementsFor(5);
  const many = await statementsFor(400);
  expect(few.fanOut).toBeGreaterThan(5);
  // The adjustment invoice sends one more email.
  expect([few.notifications, many.notifications]).toEqual([6, 401]);
  expect({ fanOut: many.fanOut, batch: many.batch }).toEqual({ fanOut: few.fanOut, batch: few.batch });
});
