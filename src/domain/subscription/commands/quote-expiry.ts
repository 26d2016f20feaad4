import type { SubscriptionRow } from '../../rows/rows.ts';
import { withoutQuote } from '../invoicing/apply-offer.ts';
import { isCharging, quotedOffer } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Ends an expired offer quote. Does nothing if the quote was accepted or replaced. Puts the deadline on hold while a
 * charge at the quoted price is in progress (OFR-17).
 */
export const quoteExpiry = subscriptionCommand({
  kind: 'quote_expiry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    const quoted = quotedOffer(draft, subscription);
    if (quoted?.expiresAt?.getTime() !== command.dueAt.getTime()) {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription)) return draft.finish({ kind: 'park' });
    draft.item = { outcome: 'quote_expired', invoiceId: null, detail: null };
    return withoutQuote(draft, subscription, quoted);
  },
});
