import type { SubscriptionRow } from '../../rows/rows.ts';

/** Default cancellation reason (SUB-28a). */
export const defaultCancelReason = 'requested';

type Cancelable = Pick<SubscriptionRow, 'status' | 'billingInterval'>;

/**
 * Returns true if a cancellation takes effect at the end of the period or trial by default: for active paid
 * recurring subscriptions, and for trials (SUB-23).
 */
export const endsWithPeriod = ({ status, billingInterval }: Cancelable): boolean =>
  status === 'trialing' || (status === 'active' && billingInterval !== null);

/** Returns true if the subscription is an active one-time purchase, which can't be canceled (SUB-26). */
export const isOneTimePurchase = ({ status, billingInterval }: Cancelable): boolean =>
  status === 'active' && billingInterval === 'one_time';
