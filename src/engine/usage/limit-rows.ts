import type { BudgetRow, LimitRow, LimitStateRow, RaiseRow } from '../../domain/limits/limit.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { Stamped } from '../../platform/db/row-sets.ts';

/** Customers and budgets whose limits are read. */
export type LimitNeeds = {
  readonly customerIds: readonly string[];
  readonly budgets: readonly { readonly customerId: string; readonly key: string }[];
  readonly subscriptionIds: readonly string[];
  readonly now: Date;
  /** True to read the counters of the subscriptions even if no limit is calculated from them. */
  readonly needsCounters: boolean;
};

/** Rows of limits, budgets, gauges, and raises. Gauges and counters have versions. */
export type LimitRows = {
  readonly customers: readonly { readonly id: string; readonly timezone: string }[];
  readonly limits: readonly LimitRow[];
  readonly budgets: readonly BudgetRow[];
  readonly states: readonly (LimitStateRow & Stamped)[];
  readonly raises: readonly (RaiseRow & { readonly customerId: string | null })[];
  readonly counters: readonly (UsageCounterRow & Stamped & { readonly seq: bigint })[];
};
