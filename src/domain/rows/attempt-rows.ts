import type { MandateStatus, TransactionStage } from './enums.ts';

/** State of a payment attempt, as reported by the processor, the bank, or the sandbox (INS-11). */
export type AttemptReport = {
  readonly stage: TransactionStage;
  /** Time in ISO format. */
  readonly at: string;
  /** Code of the bank or the processor. Absent unless the attempt failed or was returned. */
  readonly code?: string;
};

/** Report about a payment attempt, or about the end of its mandate. */
export type AttemptSignal =
  | Omit<AttemptReport, 'at'>
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
  /** Number of debits under the mandate. */
  readonly debits: number;
  readonly endedAt: Date | null;
  /** Code of the bank for the end of the mandate. `null` if the mandate is active. */
  readonly reason: string | null;
};
