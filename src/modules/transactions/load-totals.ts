import type { Context } from '../../context.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { readCustomerTotals } from './store.ts';

export type CurrencyAmountShape = { readonly currency: string; readonly amount: bigint };

/** What a customer has paid and owes, by currency; currencies in which nothing was are absent. */
export type CustomerTotalsShape = {
  readonly collected: readonly CurrencyAmountShape[];
  readonly refunded: readonly CurrencyAmountShape[];
  readonly open: readonly CurrencyAmountShape[];
};

/** What a customer has paid and owes. Batched. */
export function loadCustomerTotals(ctx: Context, customerId: string): Promise<CustomerTotalsShape> {
  const load = ctx.once('totals of customers', () =>
    batchedByColumns<CustomerTotalsShape>(async (ids) => {
      const rows = Map.groupBy(await readCustomerTotals(ctx.sql, ids), (row) => row.customerId);
      return (wanted) => {
        const own = rows.get(wanted) ?? [];
        const of = (field: 'collected' | 'refunded' | 'open'): CurrencyAmountShape[] =>
          own.flatMap(({ currency, [field]: amount }) => (amount === 0n ? [] : [{ currency, amount }]));
        return { collected: of('collected'), refunded: of('refunded'), open: of('open') };
      };
    }),
  );
  return load(customerId, 'all');
}
