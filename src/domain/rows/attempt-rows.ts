import type { MandateEnder, MandateStatus, TransactionStage } from './enums.ts';

/** State of a payment attempt, as reported by the processor, the bank, or the sandbox (INS-11). */
export type AttemptReport = {
  readonly stage: TransactionStage;
  /** Time in ISO format. */
  readonly at: string;
  /** Code of the bank or the processor. Absent unless the attempt failed or was returned. */
  readonly code?: string;
  /** True if the report contradicts the result of the attempt, which it doesn't change. */
  readonly isContradiction?: true;
};

/** Instructions to a payer who starts the payment (INS-141). */
export type PaymentInstructions =
  /** Code to copy, which is also the content of the QR code. */
  | { readonly kind: 'qr'; readonly code: string }
  /** Line of a payment slip, in digits. */
  | { readonly kind: 'slip'; readonly line: string }
  /** Bank account to transfer the amount to, with the reference of the payment. */
  | {
      readonly kind: 'bank_details';
      readonly holder: string;
      readonly iban: string;
      readonly bankName: string;
      readonly reference: string;
    };

/** Report about a payment attempt, or about the end of its mandate. */
export type AttemptSignal =
  | Pick<AttemptReport, 'stage' | 'code'>
  | { readonly mandate: 'revoked'; readonly code: string };

/** Permission of a payer to debit a bank account (INS-61). */
export type MandateRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly status: MandateStatus;
  readonly reference: string;
  readonly acceptedAt: Date;
  /** Version of the mandate text that the payer accepted. `null` if the payment method was sent as a token. */
  readonly textVersion: string | null;
  /** Number of debits under the mandate. */
  readonly debits: number;
  readonly endedAt: Date | null;
  /** Party that ended the mandate. `null` if the mandate is active. */
  readonly endedBy: MandateEnder | null;
  /** Code of the bank for the end of the mandate. `null` unless the bank ended the mandate. */
  readonly reason: string | null;
};
