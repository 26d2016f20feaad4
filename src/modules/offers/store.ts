import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockRow } from '../../platform/db/locks.ts';
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
