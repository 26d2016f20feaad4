import type { OfferApplicationStatus } from '../../../domain/rows/enums.ts';
import type { ApplicationPhase, OfferApplicationRow } from '../../../domain/rows/rows.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';

/** Application of an offer that the caller specified. It always has an offer, a currency, and amounts. */
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

/** Converts an application for the response to the operation that applied its offer. `null` if the application has no offer or no amounts. */
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

/**
 * Returns the latest application of an offer to a subscription. `null` if the offer was never applied, or if the application has no
 * amounts.
 */
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

/** Returns the number of applications per offer. Omits offers that were never applied. Runs one SQL statement. */
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
