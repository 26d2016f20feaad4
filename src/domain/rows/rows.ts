// Stored rows that decisions read and write. The fields match the database models, without the environment.
// `seq` is `null` if the row is new and the engine hasn't assigned it yet.

import type { Metadata } from '../text/json.ts';
import type { AttemptReport, PaymentInstructions } from './attempt-rows.ts';
import type { ScheduledChange } from './change-rows.ts';
import type {
  BillingInterval,
  DisputeOutcome,
  InstrumentName,
  LastRetryAction,
  PaymentProvider,
  RefundReason,
  RefundStatus,
  SubscriptionStatus,
  TransactionStage,
  TransactionStatus,
} from './enums.ts';
import type { MinimumSpend, RecurringTerms } from './recurring-rows.ts';
import type { SeatCounts, StoredSelection } from './selection-rows.ts';

export type * from '../text/json.ts';
export type * from './attempt-rows.ts';
export type * from './change-rows.ts';
export type * from './credit-rows.ts';
export type * from './deadline-rows.ts';
export type * from './invoice-rows.ts';
export type * from './offer-rows.ts';
export type * from './purchase-rows.ts';
export type * from './receipt-rows.ts';
export type * from './recurring-rows.ts';
export type * from './selection-rows.ts';
export type * from './topup-rows.ts';

/** Postal address. `country` is an uppercase ISO 3166-1 alpha-2 code. */
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

/** Customer. Every change to the customer's billing state locks the customer's row. */
export type CustomerRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly externalId: string | null;
  readonly email: string;
  /** Normalized email address for comparisons. */
  readonly emailKey: string;
  readonly fullName: string;
  /** Normalized text that customer searches match. */
  readonly searchText: string;
  readonly taxDocument: string | null;
  readonly documentType: string | null;
  readonly timezone: string;
  readonly address: Address | null;
  readonly country: string | null;
  /** Whether usage without a budget is rejected. */
  readonly requireBudget: boolean;
  /** True if money of the customer's receipts is on account (INS-73). */
  readonly hasMoneyOnAccount: boolean;
  readonly metadata: Metadata;
  /** Amounts for sorting, in ten-thousandths of a currency unit. Sums over all currencies without conversion. */
  readonly sortMrr: bigint;
  readonly sortOutstanding: bigint;
  readonly sortPaid: bigint;
  /** Rank of the current subscription's status for sorting. */
  readonly sortStatus: bigint;
  /** ID of the current subscription's plan for sorting. Empty if the customer has no current subscription. */
  readonly sortPlan: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Time at which the customer was deleted (PLT-24). `null` if the customer isn't deleted. */
  readonly deletedAt: Date | null;
};

/** Card or account at a provider. Contains the provider's reference, never a card number. */
export type MethodDetails = {
  readonly reference: string;
  /**
   * First 8 digits of the card. `null` if the payment method isn't a card, or if the card was stored before BINs were
   * recorded.
   */
  readonly bin: string | null;
  readonly provider: PaymentProvider;
  /** Absent if the payment method is a card. */
  readonly instrument?: InstrumentName;
  readonly brand: string;
  readonly last4: string;
  /** Expiration month of the card, from 1 to 12. */
  readonly expMonth: number;
  /** Expiration year of the card, with 4 digits. */
  readonly expYear: number;
  /** Version of the mandate text that the payer accepted. Absent if the payment method needs no mandate, or was sent as a token. */
  readonly mandateText?: string;
};

/**
 * Payment attempt at an open checkout. Stores the payer's input until the provider responds or the payer
 * authenticates (SUB-16).
 */
export type PendingCheckout = {
  /** ID that was sent to the provider: the transaction ID, or a new ID if the attempt only sets up a payment method. */
  readonly attemptId: string;
  /** ID of the attempt's transaction. `null` if nothing is charged. */
  readonly transactionId: string | null;
  /** `collecting`: a bank debit was accepted and has no result yet (INS-33). */
  readonly state: 'asked' | 'requires_action' | 'collecting';
  readonly method: MethodDetails;
  /** ID of the saved payment method that the attempt charges. Absent if the payer entered a new payment method. */
  readonly storedMethodId?: string;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** Name of the purchasing company. Absent if the payer entered no company. */
  readonly companyName?: string;
  /** Invoice of a plan change that the payer pays for. Absent at all other checkouts. */
  readonly changeInvoiceId?: string;
  /**
   * Subscription of another customer with the same email address. If set, the card is only verified and
   * nothing is purchased (CAT-64a).
   */
  readonly heldSubscriptionId?: string;
  /**
   * Purpose of a card that was entered outside a checkout: `storing` only stores the card, `paying` also pays
   * the outstanding invoice. Absent at a checkout.
   */
  readonly cardFor?: 'storing' | 'paying';
};

/**
 * Charge that was carried over to the next invoice, because the total of the original invoice was below the minimum
 * charge. `amount` is a decimal string in minor units, before tax (BIL-35).
 */
export type CarriedCharge = {
  readonly invoiceId: string;
  readonly issueDate: string;
  readonly amount: string;
};

/**
 * Difference of corrected usage in an ended usage window that no invoice contains yet (PRM-128). Amounts are decimal
 * strings in minor units. `billed` and `price` are the prices of the window before and after the correction, and
 * `amount` is the rest of their difference. It's negative if the customer paid too much.
 */
export type PendingCorrection = {
  readonly correctionId: string;
  readonly featureName: string;
  readonly billed: string;
  readonly price: string;
  readonly amount: string;
  /** Start and end of the usage window in ISO format. */
  readonly windowStart: string;
  readonly windowEnd: string;
};

/**
 * Settings for the retries of a failed payment: the days from the first failure to each retry, ascending, and the effect of the last
 * declined retry (BIL-41, BIL-43).
 */
export type RetryTerms = {
  readonly retryDays: readonly number[];
  readonly lastRetryAction: LastRetryAction;
};

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
  /** Market that determines the prices. Fixed together with the currency (CAT-31). */
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
   * Plan that an active plan grant gives access to (SUB-54). `grantedReleaseSeq` is the `seq` of the latest feature
   * version in the granted release of that plan. Both are `null` if there is no active plan grant.
   */
  readonly grantedPlanId: string | null;
  readonly grantedReleaseSeq: bigint | null;
  /** Base price of the plan before offer discounts, as printed on the invoice line at the start of the period. */
  readonly listBaseMinor: bigint;
  readonly effectiveBaseMinor: bigint;
  /** Recurring charges of the current period. `null` if no paid period has started. */
  readonly recurring: RecurringTerms | null;
  /** Current monthly recurring revenue, in ten-thousandths of the currency unit. */
  readonly mrr: bigint;
  /** Minimum spend of the current period. `null` if the period has no minimum (PRM-33). */
  readonly minimumSpend: MinimumSpend | null;
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
  /** `null` if the subscription isn't past due. */
  readonly retryTerms: RetryTerms | null;
  readonly selection: StoredSelection;
  readonly initialSeats: SeatCounts;
  readonly scheduledChange: ScheduledChange | null;
  readonly pendingCheckout: PendingCheckout | null;
  /**
   * Charges that were carried over from invoices below the minimum charge. They are added to the next invoice for a
   * billing period or usage window.
   */
  readonly carried: readonly CarriedCharge[];
  /** Corrections of ended usage windows, oldest first. They are added to the next invoice for a billing period or usage window. */
  readonly corrections: readonly PendingCorrection[];
  readonly successUrl: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Payment attempt. Its status is `pending` until the provider responds. */
export type TransactionRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  /** One-time payment that the attempt charges. `null` if the attempt charges something else. */
  readonly paymentId: string | null;
  readonly paymentMethodId: string | null;
  readonly provider: PaymentProvider;
  readonly status: TransactionStatus;
  /** Refines the status (INS-10). */
  readonly stage: TransactionStage;
  readonly instrument: InstrumentName;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly taxMinor: bigint;
  /** Amount in US cents. `null` if it isn't known yet (PAY-24). */
  readonly grossUsdMinor: bigint | null;
  readonly taxUsdMinor: bigint | null;
  /** Platform fee in US cents. 0 before the transaction settles (PAY-25). */
  readonly feeUsdMinor: bigint;
  /** Total of the confirmed refunds. At most `amountMinor`. */
  readonly refundedMinor: bigint;
  readonly declineCode: string | null;
  readonly paidAt: Date | null;
  readonly availableAt: Date | null;
  /** Time of the dispute. `null` if the transaction was never disputed. */
  readonly disputedAt: Date | null;
  readonly disputeReason: string | null;
  /** Outcome of the dispute. `null` if the transaction has no dispute or the dispute is open. */
  readonly disputeOutcome: DisputeOutcome | null;
  /**
   * True if the payer paid an outstanding invoice on a hosted page. If the attempt is declined, it doesn't
   * use up a dunning retry (BIL-42).
   */
  readonly isPayerRetry: boolean;
  /** Dates of a bank debit, at 00:00 UTC. `null` if the instrument confirms payments immediately. */
  readonly collectionOn: Date | null;
  readonly expectedOn: Date | null;
  readonly latestOn: Date | null;
  /** Time at which the payer's bank returned the money (INS-40). `null` unless the payment was returned. */
  readonly returnedAt: Date | null;
  /** Reports about a bank debit, oldest first (INS-16). `null` if the instrument confirms payments immediately. */
  readonly reports: readonly AttemptReport[] | null;
  /** Time until which the payer can follow the instructions. `null` if the payment method has no instructions, or if they don't expire. */
  readonly expiresAt: Date | null;
  /** Instructions to the payer. `null` if the payment method has no instructions. */
  readonly instructions: PaymentInstructions | null;
  /** Receipt whose money the payment applies to the invoice. `null` if the payment isn't part of a receipt. */
  readonly receiptId: string | null;
  /** Payment ID at the provider. `null` if the provider hasn't responded yet or uses the transaction ID. */
  readonly providerReference: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Refund of a settled transaction, in minor units of `currency` (PAY-26). Positive. */
export type RefundRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly transactionId: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: RefundReason | null;
  /**
   * Whether the confirmed refund cancels the subscription. If `null`, only a full refund cancels it (PAY-29).
   */
  readonly cancelSubscription: boolean | null;
  /** True if the cancellation takes effect at the end of the current period. */
  readonly cancelAtPeriodEnd: boolean;
  /** Customer credit that the refund revokes (PAY-28a). `null` if the refund revokes none. */
  readonly revokedCreditId: string | null;
  readonly revokedMinor: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type PaymentMethodRow = Omit<MethodDetails, 'instrument' | 'mandateText'> & {
  readonly instrument: InstrumentName;
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly createdAt: Date;
  /** Time at which the payment method was removed. `null` if it's still stored. */
  readonly removedAt: Date | null;
};

/** Transfer between two ledger accounts. The amount is always positive. */
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
