import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { OfferPhase } from '../../domain/offer/phase.ts';
import { lockOfferRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';

export type OfferRow = Row<'Offer'>;

/** The phases of a stored offer: this area is the only writer of the column, and writes nothing else. */
export const phasesOf = ({ phases }: Pick<OfferRow, 'phases'>): readonly OfferPhase[] => phases as unknown as readonly OfferPhase[];

/** The offer with this id. Throws `offer_not_found`, also for a deleted one; `param` is the input that named it. */
export async function requireOffer(context: Context, id: string, param = 'id'): Promise<OfferRow> {
  const offer = await context.db.offer.findFirst({ where: { id, deletedAt: null } });
  if (offer === null) throw new QuittanceError('offer_not_found', 'No such offer.', { param });
  return offer;
}

/**
 * Locks the offer until the transaction ends and answers it as it then is. Who refers to an offer takes the lock shared, so that it cannot be
 * deleted meanwhile. Throws `offer_not_found`.
 */
export async function requireLockedOffer(context: Context, id: string, mode: 'SHARE' | 'UPDATE', param = 'id'): Promise<OfferRow> {
  await lockOfferRow(context.sql, id, mode);
  return requireOffer(context, id, param);
}
