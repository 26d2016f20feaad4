// What a subscription recurs at, as it is stored. Amounts are text: JSON numbers end at 2^53.
import type { BillingInterval, PaymentProvider, RecurringInterval } from '../../enums.ts';

/** A countable feature charged in advance: the units that cost nothing, and what each further one costs, at rate scale. */
export type RecurringUnits = {
  readonly featureId: string;
  readonly type: 'seats' | 'quota';
  readonly included: string;
  readonly rate: string;
};

/**
 * What the running billing period charges again and again, as it stood when the period opened; amounts in minor
 * units of the subscription's currency.
 */
export type RecurringTerms = {
  /** How often it is charged; null where only windows of a month are. */
  readonly interval: RecurringInterval | null;
  /** The plan base as printed on the line that opened the period. */
  readonly base: string;
  /** What an offer takes off the base, at least 0. */
  readonly discount: string;
  readonly units: readonly RecurringUnits[];
  /** Base prices of add-ons by their activations. */
  readonly addons: { readonly [activationId: string]: string };
};

/** The parts of monthly recurring revenue at rate scale; `discount` is at most 0. */
export type StoredComponents = {
  readonly base: string;
  readonly discount: string;
  readonly seats: string;
  readonly quota: string;
  readonly addons: string;
};

/** The monthly recurring revenue of a subscription, with what it is grouped by. */
export type MrrState = StoredComponents & {
  readonly planId: string;
  /** Null on free plans. */
  readonly interval: BillingInterval | null;
  /** The customer's at that moment; null where it was unknown. */
  readonly country: string | null;
  readonly provider: PaymentProvider | null;
  readonly currency: string;
  readonly isPastDue: boolean;
};

/** Why the monthly recurring revenue of a subscription changed. */
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

/** One change of the monthly recurring revenue of a subscription. Null stands for none. */
export type MrrEntryRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly reason: MrrReason;
  readonly before: MrrState | null;
  readonly after: MrrState | null;
  readonly occurredAt: Date;
  /** The first and the last event of the decision about the subscription, by position; null where it made none, and before they are stored. */
  readonly firstEvent: bigint | null;
  readonly lastEvent: bigint | null;
  /** The day it was added to, where that is later than the one it occurred on; null for others, and before it is added. */
  readonly countedOn: string | null;
};
