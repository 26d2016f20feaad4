import type { SubscriptionRow } from '../../rows/rows.ts';
import { hourMs } from '../../time/period.ts';
import { deadline } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Schedules the expiration of a subscription's checkout if the organization has a time limit (SUB-14). The time limit starts now, and
 * replaces the previous one.
 */
export function scheduleCheckoutExpiry(draft: Draft, pending: SubscriptionRow): void {
  const { checkoutExpiryHours } = draft.aggregate.environment;
  if (checkoutExpiryHours !== null)
    draft.schedule(
      deadline(pending, 'checkout_expiry', new Date(draft.now.getTime() + checkoutExpiryHours * hourMs)),
    );
}
