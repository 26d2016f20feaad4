// Automatic top-ups of accounts, and their attempts.

/**
 * Purchase of an automatic top-up: credit packs, an amount of money in minor units before tax, or the amount of money
 * that lifts the account to `target`, in ten-thousandths of the currency unit.
 */
export type Refill =
  | { readonly creditPackId: string; readonly quantity: number }
  | { readonly amount: number }
  | { readonly target: number };

/** Terms of an automatic top-up that the customer agreed to. */
export type ConsentedTerms = {
  /** Available amount at or below which the account is topped up, in pool units. */
  readonly threshold: number;
  readonly refill: Refill;
  /** Price of a fixed refill before tax, in minor units of `currency`. `null` if the refill is a target. */
  readonly price: number | null;
  readonly currency: string;
  readonly maxPerMonth: number;
  readonly maxAmountPerMonth: number;
  readonly minPause: number;
};

/** Consent to an automatic top-up: a statement that the customer accepted, or a reference of the merchant. */
export type TopUpConsent = {
  readonly statement: string | null;
  /** Language of the statement. `null` if it's unknown. */
  readonly language: string | null;
  /** ISO time at which the customer agreed. */
  readonly acceptedAt: string;
  /** Person who agreed. `null` if unknown. */
  readonly acceptedBy: string | null;
  readonly reference: string | null;
  readonly terms: ConsentedTerms;
};

type AutoTopUpStatus = 'on' | 'off' | 'paused';

/** Reasons why a trigger doesn't lead to a purchase, and reasons for a pause. */
export type TopUpReason =
  | 'monthly_count'
  | 'monthly_amount'
  | 'min_pause'
  | 'no_payment_method'
  | 'not_off_session'
  | 'subscription_status'
  | 'charge_in_progress'
  | 'declined'
  | 'action_required'
  | 'not_sellable'
  | 'no_exchange_rate'
  | 'below_minimum_charge'
  | 'consent_outdated';

/** Automatic top-up of an account. */
export type AutoTopUpRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  /** Subscription whose account is topped up. */
  readonly subscriptionId: string;
  /** Code of a custom unit, or the lowercase code of the subscription's currency. Unique for the customer. */
  readonly asset: string;
  readonly status: AutoTopUpStatus;
  readonly pausedReason: TopUpReason | null;
  /** Time at which a pause ends without a request. `null` if it doesn't. */
  readonly pausedUntil: Date | null;
  /** Available amount at or below which the account is topped up, in pool units. */
  readonly threshold: bigint;
  readonly refill: Refill;
  /** Maximum number of purchases in a calendar month of the customer's time zone. */
  readonly maxPerMonth: number;
  /** Maximum sum of purchases in a calendar month including tax, in minor units of the currency. */
  readonly maxAmountPerMonth: bigint;
  /** Minutes between two purchases. */
  readonly minPause: number;
  /** `null` if the top-up was never turned on. */
  readonly consent: TopUpConsent | null;
  /** Reason why the last trigger didn't lead to a purchase. `null` if it did. */
  readonly reason: TopUpReason | null;
  /** Time of the next evaluation. `null` if a movement of the account causes it. */
  readonly nextAt: Date | null;
  /** Number of consecutive declined attempts, and the time of the first decline. */
  readonly declines: number;
  readonly firstDeclinedAt: Date | null;
  /** Time at which the top-up was removed. `null` if it wasn't. */
  readonly removedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

type TopUpAttemptStatus = 'processing' | 'succeeded' | 'failed' | 'skipped';

/** Attempt of an automatic top-up: a purchase, or a trigger that didn't lead to one for a new reason. */
export type AutoTopUpAttemptRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly autoTopUpId: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly status: TopUpAttemptStatus;
  readonly reason: TopUpReason | null;
  /** Decline code of the provider. `null` unless the charge was declined. */
  readonly declineCode: string | null;
  /** Total including tax, in minor units of the currency. 0 if nothing was charged. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Number of purchases in a month, and their sum including tax in minor units. */
export type MonthUse = { readonly count: number; readonly amount: bigint };
