// Payloads of events about failed deadlines and waived charges.

import type { CustomerRow, DeadlineRow, SubscriptionRow } from '../rows/rows.ts';
import { about, type EventBody, iso, shownCustomerId } from './event-data.ts';

/** Returns the event for the first failure of a deadline (BIL-56a). A deadline fails if its command is rejected or throws an error. */
export const deadlineFailed = (
  customer: Pick<CustomerRow, 'id' | 'externalId'>,
  { id, kind, dueAt, subscriptionId }: DeadlineRow,
  error: string,
): EventBody => ({
  kind: 'deadline.failed',
  subscriptionId,
  data: {
    customerId: shownCustomerId(customer),
    subscriptionId,
    deadlineId: id,
    deadline: kind,
    dueAt: iso(dueAt),
    error,
  },
});

/** Waived charge. `amount` is a decimal string in minor units, or `null` if the charge has no price. */
export type WaivedCharge = { readonly description: string; readonly amount: string | null };

/**
 * Returns the event for charges that were waived because they couldn't be billed when the subscription ended
 * (SUB-25a).
 */
export const chargesWaived = (
  customer: CustomerRow,
  subscription: SubscriptionRow,
  charges: readonly WaivedCharge[],
): EventBody => ({
  kind: 'subscription.charges_waived',
  subscriptionId: subscription.id,
  data: {
    ...about(customer, subscription),
    currency: subscription.currency,
    charges: charges.map((charge) => ({ ...charge })),
  },
});
