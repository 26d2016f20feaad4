import type { OfferApplicationStatus } from '../../../domain/rows/enums.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { countApplications } from './store.ts';

/**
 * Returns the number of times that an offer was applied, counting applications with the given statuses, or with any
 * status if `statuses` is `null`. Lookups are batched.
 */
export function loadApplicationCount(
  ctx: Context,
  offerId: string,
  statuses: readonly OfferApplicationStatus[] | null,
): Promise<number> {
  const load = ctx.once(`applications of offers:${statuses?.join() ?? ''}`, () =>
    batchedByColumns<number>(async (offerIds) => {
      const rows = await countApplications(ctx.sql, offerIds, statuses);
      const counts = new Map(rows.map((row) => [row.offerId, row.count]));
      return (wanted) => counts.get(wanted) ?? 0;
    }),
  );
  return load(offerId, 'all');
}
