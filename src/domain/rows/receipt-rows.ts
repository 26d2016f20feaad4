import type { InstrumentName, ReceiptSource, ReceiptStatus } from './enums.ts';

/**
 * Money that a payer sent without a charge, such as a bank transfer (INS-70). `amountMinor` = `appliedMinor` + `returnedMinor` + the
 * amount on account.
 */
export type ReceiptRow = {
  readonly id: string;
  readonly seq: bigint | null;
  /** `null` if the receipt isn't matched to an invoice. */
  readonly customerId: string | null;
  /** Invoice that the receipt was matched to or assigned to. `null` if the receipt isn't matched. */
  readonly invoiceId: string | null;
  readonly status: ReceiptStatus;
  readonly source: ReceiptSource;
  readonly instrument: InstrumentName;
  readonly currency: string;
  readonly amountMinor: bigint;
  /** Part that was applied to invoices. */
  readonly appliedMinor: bigint;
  /** Part that was returned to the payer. */
  readonly returnedMinor: bigint;
  /** Text that the payer entered. `null` if the payer entered no text. */
  readonly reference: string | null;
  readonly payerName: string | null;
  /** Reference that identifies the receipt at the bank. A reference is recorded once. */
  readonly bankReference: string;
  /** Payment attempt that had ended before the money arrived (INS-74). `null` unless the money is late. */
  readonly lateOf: string | null;
  readonly receivedAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
