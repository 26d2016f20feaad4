import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { paymentInProgress, withoutQuote } from '../invoicing/apply-offer.ts';
import { isCharging, quotedOffer } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { statusRejection } from '../state/rejections.ts';

/**
 * Removes a directly applied offer from an open checkout. The checkout URL doesn't change and shows the full
 * price (OFR-24).
 */
export const offerRemove = subscriptionCommand({
  kind: 'offer.remove',
  decide(draft: Draft, subscription: SubscriptionRow): Decision {
    const rejection = statusRejection('removeOffer', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const quoted = quotedOffer(draft, subscription);
    if (quoted?.source !== 'direct')
      return draft.reject(specificRejection('offer_not_found', 'no_direct_offer'));
    if (isCharging(draft, subscription)) return draft.reject(paymentInProgress);
    return withoutQuote(draft, subscription, quoted);
  },
});
