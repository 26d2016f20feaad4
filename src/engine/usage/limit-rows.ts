import type { BudgetRow, LimitRow, LimitStateRow, RaiseRow } from '../../domain/limits/limit.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { Stamped } from '../../platform/db/row-sets.ts';

/** Rows of limits, budgets, gauges, and raises. Gauges and counters have versions. */
export type LimitRows = {
  readonly customers: readonly { readonly id: string; readonly timezone: string }[];
  readonly limits: readonly LimitRow[];
  readonly budgets: readonly BudgetRow[];
  readonly states: readonly (LimitStateRow & Stamped)[];
  readonly raises: readonly (RaiseRow & { readonly customerId: string })[];
  readonly counters: readonly (UsageCounterRow & Stamped & { readonly seq: bigint })[];
};
