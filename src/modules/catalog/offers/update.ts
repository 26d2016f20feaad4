import { isDeepStrictEqual } from 'node:util';
import { foldText } from '../../../domain/text/folding.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type NewOfferInput, termsOf } from './rules.ts';
import { type OfferRow, requireLockedOffer } from './store.ts';

/** New terms for an offer. `undefined` keeps the current value of an optional term, and `null` removes a bound of the validity window (OFR-5). */
export type OfferChanges = NewOfferInput & { readonly id: string };

/**
 * Replaces the terms of an offer. `updatedAt` stays the same if nothing changes. Throws `offer_not_found` and `validation_error` (OFR-3,
 * OFR-5).
 */
export const updateOffer = (ctx: Context, input: OfferChanges): Promise<OfferRow> =>
  inTransaction(ctx, async (tx) => {
    const offer = await requireLockedOffer(tx, input.id, 'UPDATE');
    const terms = termsOf(input, offer);
    const { name, phases, metadata, startsAt, endsAt, active } = offer;
    if (isDeepStrictEqual(terms, { name, phases, metadata, startsAt, endsAt, active })) return offer;
    const changes = { ...terms, searchText: foldText(terms.name), updatedAt: tx.clock.now() };
    await tx.db.offer.update({ where: { id: offer.id }, data: changes });
    return { ...offer, ...changes };
  });
