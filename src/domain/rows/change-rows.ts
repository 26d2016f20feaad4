// Stored plan and interval changes that aren't applied yet: scheduled for the end of the period, or waiting
// for a payment.
import type { BillingInterval } from './enums.ts';
import type { MinimumSpend } from './recurring-rows.ts';

/** A plan or interval change scheduled for the end of the period (SUB-48). */
export type ScheduledChange = {
  readonly changeType: 'plan_downgrade' | 'interval_change';
  readonly newPlanId: string;
  readonly newPlanName: string;
  readonly newBillingInterval: BillingInterval | null;
  /** End of the period, at which the change takes effect, in ISO 8601. */
  readonly scheduledFor: string;
};

/** Amounts by feature ID. The amounts are strings, because JSON numbers are exact only up to 2^53. */
export type FeatureAmounts = { readonly [featureId: string]: string };

/**
 * Correction of an event that an unpaid plan change billed (PRM-127). The amounts are changes of the amounts in
 * `BilledWindow`.
 */
export type BilledCorrection = {
  readonly id: string;
  readonly featureId: string;
  readonly totals: FeatureAmounts;
  readonly pools: FeatureAmounts;
  readonly drawn: FeatureAmounts;
  /** Number of the event that replaces the billed event. It belongs to the billed window. `null` if the event was voided. */
  readonly replacement: string | null;
};

/**
 * Billed amounts of the usage window that a plan change ends. `totals` contains the totals by feature ID, and by the ID of each
 * combination of dimension values. `usage` contains the billed usage in minor units, `pools` contains the amounts of the window's
 * pools in pool units, and `drawn` contains the deductions by feature ID in pool units. `usage` and `drawn` are absent if the
 * change was stored before these fields existed. `balanceRate` is the amount of the pool of money in changes that were stored before
 * plans could have several pools. `corrected` contains the corrections of billed events, oldest first. It can be absent.
 */
export type BilledWindow = {
  readonly totals: FeatureAmounts;
  readonly usage?: FeatureAmounts;
  readonly pools?: FeatureAmounts;
  readonly drawn?: FeatureAmounts;
  readonly balanceRate?: string;
  readonly corrected?: readonly BilledCorrection[];
};

/**
 * Plan change with an unpaid invoice (SUB-43, SUB-47). Contains the new terms, and the totals that the
 * invoice bills at the old terms. Usage recorded while the charge is in progress is billed only at the new
 * terms.
 */
export type PlanChangePurchase = {
  readonly fromPlanId: string;
  readonly toPlanId: string;
  readonly priceId: string;
  readonly billingInterval: BillingInterval;
  readonly currency: string;
  readonly marketId: string | null;
  /**
   * Price when the invoice was issued, in minor units (SUB-20). `effectiveBaseMinor` is the price after the
   * offer's discount.
   */
  readonly priceMinor: string;
  readonly effectiveBaseMinor: string;
  /** Base price of the plan as printed on the invoice, in minor units. Absent if the change was stored before this field existed. */
  readonly listBaseMinor?: string;
  /** Unused part of the base price that was paid for the previous period, in minor units (SUB-39). */
  readonly creditMinor: string;
  /** Minimum spend of the new period. Absent if the new price has no minimum (PRM-33). */
  readonly minimumSpend?: MinimumSpend;
  /** Seats and quota that the invoice charges in advance. */
  readonly billedCounts: FeatureAmounts;
  /** Billed amounts of the ending usage window. `null` if the usage window isn't billed, for example in a trial. */
  readonly billedWindow: BilledWindow | null;
};

/** Returns the billed amounts of a window by pool. */
export const billedPools = ({ pools, balanceRate }: BilledWindow): FeatureAmounts =>
  pools ?? (balanceRate === undefined ? {} : { balance: balanceRate });

/** Returns the sums of two amounts by key. */
const sumsOf = (a: FeatureAmounts, b: FeatureAmounts): FeatureAmounts => ({
  ...a,
  ...Object.fromEntries(
    Object.entries(b).map(([key, amount]) => [key, String(BigInt(a[key] ?? 0) + BigInt(amount))]),
  ),
});

/** Returns a billed window after a correction. `usage` doesn't change. */
export const withCorrection = (
  billed: BilledWindow,
  { totals, pools, drawn }: BilledCorrection,
): BilledWindow => ({
  ...billed,
  totals: sumsOf(billed.totals, totals),
  pools: sumsOf(billedPools(billed), pools),
  ...(billed.drawn === undefined ? {} : { drawn: sumsOf(billed.drawn, drawn) }),
});

/** Returns a billed window as if its corrected events had been corrected before it was billed. `usage` doesn't change. */
export const correctedWindow = ({ corrected = [], ...billed }: BilledWindow): BilledWindow =>
  corrected.reduce<BilledWindow>(withCorrection, billed);
