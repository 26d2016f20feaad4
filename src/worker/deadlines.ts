import type { DeadlineKind } from '../domain/subscription/state/aggregate.ts';

/** Item type that clock runs show for a type of deadline. `null` if clock runs don't show the deadline. */
export type ItemKind = 'billing_cycle' | 'dunning_retry' | null;

/** Deadline types in rank order, with the item types that clock runs show for them (BIL-2, BIL-55). */
export const deadlineItems: { readonly [kind in DeadlineKind]: ItemKind } = {
  attempt_step: 'billing_cycle',
  quote_expiry: 'billing_cycle',
  checkout_expiry: 'billing_cycle',
  payment_due: 'billing_cycle',
  dunning_retry: 'dunning_retry',
  grant_expiry: 'billing_cycle',
  start: 'billing_cycle',
  trial_end: 'billing_cycle',
  period_end: 'billing_cycle',
  window_reset: 'billing_cycle',
  lot_expiry: null,
  daily_scan: null,
  auto_topup: null,
};
