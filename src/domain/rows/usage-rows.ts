// Stored usage rows: accounts with credits and balances, usage events, and counts of seats and quota. Credits
// are whole numbers. Money is in ten-thousandths of the unit of the subscription's currency (10,000 = 1.00,
// GLO-6, GLO-7). `seq` is `null` if the row isn't stored yet.

import type { MeterDocument } from '../meters/meter.ts';
import type { WindowEvent } from '../meters/total.ts';
import type { DimensionValues } from '../rates/card.ts';
import type { CustomerCreditSource } from './enums.ts';
import type { FallMark } from './fall-mark.ts';
import type { HeldUsage } from './held-usage.ts';
import type { CommitmentTerms } from './purchase-rows.ts';
import type { CustomerRow, SubscriptionRow } from './rows.ts';
import type { TopUpReason } from './topup-rows.ts';

/** Customer fields needed to record usage. */
export type ConsumingCustomer = Pick<CustomerRow, 'id' | 'externalId' | 'requireBudget'>;

/** Subscription fields needed to record usage: terms and usage windows. */
export type ConsumingSubscription = Pick<
  SubscriptionRow,
  | 'id'
  | 'seq'
  | 'customerId'
  | 'planId'
  | 'priceId'
  | 'status'
  | 'currency'
  | 'marketId'
  | 'billingInterval'
  | 'startDate'
  | 'termsFrom'
  | 'periodStart'
  | 'periodEnd'
  | 'windowStart'
  | 'windowEnd'
  | 'grantedPlanId'
  | 'grantedReleaseSeq'
>;

/**
 * Part of an automatic top-up that usage needs. Stored with the account, so that usage reads no other row.
 */
export type TopUpMark = {
  /** Available amount at or below which a movement triggers a top-up. `null` if the top-up is paused. */
  readonly below: string | null;
  /** True if the next evaluation is scheduled or a purchase is in progress. Movements then trigger no evaluation. */
  readonly waits: boolean;
  /** Reason why the account isn't topped up. `null` if a top-up is due or in progress. */
  readonly reason: TopUpReason | null;
};

/**
 * Amounts of an account in one pool. The amounts are integers as text, because JSON numbers are exact only up to 2^53. They
 * are in pool units: ten-thousandths of the currency unit, or the smallest amount of a custom unit.
 */
export type AccountPool = {
  /** Sum of the lots and of the entries (CON-58, PRM-141). Negative if usage exceeded the pool, which the plan can allow (CON-11). */
  readonly amount: string;
  /** Amount that the plan granted in the current usage window. `credits.low` is sent when at most 10% of it remain (CON-57). */
  readonly granted: string;
  /** Amount of the last reset, top-up, or positive adjustment. `balance.low` is sent when at most 10% of it remain (CON-57). */
  readonly lastRefill: string;
  /** Number of thresholds of the pool that send no event until the next reset, because they were crossed (CON-57). */
  readonly crossed: number;
  /** Amounts that open holds reserve, by feature ID. Absent if nothing is held. */
  readonly held?: { readonly [featureId: string]: string };
  /** Parts of ended lots that open holds reserve, by lot ID. Absent if no lot ended while a hold was open. */
  readonly endedLots?: { readonly [lotId: string]: string };
  /** Automatic top-up of the pool. Absent if the pool isn't topped up automatically. */
  readonly topUp?: TopUpMark;
  /** Lowest amounts of the pool. Absent if no limit on the remaining amount has counted usage. */
  readonly fall?: FallMark;
};

/** Amounts by pool: `balance` for money, and the codes of custom units such as `credits`. */
export type AccountPools = { readonly [pool: string]: AccountPool };

/** Prepaid amounts of a subscription in its current usage window. All changes to its lots lock and update this row. */
export type ConsumptionAccountRow = {
  /** ID of the subscription. Also identifies the account. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly pools: AccountPools;
  readonly updatedAt: Date;
};

/** Origin of a lot (PRM-142). */
export type LotSource =
  | 'plan'
  | 'rollover'
  | 'promotion'
  | 'purchase'
  | 'topup'
  | 'commitment'
  | 'adjustment'
  | 'customer_credit'
  | 'overdraft';

/**
 * Granted or purchased amount of an account (PRM-20). Amounts are whole credits, or money in ten-thousandths of
 * the currency unit.
 */
export type LotRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  /** Subscription whose usage draws on the lot. `null` if the customer's invoices draw on the lot (PRM-141). */
  readonly subscriptionId: string | null;
  /** `credits`, or the lowercase code of a currency. */
  readonly asset: string;
  readonly source: LotSource;
  /** Source of a customer credit. `null` if the lot isn't a customer credit. */
  readonly creditSource: CustomerCreditSource | null;
  /** Invoice or window that created the lot. `null` if a request created it. */
  readonly sourceId: string | null;
  readonly description: string | null;
  /** Lots with a lower priority are drawn on first, from 0 to 100. */
  readonly priority: number;
  /** IDs of the features whose usage can draw on the lot. Empty if all usage can (PRM-144). */
  readonly features: readonly string[];
  /** Sum of the additions. 0 for overdrafts. */
  readonly amount: bigint;
  /** Negative only for overdrafts. */
  readonly remaining: bigint;
  /** Price before tax, in minor units of the subscription's currency. `null` if the lot wasn't purchased (PRM-145). */
  readonly paidMinor: bigint | null;
  /** Terms of a prepaid commitment. `null` if the lot isn't a commitment (PRM-24). */
  readonly commitment: CommitmentTerms | null;
  /**
   * True until nothing can be drawn from or returned to the lot. Closed lots never change, except for customer credits:
   * a voided invoice opens a used up credit again.
   */
  readonly isOpen: boolean;
  /** True if the lot ends at the next reset, for which `expiresAt` is the scheduled time. */
  readonly endsWithWindow: boolean;
  readonly effectiveAt: Date;
  /** Time from which the lot can't be used. `null` if the lot doesn't expire. */
  readonly expiresAt: Date | null;
  /** Window in which the lot was last drawn on. `null` if it wasn't, and for customer credits. */
  readonly drawnWindow: Date | null;
  /** Amount drawn in `drawnWindow`, less returned amounts. For customer credits, the amount drawn by all invoices. */
  readonly drawnInWindow: bigint;
};

export type ConsumptionEntryType =
  | 'grant'
  | 'reset'
  | 'expiry'
  | 'consumption'
  | 'return'
  | 'purchase'
  | 'topup'
  | 'adjustment'
  | 'revoke'
  | 'applied'
  | 'reversed'
  | 'refund'
  | 'rollover';

/** Entry of a balance transaction. Entries are never changed or deleted (CON-58). */
export type ConsumptionEntryRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  /** `null` if the lot is a customer credit. */
  readonly subscriptionId: string | null;
  /** Lot whose remaining amount changed (PRM-148). */
  readonly lotId: string;
  /** Asset of the lot. */
  readonly asset: string;
  readonly type: ConsumptionEntryType;
  /** Signed amount, in credits or in ten-thousandths of the currency unit. */
  readonly amount: bigint;
  /** Credits or balance of the account after the transaction, in the unit of `amount`. */
  readonly resulting: bigint;
  /**
   * Part of the lot's price for the amount that left the lot, in minor units. Negative if the amount returned. `null`
   * if the lot wasn't purchased, and for the purchase itself (PRM-145).
   */
  readonly valueMinor: bigint | null;
  /** Used feature. `null` unless the type is `consumption` or `return`. */
  readonly featureId: string | null;
  /** Usage event, invoice, or deadline that caused the transaction. `null` if a manual adjustment or a catalog change caused it. */
  readonly sourceId: string | null;
  readonly description: string | null;
  /** Start of the usage window to which the transaction belongs. For customer credits, the time of the transaction. */
  readonly windowStart: Date;
  readonly occurredAt: Date;
};

/** Total usage of a feature in the subscription's current usage window, including adjustments. Avoids summing all usage events (CON-14). */
export type UsageCounterRow = {
  /** Subscription ID and feature ID, in the format `<subscription id>:<feature id>`. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  /** Start of the usage window that the total covers. In a later usage window, the total starts at 0. */
  readonly windowStart: Date;
  readonly total: bigint;
  /**
   * Credits or money that usage of the feature has deducted. Money is in ten-thousandths of the currency
   * unit.
   */
  readonly consumed: bigint;
  /** Price of carried usage that the pool didn't cover when the plan changed, in pool units. Corrections waive further amounts (SUB-45). */
  readonly waived: bigint;
  /**
   * Exact price in the usage window of the usage whose price depends on a cost, as a decimal in major units of
   * the currency (PRM-102).
   */
  readonly price: string;
  /**
   * Sum of the prices that were recorded for the usage window in money, in 10^-18 of the currency unit (PRM-119).
   */
  readonly recorded: string;
  /** Number of thresholds of the included units that send no event until the next usage window, because they were crossed (CON-57). */
  readonly crossed: number;
  /** Total when a plan grant ended in this usage window. Units up to this total are never charged (SUB-54). */
  readonly covered: bigint;
  /** Meter that counts the usage in this usage window. `null` if whole units are summed. Otherwise `total` is in counted units. */
  readonly meter: MeterDocument | null;
  /** Time of the event that determines the total if the aggregation is `latest`. `null` if there are no events. */
  readonly latestAt: Date | null;
  /** Sum of the open holds of the feature. A new window doesn't change it. `null` if nothing is held. */
  readonly held: HeldUsage | null;
  /** Level of the feature in counted units, which lasts across usage windows. `null` if the meters held no level (PRM-14). */
  readonly level: bigint | null;
};

/** Correction of a usage event (PRM-126). Each event has at most one correction. */
export type UsageCorrectionRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly kind: 'void' | 'replace';
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  /** Corrected event. */
  readonly usageEventId: string;
  /** Event that was recorded in its place. `null` if the event was voided. */
  readonly replacementId: string | null;
  /** Change of the window's total in counted units. */
  readonly units: bigint;
  /** Change of the window's total, rounded to whole units. */
  readonly difference: bigint;
  /** Amount taken from the lots. Negative if it was returned. `null` if the plan is metered. */
  readonly deducted: bigint | null;
  /** Part of the price that no lot covered. Negative if it reduces an earlier waived amount. `null` if the plan is metered. */
  readonly waived: bigint | null;
  /** Change of the amount to pay for an ended window, in minor units. `null` if the window is open. */
  readonly amountMinor: bigint | null;
  readonly reason: string | null;
  readonly windowStart: Date;
  readonly createdAt: Date;
};

/** Stored usage event of a window whose total is known only at its end (PRM-121). */
export type MeasuredEventRow = WindowEvent & {
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly windowStart: Date;
};

/** Number of events in a usage window with the same value of the property that a meter counts. */
export type UsageValueRow = {
  /** Subscription ID, feature ID, and hash of the value, in the format `<subscription id>:<feature id>:<hash>`. */
  readonly id: string;
  readonly subscriptionId: string;
  readonly windowStart: Date;
  readonly count: bigint;
};

/**
 * Total of a combination of dimension values in a usage window (PRM-12). After 10,000 combinations, a value that no card
 * names isn't stored (`values` doesn't contain its dimension).
 */
export type UsageCellRow = {
  /** Subscription ID, feature ID, and hash of the values, in the format `<subscription id>:<feature id>:<hash>`. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly windowStart: Date;
  readonly values: DimensionValues;
  /** Total in counted units. */
  readonly total: bigint;
};

/** Highest count on a day on which the high-water mark increased (CON-38). */
export type HighWaterStep = {
  /** Day of the increase, as the UTC date `YYYY-MM-DD`. */
  readonly on: string;
  /** Whole number as a string, because JSON numbers are exact only up to 2^53. */
  readonly mark: string;
};

/**
 * Number of seats or quota units of a customer. Doesn't change with cancellations and plan changes (CON-34).
 */
export type FeatureCountRow = {
  /** Customer ID and feature ID, in the format `<customer id>:<feature id>`. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly featureId: string;
  readonly count: bigint;
  /** Seats to remove at the end of the billing period (CON-44). 0 for quota. */
  readonly pendingRemovals: bigint;
  /** Count at the start of the billing period (CON-42), or the highest count before a plan grant ended during the period (SUB-54). */
  readonly openingCount: bigint;
  /**
   * Increases of the high-water mark above the opening count during the billing period, in order, at most one
   * per day.
   */
  readonly steps: readonly HighWaterStep[];
  readonly updatedAt: Date;
};

/** Change to a seats or quota count. */
export type CountEventRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly featureId: string;
  readonly previousBalance: bigint;
  readonly newBalance: bigint;
  readonly createdAt: Date;
};

export type UsageAdjustmentRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly previousValue: bigint;
  readonly value: bigint;
  /** Change of the total in counted units. `null` if the feature counts whole units. */
  readonly units: bigint | null;
  readonly reason: string | null;
  readonly windowStart: Date;
  readonly createdAt: Date;
};
