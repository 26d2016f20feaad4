import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandInput, type CustomerCommand, execute } from '../../src/engine/execute.ts';
import { type App, type Context, systemContext } from '../../src/request/context.ts';
import { inTransaction, nextSeq } from '../../src/request/transaction.ts';
import {
  addCustomers,
  addPlan,
  advance,
  closeApp,
  MovableClock,
  newEnvironment,
  openApp,
  portrait,
  recording,
  subscribe,
} from '../support/billing-world.ts';

// A plan change for many customers, immediate or scheduled, executes the same number of SQL statements as for one customer.

let app: App;
beforeAll(async () => {
  app = await openApp(new MovableClock('2027-01-31T09:30:00.000Z'));
});
afterAll(() => closeApp(app));

/** Creates customers who subscribe to the lower-ranked of two plans in a group. */
async function world(
  customers: number,
  on: App,
): Promise<{ ctx: Context; ids: string[]; subscriptions: string[] }> {
  const ctx = await newEnvironment(app);
  await addPlan(ctx, 'low', 'monthly', 1_900n);
  await addPlan(ctx, 'high', 'monthly', 4_900n);
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    await tx.db.planGroup.create({
      data: {
        id: 'plg_1',
        seq: await nextSeq(tx),
        name: 'Ladder',
        description: null,
        isPublic: true,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      },
    });
    await tx.sql(
      `UPDATE "Plan" SET "planGroupId" = 'plg_1', "sortOrder" = CASE WHEN id = 'pln_low' THEN 0 ELSE 1 END WHERE "environmentId" = $1`,
      [],
    );
  });
  const ids = await addCustomers(ctx, 'c', customers);
  const subscriptions: string[] = [];
  for (const id of ids) subscriptions.push(await subscribe(ctx, id, 'pln_low'));
  return { ctx: await systemContext(on, ctx.environment.id), ids, subscriptions };
}

const changeTo = (newPlanId: string, subscriptionId: string): CommandInput => ({
  kind: 'subscription.change_plan',
  subscriptionId,
  request: { newPlanId, newBillingInterval: null, offerId: null, isPortal: false },
  successUrl: null,
});

test('plan changes for 1 customer and for 40 customers execute the same number of SQL statements', async () => {
  const counts: number[][] = [];
  for (const size of [1, 5, 40]) {
    const { app: recorded, statements } = recording(app);
    const { ctx, ids, subscriptions } = await world(size, recorded);
    const changing = async (planId: string): Promise<number> => {
      statements.length = 0;
      const commands = ids.map(
        (customerId, index): CustomerCommand => ({
          customerId,
          input: changeTo(planId, subscriptions[index] ?? ''),
        }),
      );
      const changed = await execute(ctx, commands);
      expect(changed.every(({ outcome }) => outcome.kind === 'ok' && outcome.status === 'done')).toBe(true);
      return statements.length;
    };
    const [atOnce, waiting] = [await changing('pln_high'), await changing('pln_low')];
    statements.length = 0;
    const run = await advance(ctx, { frozenTime: new Date('2027-02-28T00:00:00Z') });
    expect(run).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
    counts.push([atOnce, waiting, statements.length]);
    const { invoices } = await portrait(ctx);
    expect(invoices.slice(-size)).toMatchObject(
      Array(size).fill({ type: 'recurring', status: 'paid', total: 1_900n }),
    );
  }
  expect(counts[1]).toEqual(counts[0]);
  expect(counts[2]).toEqual(counts[0]);
});
