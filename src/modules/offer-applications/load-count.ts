import type { Context } from '../../context.ts';
import type { OfferApplicationStatus } from '../../domain/enums.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { countApplications } from './store.ts';

/** How many applications of an offer there are, of all statuses where `statuses` is null. Batched. */
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
