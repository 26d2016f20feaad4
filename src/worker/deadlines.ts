import type { DeadlineKind } from '../domain/subscription/state/aggregate.ts';

/** How a kind of deadline is shown in a clock run; null for what is not counted there. */
export type ItemKind = 'billing_cycle' | 'dunning_retry' | null;

/** What clock runs show of all that happens automatically, in order of rank (BIL-2, BIL-55). */
export const deadlineItems: { readonly [kind in DeadlineKind]: ItemKind } = {
  quote_expiry: 'billing_cycle',
  dunning_retry: 'dunning_retry',
  grant_expiry: 'billing_cycle',
  start: 'billing_cycle',
  trial_end: 'billing_cycle',
  period_end: 'billing_cycle',
  window_reset: 'billing_cycle',
  daily_scan: null,
};
