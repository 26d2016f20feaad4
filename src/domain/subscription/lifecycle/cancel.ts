import type { SubscriptionRow } from '../state/rows.ts';

/** The reason kept when the caller gives none (SUB-28a). */
export const defaultCancelReason = 'requested';

type Cancelable = Pick<SubscriptionRow, 'status' | 'billingInterval'>;

/**
 * Whether a cancellation waits for the end of the period or trial unless asked for at once: paid, recurring
 * and in force (SUB-23).
 */
export const endsWithPeriod = ({ status, billingInterval }: Cancelable): boolean =>
  status === 'trialing' || (status === 'active' && billingInterval !== null);

/** Whether it is a one-time purchase, which cannot be canceled (SUB-26). */
export const isBoughtOnce = ({ status, billingInterval }: Cancelable): boolean =>
  status === 'active' && billingInterval === 'one_time';
