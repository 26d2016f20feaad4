import { QuittanceError } from '../../../domain/errors/errors.ts';
import { containsText } from '../../../graphql/reading/search.ts';
import { lockRow } from '../../../platform/db/locks.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

export type OfferRow = Row<'Offer'>;

/**
 * Returns the offer with this ID. Throws `offer_not_found` if it doesn't exist or was deleted. `param` is the input that refers to the
 * offer.
 */
export async function requireOffer(ctx: Context, id: string, param = 'id'): Promise<OfferRow> {
  const offer = await ctx.db.offer.findFirst({ where: { id, deletedAt: null } });
  if (offer === null) throw new QuittanceError('offer_not_found', { param });
  return offer;
}

/**
 * Locks the offer until the transaction ends and returns its current state. Code that adds a reference to an offer takes a shared lock,
 * which prevents the offer's deletion. Throws `offer_not_found`.
 */
export async function requireLockedOffer(
  ctx: Context,
  id: string,
  mode: 'SHARE' | 'UPDATE',
  param = 'id',
): Promise<OfferRow> {
  await lockRow(ctx.sql, 'Offer', id, mode);
  return requireOffer(ctx, id, param);
}

/** ID of the only `RetentionOffer` row in an environment. */
const current = 'current';

/** Returns the retention offer. `null` if no retention offer is set. */
export const findRetentionOffer = async (ctx: Context): Promise<OfferRow | null> => {
  const placed = await ctx.db.retentionOffer.findFirst({ where: { id: current } });
  return placed === null ? null : ctx.db.offer.findFirst({ where: { id: placed.offerId, deletedAt: null } });
};

/** Sets the retention offer, replacing the current offer. */
export async function putRetentionOffer({ sql, clock }: Context, offerId: string): Promise<void> {
  await sql(
    `INSERT INTO "RetentionOffer" AS t ("environmentId", id, "offerId", "createdAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "offerId" = EXCLUDED."offerId", "createdAt" = EXCLUDED."createdAt"
     WHERE t."offerId" <> EXCLUDED."offerId"`,
    [current, offerId, clock.now()],
  );
}

/** SQL condition: the offer's name contains the search text. Names aren't indexed, because an environment has few offers. */
export const isOfferWith = (table: string, text: string): Condition => containsText(table, text);

/** Subquery for the IDs of offers whose name contains the search text. */
export const offersWith =
  (text: string): Condition =>
  (bind) =>
    `SELECT o.id FROM "Offer" o WHERE o."environmentId" = $1 AND ${isOfferWith('o', text)(bind)}`;
