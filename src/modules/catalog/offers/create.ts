import { foldText } from '../../../domain/text/folding.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { type NewOfferInput, termsOf } from './rules.ts';
import type { OfferRow } from './store.ts';

/** Creates an offer. Throws `validation_error` for invalid terms (OFR-3). */
export const createOffer = (ctx: Context, input: NewOfferInput): Promise<OfferRow> =>
  inTransaction(ctx, async (tx) => {
    const terms = termsOf(input, { metadata: {}, startsAt: null, endsAt: null, active: true });
    const now = tx.clock.now();
    const data = { id: newId('ofr'), seq: await nextSeq(tx), ...terms, searchText: foldText(terms.name) };
    return tx.db.offer.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
  });
