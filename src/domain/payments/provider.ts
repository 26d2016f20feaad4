import type { AttemptSignal, PaymentInstructions } from '../rows/attempt-rows.ts';
import type { InstrumentName, PaymentProvider } from '../rows/enums.ts';

/** Request to a payment provider: a charge, the setup and verification of a payment method, or a refund. */
export type ChargeRequest = {
  /** Idempotency key: the ID of the transaction or refund. For a setup, a new ID that isn't stored as a row. */
  readonly transactionId: string;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string | null;
  readonly kind: 'charge' | 'setup' | 'refund';
  /** ID of the transaction to refund. */
  readonly refundOf?: string;
  readonly provider: PaymentProvider;
  /** Provider's reference for the payment method to charge, verify, or refund. Empty if the payment method is no longer stored. */
  readonly methodReference: string;
  /** Amount in minor units of `currency`. 0 for a setup. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** True if the payer is present and uses the payment method for the first time at a checkout. */
  readonly isFirst: boolean;
  /** True if the payer enters the payment method on a page other than a checkout and can authenticate there. */
  readonly isPresent?: true;
  /** True if the payer didn't agree to later charges (PAY-8). */
  readonly isOneOff?: true;
  /**
   * Security code of a saved card, which the provider checks. The sandbox receives the code itself. A
   * connected Stripe account receives a single-use token from Stripe, so that no code is stored. Absent if
   * the payer entered no code.
   */
  readonly securityCode?: string;
  /** Terms of a bank debit. Absent if the instrument confirms payments immediately. */
  readonly debit?: DebitTerms;
  /** Terms of a payment that the payer starts. Absent if Quittance starts the payment. */
  readonly push?: PushTerms;
};

/** Terms of a payment that the payer starts, such as Pix. Times are in ISO format. */
export type PushTerms = {
  readonly instrument: InstrumentName;
  readonly requestedAt: string;
  /** Time until which the payer can pay. `null` if the instructions don't expire. */
  readonly expiresAt: string | null;
  /** Name of the organization that receives the money. */
  readonly recipient: string;
  /** Reference that identifies the invoice in a bank transfer. */
  readonly reference: string;
};

/** Terms of a bank debit. */
export type DebitTerms = {
  readonly instrument: InstrumentName;
  /** Collection date in ISO format. */
  readonly collectionOn: string;
  /** True if the collection date has come. Otherwise the debit can still be canceled. */
  readonly isDue: boolean;
  /** Number of earlier debits from the account. */
  readonly earlierDebits: number;
  /** Number of earlier debits for the same invoice. */
  readonly earlierAttempts: number;
};

/** Returns true if the payer is present and can authenticate. */
export const isPayerPresent = ({
  isFirst,
  isPresent,
}: Pick<ChargeRequest, 'isFirst' | 'isPresent'>): boolean => isFirst || isPresent === true;

/** Payment ID at the provider, if it differs from the transaction ID. */
type Referenced = { readonly reference?: string };

/**
 * Result from a payment provider. `unknown` means that the provider didn't respond. The attempt then
 * remains open and is never repeated (BIL-32).
 */
export type ChargeResult =
  | ({ readonly status: 'settled' } & Referenced)
  | ({ readonly status: 'declined'; readonly declineCode: string; readonly message: string } & Referenced)
  | ({ readonly status: 'requires_action' } & Referenced)
  | { readonly status: 'unknown' };

/** Report that a simulated bank makes later. */
type LaterReport = { readonly at: Date; readonly report: AttemptSignal };

/**
 * Acceptance of a bank debit, which is collected later. `next` lists the reports that a simulated bank makes later, in
 * ascending order of their times.
 */
export type AcceptedDebit = {
  readonly status: 'scheduled' | 'processing';
  readonly next: readonly LaterReport[];
};

/** Instructions to a payer who starts the payment. `next` lists later reports of a simulated bank. */
export type InstructedPayment = {
  readonly status: 'awaiting_payer';
  readonly instructions: PaymentInstructions;
  readonly next: readonly LaterReport[];
};

/** Response to a request whose result follows in later reports. */
export type AcceptedAttempt = AcceptedDebit | InstructedPayment;

export const isAccepted = (result: ChargeResult | AcceptedAttempt): result is AcceptedAttempt =>
  result.status === 'scheduled' || result.status === 'processing' || result.status === 'awaiting_payer';

/** Minimum charge in US cents (BIL-35). */
export const minimumChargeUsdMinor = 50n;
