import { execute } from '../../../../engine/execute.ts';
import type { Context } from '../../../../request/context.ts';
import { readCursor } from '../store.ts';
import { findUnopened } from './store.ts';

/** Maximum number of customers per transaction that writes opening entries. */
const batchSize = 200;

/**
 * Writes an `opening` entry for each subscription that was active before revenue entries were introduced. Runs once per environment, before
 * its entries are first aggregated.
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
