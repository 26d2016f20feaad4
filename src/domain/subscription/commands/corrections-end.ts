import { chargesWaived } from '../../events/deadline-events.ts';
import { endCorrections } from '../invoicing/corrections.ts';
import { subscriptionCommand } from '../state/command.ts';

/**
 * Grants a customer credit for corrected usage of a canceled subscription (PRM-128). Waives charges, because no invoice
 * follows that could contain them.
 */
export const correctionsEnd = subscriptionCommand({
  kind: 'corrections.end',
  decide(draft, subscription) {
    const waived = endCorrections(draft, subscription);
    if (waived.length > 0) draft.emit(chargesWaived(draft.customer, subscription, waived));
    return draft.done('done', subscription.id);
  },
});
