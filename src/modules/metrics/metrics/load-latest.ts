import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { readCustomerMrr } from './store.ts';
import type { CurrencyMrr } from './types/current.ts';

/** Loads the current monthly recurring revenue of a customer, by currency. Lookups are batched. */
export const loadCustomerMrr = (ctx: Context, customerId: string): Promise<CurrencyMrr[]> =>
  ctx.once('mrr of customers', () =>
    batchedByColumns<CurrencyMrr[]>(async (ids) => {
      const found = Map.groupBy(await readCustomerMrr(ctx.sql, ids), (row) => row.customerId);
      return (id) => found.get(id) ?? [];
    }),
  )(customerId, 'all');
