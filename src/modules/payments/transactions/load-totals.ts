import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { readCustomerTotals } from './store.ts';

export type CurrencyAmountShape = { readonly currency: string; readonly amount: bigint };

/** Payment totals of a customer by currency. Currencies with a total of 0 are omitted. */
export type CustomerTotalsShape = {
  readonly collected: readonly CurrencyAmountShape[];
  readonly refunded: readonly CurrencyAmountShape[];
  readonly open: readonly CurrencyAmountShape[];
};

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
