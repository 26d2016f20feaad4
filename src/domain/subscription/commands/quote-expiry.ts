import { withoutQuote } from '../invoicing/apply-offer.ts';
import { isCharging, quotedOffer } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/**
 * Ends a quote whose time is up, unless it was accepted or replaced; one that is being paid waits for the
 * answer (OFR-17).
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
