// Changes of plan or interval as they are stored while they wait: for the end of the period, or for their
// invoice to be paid.
import type { BillingInterval } from '../../enums.ts';

/** A plan or interval change waiting for the period end (SUB-48). */
export type ScheduledChange = {
  readonly changeType: 'plan_downgrade' | 'interval_change';
  readonly newPlanId: string;
  readonly newPlanName: string;
  readonly newBillingInterval: BillingInterval | null;
  /** ISO instant of the period end. */
  readonly scheduledFor: string;
};

/** Amounts by feature id, as text: JSON numbers end at 2^53. */
export type FeatureAmounts = { readonly [featureId: string]: string };

/**
 * A plan change that waits for its invoice to be paid (SUB-43, SUB-47): the terms it leads to, and up to
 * where the invoice has billed what the old ones leave, so that what happens while the charge is under way is
 * billed by the new terms, once.
 */
export type PlanChangePurchase = {
  readonly fromPlanId: string;
  readonly toPlanId: string;
  readonly priceId: string;
  readonly billingInterval: BillingInterval;
  readonly currency: string;
  readonly marketId: string | null;
  /**
   * What the price cost when the invoice was issued, and what of it is charged after its offer, minor units
   * (SUB-20).
   */
  readonly priceMinor: string;
  readonly effectiveBaseMinor: string;
  /** The base as printed, minor units; absent on changes older than the column. */
  readonly listBaseMinor?: string;
  /** What was left of the base paid before, minor units (SUB-39). */
  readonly creditMinor: string;
  /** Counts of seats and quota charged in advance. */
  readonly billedCounts: FeatureAmounts;
  /**
   * Totals of the window that ends and its balance, at rate scale; null where nothing of the window is
   * billed, as in a trial.
   */
  readonly billedWindow: { readonly totals: FeatureAmounts; readonly balanceRate: string } | null;
};
