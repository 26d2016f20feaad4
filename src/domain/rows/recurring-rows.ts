// Stored recurring revenue of a subscription. Amounts are strings because JSON numbers are exact only up to
// 2^53.
import type { RateDocument } from '../rates/rate.ts';
import type { BillingInterval, PaymentProvider, RecurringInterval } from './enums.ts';

/**
 * Seats or quota feature that is charged in advance. `included` is the number of included units. The cheapest of `rates`
 * is the price of additional units.
 */
export type RecurringUnits = {
  readonly featureId: string;
  readonly type: 'seats' | 'quota';
  readonly included: string;
  readonly rates: readonly RateDocument[];
};

/**
 * Recurring charges at the start of the current billing period. Amounts are in minor units of the
 * subscription's currency.
 */
export type RecurringTerms = {
  /** Interval at which the plan's base price is charged. `null` if only usage windows are charged. */
  readonly interval: RecurringInterval | null;
  /** Base price of the plan, as printed on the invoice line at the start of the period. */
  readonly base: string;
  /** Offer discount on the plan's base price, at least 0. */
  readonly discount: string;
  readonly units: readonly RecurringUnits[];
  /** Base prices of add-ons, by activation ID. */
  readonly addons: { readonly [activationId: string]: string };
};

/**
 * Components of monthly recurring revenue, in ten-thousandths of the currency unit (10,000 = 1.00).
 * `discount` is at most 0.
 */
export type StoredComponents = {
  readonly base: string;
  readonly discount: string;
  readonly seats: string;
  readonly quota: string;
  readonly addons: string;
};

/** Monthly recurring revenue of a subscription, with its grouping dimensions. */
export type MrrState = StoredComponents & {
  readonly planId: string;
  /** Billing interval of the plan. `null` if the plan is free. */
  readonly interval: BillingInterval | null;
  /** Country of the customer when the entry was recorded. `null` if it was unknown. */
  readonly country: string | null;
  readonly provider: PaymentProvider | null;
  readonly currency: string;
  readonly isPastDue: boolean;
};

/** Reason for a change in a subscription's monthly recurring revenue. */
export type MrrReason =
  | 'opening'
  | 'activated'
  | 'trial_converted'
  | 'reactivated'
  | 'plan_changed'
  | 'interval_changed'
  | 'price_changed'
  | 'discount_started'
  | 'discount_ended'
  | 'fully_discounted'
  | 'seats'
  | 'quota'
  | 'addons'
  | 'downgraded_to_free'
  | 'canceled'
  | 'dunning_exhausted'
  | 'refunded'
  | 'customer_deleted'
  | 'past_due'
  | 'recovered';

/**
 * Change in a subscription's monthly recurring revenue. A state of `null` means that the subscription has
 * no revenue.
 */
export type MrrEntryRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly reason: MrrReason;
  readonly before: MrrState | null;
  readonly after: MrrState | null;
  readonly occurredAt: Date;
  /**
   * Position of the first event that the decision emitted for the subscription. `null` if the decision emitted none,
   * or if the events aren't stored yet.
   */
  readonly firstEvent: bigint | null;
  readonly lastEvent: bigint | null;
  /**
   * Day whose totals include the entry, if that day is later than the day of the change. `null` if the days
   * are the same, or if the totals don't include the entry yet.
   */
  readonly countedOn: string | null;
};

/** Minimum spend of a billing period. Amounts are decimal strings in minor units of the subscription's currency (PRM-33). */
export type MinimumSpend = {
  readonly amount: string;
  /** Charges of the period so far, after discounts and before tax and credits. */
  readonly charged: string;
};
