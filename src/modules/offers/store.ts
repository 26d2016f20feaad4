import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { contains } from '../../graphql/search.ts';
import { lockRow } from '../../platform/db/locks.ts';
import type { Condition } from '../../platform/db/row-lists.ts';
import type { Row } from '../../platform/db/rows.ts';

export type OfferRow = Row<'Offer'>;

/** The offer with this id. Throws `offer_not_found`, also for a deleted one; `param` is the input that named it. */
export async function requireOffer(ctx: Context, id: string, param = 'id'): Promise<OfferRow> {
  const offer = await ctx.db.offer.findFirst({ where: { id, deletedAt: null } });
  if (offer === null) throw new QuittanceError('offer_not_found', { param });
  return offer;
}

/**
 * Locks the offer until the transaction ends and answers it as it is at that time. Who refers to an offer takes the lock shared, so that it cannot be
 * deleted meanwhile. Throws `offer_not_found`.
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

/** The one row of an environment's offer to stay. */
const current = 'current';

/** The offer to stay as it was named; null where none is. */
export const findRetentionOffer = async (ctx: Context): Promise<OfferRow | null> => {
  const placed = await ctx.db.retentionOffer.findFirst({ where: { id: current } });
  return placed === null ? null : ctx.db.offer.findFirst({ where: { id: placed.offerId, deletedAt: null } });
};

/** Names the offer to stay, in place of the one there is. */
export async function putRetentionOffer({ sql, clock }: Context, offerId: string): Promise<void> {
  await sql(
    `INSERT INTO "RetentionOffer" AS t ("environmentId", id, "offerId", "createdAt") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "offerId" = EXCLUDED."offerId", "createdAt" = EXCLUDED."createdAt"
     WHERE t."offerId" <> EXCLUDED."offerId"`,
    [current, offerId, clock.now()],
  );
}

/** The condition that an offer has a text in its name. An environment has few offers: no index holds their names for it. */
export const isOfferWith = (table: string, text: string): Condition => contains(`lower(${table}.name)`, text);

/** The ids of such offers, as a query. */
export const offersWith =
  (text: string): Condition =>
  (bind) =>
    `SELECT o.id FROM "Offer" o WHERE o."environmentId" = $1 AND ${isOfferWith('o', text)(bind)}`;
