import type { Context } from '../../../context.ts';
import { execute } from '../../../engine/execute.ts';
import { readCursor } from '../store.ts';
import { findUnopened } from './store.ts';

/** Customers whose subscriptions are recorded by one transaction. */
const batchSize = 200;

/**
 * Before the first fold of an environment, records what subscriptions amount to that were in force before entries were written: one entry each, with
 * the reason `opening`.
 */
export async function openRevenue(ctx: Context): Promise<void> {
  if ((await readCursor(ctx.sql)).day !== null) return;
  for (let after = ''; ; ) {
    const customers = await findUnopened(ctx.sql, after, batchSize);
    if (customers.length > 0)
      await execute(
        ctx,
        customers.map((customerId) => ({ customerId, input: { kind: 'recurring.open' } })),
      );
    const last = customers.at(-1);
    if (last === undefined || customers.length < batchSize) return;
    after = last;
  }
}
