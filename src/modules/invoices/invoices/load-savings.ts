import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { type OfferSavings, readSavings } from './store.ts';

/**
 * Returns an offer's discounts on paid invoices, by currency. `null` if the offer discounted more than `upTo` invoices.
 * Lookups are batched.
 */
export function loadSavings(
  ctx: Context,
  offerId: string,
  upTo: number,
): Promise<readonly OfferSavings[] | null> {
  const load = ctx.once(`savings of offers:${upTo}`, () =>
    batchedByColumns<readonly OfferSavings[] | null>(async (offerIds) => {
      const found = Map.groupBy(await readSavings(ctx.sql, offerIds, upTo + 1), (row) => row.offerId);
      return (wanted) => {
        const rows = found.get(wanted) ?? [];
        const read = rows.reduce((sum, { readCount }) => sum + readCount, 0);
        return read > upTo ? null : rows.filter(({ invoiceCount }) => invoiceCount > 0);
      };
    }),
  );
  return load(offerId, 'all');
}
