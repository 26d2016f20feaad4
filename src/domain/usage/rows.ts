// The stored rows of consumption: what a subscription has left, what it has used, how much of a countable
// resource a customer holds. Credits are whole numbers, money is at rate scale of the subscription's currency
// (GLO-6, GLO-7). `seq` is null until a new row is stored.

import type { CustomerRow, SubscriptionRow } from '../subscription/state/rows.ts';

/** The fields of a customer that consumption needs. */
export type ConsumingCustomer = Pick<CustomerRow, 'id' | 'externalId'>;

/** The fields of a subscription that consumption needs: its terms and its windows. */
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
 * What a subscription has left to consume in its open window, and the lock root of everything consumed from
 * it. Each of the three amounts equals the sum of its ledger entries at all times (CON-58).
 */
export type ConsumptionAccountRow = {
  /** The subscription's id. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly planCredits: bigint;
  readonly purchasedCredits: bigint;
  /** Negative on plans that do not block (CON-11). */
  readonly balanceRate: bigint;
  /** Plan credits granted in the open window: a tenth of them is when `credits.low` is due (CON-57). */
  readonly grantedCredits: bigint;
  /** Balance granted in the open window. */
  readonly grantedRate: bigint;
  /** Whether `credits.low` was sent since the last reset. */
  readonly isLowSent: boolean;
  /** The last reset, top-up or positive adjustment: a tenth of it is when `balance.low` is due (CON-57). */
  readonly lastRefillRate: bigint;
  readonly updatedAt: Date;
};

/** Pools a ledger entry moves (CON-58). */
export type ConsumptionPool = 'plan_credits' | 'purchased_credits' | 'money_balance';

/** Why a pool moved (CON-58). */
export type ConsumptionEntryType =
  | 'grant'
  | 'reset'
  | 'expiry'
  | 'consumption'
  | 'purchase'
  | 'topup'
  | 'adjustment';

/** One movement of a pool, never changed and never removed (CON-58). */
export type ConsumptionEntryRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly pool: ConsumptionPool;
  readonly type: ConsumptionEntryType;
  /** Signed: credits, or money at rate scale. */
  readonly amount: bigint;
  /** The pool after the movement. */
  readonly resulting: bigint;
  /** The feature consumed; null for every other type. */
  readonly featureId: string | null;
  /** The usage event, invoice or deadline behind the movement; null for a manual adjustment. */
  readonly sourceId: string | null;
  readonly description: string | null;
  /** The window the movement counts in. */
  readonly windowStart: Date;
  readonly occurredAt: Date;
};

/**
 * How far the alerts of a usage feature have come in a window: nothing, `quota.threshold_reached`,
 * `quota.exceeded` (CON-57).
 */
export type AlertLevel = 0 | 1 | 2;

/**
 * The total of a usage feature in the open window of a subscription: adjustments included, so it need not be
 * summed up (CON-14).
 */
export type UsageCounterRow = {
  /** `<subscription id>:<feature id>`. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  /** The window the total is of; a later window begins at 0. */
  readonly windowStart: Date;
  readonly total: bigint;
  /** Credits, or money at rate scale, the feature took from the pools. */
  readonly consumed: bigint;
  readonly alertLevel: AlertLevel;
  /** The total a plan grant that ended in the window left: units up to there are never billed (SUB-54). */
  readonly covered: bigint;
};

/** The highest count of a day on which the mark of the period rose (CON-38). */
export type HighWaterStep = {
  /** UTC date `YYYY-MM-DD`. */
  readonly on: string;
  /** A whole number as text: JSON numbers end at 2^53. */
  readonly mark: string;
};

/** How many seats or units of quota a customer holds; survives cancellation and plan changes (CON-34). */
export type FeatureCountRow = {
  /** `<customer id>:<feature id>`. */
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly featureId: string;
  readonly count: bigint;
  /** Seats that leave at the end of the billing period (CON-44); 0 for quota. */
  readonly pendingRemovals: bigint;
  /**
   * The count when the billing period opened (CON-42), or the highest one until a plan grant ended in it
   * (SUB-54).
   */
  readonly openingCount: bigint;
  /** The rises of the mark above the opening count in this billing period, in order, one a day. */
  readonly steps: readonly HighWaterStep[];
  readonly updatedAt: Date;
};

/** One change of a count of seats or quota. */
export type CountEventRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly featureId: string;
  readonly previousBalance: bigint;
  readonly newBalance: bigint;
  readonly createdAt: Date;
};

/** The record of a total that was set. */
export type UsageAdjustmentRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly previousValue: bigint;
  readonly value: bigint;
  readonly reason: string | null;
  readonly windowStart: Date;
  readonly createdAt: Date;
};
