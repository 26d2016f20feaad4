import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type NewOfferInput, termsOf } from './rules.ts';
import { type OfferRow, requireLockedOffer } from './store.ts';

/** New terms of an offer; undefined leaves the optional ones as they are, a null bound takes it away (OFR-5). */
export type OfferChanges = NewOfferInput & { readonly id: string };

/** Replaces the terms of an offer; its `updatedAt` stays when nothing changes. Throws `offer_not_found`, `validation_error` (OFR-3, OFR-5). */
export const updateOffer = (ctx: Context, input: OfferChanges): Promise<OfferRow> =>
  inTransaction(ctx, async (tx) => {
    const offer = await requireLockedOffer(tx, input.id, 'UPDATE');
    const terms = termsOf(input, offer);
    const { name, phases, metadata, startsAt, endsAt, active } = offer;
    if (isDeepStrictEqual(terms, { name, phases, metadata, startsAt, endsAt, active })) return offer;
    const changes = { ...terms, updatedAt: tx.clock.now() };
    await tx.db.offer.update({ where: { id: offer.id }, data: changes });
    return { ...offer, ...changes };
  });
