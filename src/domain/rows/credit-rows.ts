import type { CustomerCreditSource } from './enums.ts';

/**
 * Credit that reduces invoices in its currency, in minor units. Remaining amount = amount − applied +
 * reversed − revoked (BIL-19). An expired credit keeps its remaining amount, but the amount isn't usable.
 */
export type CustomerCreditRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly currency: string;
  readonly source: CustomerCreditSource;
  readonly reason: string;
  /** Invoice of the plan change that created the credit. `null` if the credit has another source. */
  readonly leftByInvoiceId: string | null;
  readonly amountMinor: bigint;
  readonly appliedMinor: bigint;
  readonly reversedMinor: bigint;
  readonly revokedMinor: bigint;
  readonly remainingMinor: bigint;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Customer credit that an invoice used, in minor units. Positive. */
export type CreditUse = {
  readonly invoiceId: string;
  readonly creditId: string;
  readonly amountMinor: bigint;
};
