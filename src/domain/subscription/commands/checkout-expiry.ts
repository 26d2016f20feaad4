import { checkoutExpired } from '../../events/subscription-events.ts';
import { endImmediately } from '../lifecycle/end-subscription.ts';
import { awaitsPayer, isCharging } from '../pricing/lookup.ts';
import type { Decision, SubscriptionRow } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

export const checkoutExpiredReason = 'checkout_expired';

/**
 * Cancels a subscription whose checkout wasn't completed within the organization's time limit. Puts the deadline on
 * hold while a charge is in progress or instructions can still be paid (SUB-14).
 */
export const checkoutExpiry = subscriptionCommand({
  kind: 'checkout_expiry',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    if (subscription.status !== 'pending_payment') {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription) || awaitsPayer(draft, subscription))
      return draft.finish({ kind: 'park' });
    const canceled = endImmediately(draft, subscription, checkoutExpiredReason);
    draft.emit(checkoutExpired(draft.customer, canceled));
    draft.item = { outcome: 'checkout_expired', invoiceId: subscription.checkoutInvoiceId, detail: null };
    return draft.done('done', subscription.id);
  },
});
