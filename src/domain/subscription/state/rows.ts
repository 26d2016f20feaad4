// The stored rows decisions read and write: the database models field by field, without their environment.
// `seq` is null until the engine stores a new row and takes one.

import type {
  BillingInterval,
  DeadlineState,
  DisputeOutcome,
  PaymentProvider,
  RefundReason,
  RefundStatus,
  SubscriptionStatus,
  TransactionStatus,
} from '../../enums.ts';
import type { Metadata } from '../../json.ts';

import type { ScheduledChange } from './change-rows.ts';
import type { RecurringTerms } from './recurring-rows.ts';
import type { SeatCounts, StoredSelection } from './selection-rows.ts';

export type * from '../../json.ts';
export type * from './change-rows.ts';
export type * from './credit-rows.ts';
export type * from './invoice-rows.ts';
export type * from './offer-rows.ts';
export type * from './purchase-rows.ts';
export type * from './recurring-rows.ts';
export type * from './selection-rows.ts';

/** A postal address; `country` is an upper-case ISO 3166-1 alpha-2 code. */
export type Address = {
  readonly line1?: string | null;
  readonly line2?: string | null | undefined;
  readonly city?: string | null;
  readonly state?: string | null | undefined;
  readonly postalCode?: string | null;
  readonly country?: string | null;
  readonly region?: string | null | undefined;
  readonly phone?: string | null | undefined;
};

/** The payer, lock root of all its billing state. */
export type CustomerRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly externalId: string | null;
  readonly email: string;
  readonly fullName: string;
  readonly taxDocument: string | null;
  readonly documentType: string | null;
  readonly timezone: string;
  readonly address: Address | null;
  readonly country: string | null;
  readonly metadata: Metadata;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** When it was deleted (PLT-24); null while it exists. */
  readonly deletedAt: Date | null;
};

/** A card or account as the payer entered it at a gateway, which gave the reference; never a card number. */
export type MethodDetails = {
  readonly reference: string;
  /** The first eight digits of a card; null for other methods and for cards stored before they were kept. */
  readonly bin: string | null;
  readonly provider: PaymentProvider;
  readonly brand: string;
  readonly last4: string;
  /** 1 to 12. */
  readonly expMonth: number;
  /** Four digits. */
  readonly expYear: number;
};

/**
 * An attempt at an open checkout: what was typed in, kept until the gateway has answered or the payer has
 * authenticated (SUB-16).
 */
export type PendingCheckout = {
  /**
   * The id under which the gateway was asked: the transaction's, or a fresh one when only a method is set up.
   */
  readonly attemptId: string;
  /** Null when nothing is charged. */
  readonly transactionId: string | null;
  readonly state: 'asked' | 'requires_action';
  readonly method: MethodDetails;
  /** The stored method it is made by; absent for one that was typed in. */
  readonly storedMethodId?: string;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** The name of the company that buys; absent where none was typed in. */
  readonly companyName?: string;
  /** The invoice of the plan change that is paid for; absent at every other page. */
  readonly changeInvoiceId?: string;
  /**
   * What the card is for where it was typed in outside a checkout: only to be stored, or to pay what is owed.
   * Absent at a checkout.
   */
  readonly cardFor?: 'storing' | 'paying';
};

/** A subscription. */
export type SubscriptionRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly planId: string;
  readonly priceId: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly status: SubscriptionStatus;
  readonly billingInterval: BillingInterval | null;
  readonly currency: string;
  /** The market prices are looked up in; fixed together with the currency (CAT-31). */
  readonly marketId: string | null;
  readonly provider: PaymentProvider | null;
  readonly paymentMethodId: string | null;
  readonly startDate: Date;
  readonly endDate: Date | null;
  readonly anchorDate: Date | null;
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  readonly windowStart: Date | null;
  readonly windowEnd: Date | null;
  readonly trialEndsAt: Date | null;
  readonly termsFrom: Date | null;
  /**
   * The plan a plan grant gives access to, as it stood after its feature version with this seq (SUB-54); null
   * without one.
   */
  readonly grantedPlanId: string | null;
  readonly grantedReleaseSeq: bigint | null;
  /** The plan base as printed on the line that opened the period, before what an offer takes off it. */
  readonly listBaseMinor: bigint;
  readonly effectiveBaseMinor: bigint;
  /** What the running period charges again and again; null before the first paid one. */
  readonly recurring: RecurringTerms | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly cancellationScheduledAt: Date | null;
  readonly cancelReason: string | null;
  readonly cancelEffectiveAt: Date | null;
  readonly canceledAt: Date | null;
  readonly activatedAt: Date | null;
  readonly checkoutInvoiceId: string | null;
  readonly dunningInvoiceId: string | null;
  readonly dunningStartedAt: Date | null;
  readonly dunningAttempts: number;
  readonly selection: StoredSelection;
  readonly initialSeats: SeatCounts;
  readonly scheduledChange: ScheduledChange | null;
  readonly pendingCheckout: PendingCheckout | null;
  readonly successUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** One payment attempt, `pending` until its answer. */
export type TransactionRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /** The one-time payment it is an attempt at; null for every other charge. */
  readonly paymentId: string | null;
  readonly paymentMethodId: string | null;
  readonly provider: PaymentProvider;
  readonly status: TransactionStatus;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly taxMinor: bigint;
  /** What the charge is worth in US cents; null while it is unknown (PAY-24). */
  readonly grossUsdMinor: bigint | null;
  readonly taxUsdMinor: bigint | null;
  /** What the platform keeps, US cents; 0 until it settles (PAY-25). */
  readonly feeUsdMinor: bigint;
  /** What confirmed refunds have returned; at most `amountMinor`. */
  readonly refundedMinor: bigint;
  readonly declineCode: string | null;
  readonly paidAt: Date | null;
  readonly availableAt: Date | null;
  /** Null when it was never disputed. */
  readonly disputedAt: Date | null;
  readonly disputeReason: string | null;
  /** Null while the dispute is open. */
  readonly disputeOutcome: DisputeOutcome | null;
  /**
   * Whether the payer tried at a hosted page what is owed: a decline then uses up no dunning slot (BIL-42).
   */
  readonly isPayerRetry: boolean;
  /** What the provider calls the payment; null where it knows it by our id, and before it was answered. */
  readonly providerReference: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Money of a settled attempt on its way back (PAY-26); minor units of `currency`, above 0. */
export type RefundRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: RefundReason | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A stored payment method. */
export type PaymentMethodRow = MethodDetails & {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly createdAt: Date;
  /** When its customer removed it; null while it is stored. */
  readonly removedAt: Date | null;
};

/** An amount moved from one account to another; always positive. */
export type LedgerTransferRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly fact: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly customerId: string | null;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly transactionId: string | null;
  readonly occurredAt: Date;
};

/** What a deadline is about, beside its subscription. */
export type DeadlineData = {
  /** 1 to 4: the dunning slot. */
  readonly slot?: number;
  /** Which daily notice is due (BIL-4). */
  readonly notice?: 'trial.will_end' | 'invoice.upcoming' | 'invoice.overdue';
  /** The invoice the notice is about. */
  readonly invoiceId?: string;
};

/** Kinds of deadlines in the order of their ranks (BIL-2). */
export type DeadlineKind =
  | 'quote_expiry'
  | 'dunning_retry'
  | 'grant_expiry'
  | 'start'
  | 'trial_end'
  | 'period_end'
  | 'window_reset'
  | 'daily_scan';

/** A future task, replaced by its id, such as `period_end:sub_…`. */
export type DeadlineRow = {
  readonly id: string;
  readonly kind: DeadlineKind;
  readonly rank: number;
  readonly dueAt: Date;
  readonly customerId: string;
  /** Null for a task of the customer itself. */
  readonly subscriptionId: string | null;
  /**
   * The seq of the subscription, else of the customer; null when that row is new as well: the order of ties.
   */
  readonly subjectSeq: bigint | null;
  readonly state: DeadlineState;
  readonly attempts: number;
  readonly notBefore: Date | null;
  readonly data: DeadlineData;
};
