import type { Context } from '../../context.ts';
import type { OfferApplicationStatus } from '../../domain/enums.ts';
import type { ApplicationPhase, OfferApplicationRow } from '../../domain/subscription/state/rows.ts';
import type { Query } from '../../platform/db/pool.ts';

/** An application of an offer the caller named: it has an offer, a currency and amounts. */
export type ProvidedOffer = {
  readonly id: string;
  readonly name: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly offerId: string;
  readonly currency: string;
  readonly subtotalMinor: bigint;
  readonly discountMinor: bigint;
  readonly totalMinor: bigint;
  readonly phases: readonly ApplicationPhase[];
};

/** An application as it is shown with the operation that named its offer; null for one without offer or amounts. */
export function providedOfferOf(row: Omit<OfferApplicationRow, 'seq'>): ProvidedOffer | null {
  const { offerId, currency, subtotalMinor, discountMinor, totalMinor } = row;
  if (
    offerId === null ||
    currency === null ||
    subtotalMinor === null ||
    discountMinor === null ||
    totalMinor === null
  )
    return null;
  return { ...row, offerId, currency, subtotalMinor, discountMinor, totalMinor };
}

/** The latest application of an offer to a subscription; null for one without amounts. */
export async function findProvidedOffer(
  ctx: Context,
  subscriptionId: string,
  offerId: string,
): Promise<ProvidedOffer | null> {
  const row = await ctx.db.offerApplication.findFirst({
    where: { subscriptionId, offerId },
    orderBy: { seq: 'desc' },
  });
  return row === null ? null : providedOfferOf(row);
}

/** How many applications there are of each of the offers that have any. One statement. */
export const countApplications = (
  sql: Query,
  offerIds: readonly string[],
  statuses: readonly OfferApplicationStatus[] | null,
): Promise<{ readonly offerId: string; readonly count: number }[]> =>
  sql(
    `SELECT t."offerId", count(*)::int AS count FROM "OfferApplication" t
     WHERE t."environmentId" = $1 AND t."offerId" = ANY($2) AND ($3::text[] IS NULL OR t.status::text = ANY($3)) GROUP BY 1`,
    [offerIds, statuses],
  );
