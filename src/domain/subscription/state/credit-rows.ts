// Customer credits, as they are stored.
import type { CustomerCreditSource } from '../../enums.ts';

/**
 * Money that lowers eligible invoices in one currency, minor units; remaining = amount − applied + reversed −
 * revoked (BIL-19). What remains when it expires stays, and can no longer be used.
 */
export type CustomerCreditRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly currency: string;
  readonly source: CustomerCreditSource;
  readonly reason: string;
  readonly amountMinor: bigint;
  readonly appliedMinor: bigint;
  readonly reversedMinor: bigint;
  readonly revokedMinor: bigint;
  readonly remainingMinor: bigint;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What an invoice took from a customer credit; minor units, above 0. */
export type CreditUse = {
  readonly invoiceId: string;
  readonly creditId: string;
  readonly amountMinor: bigint;
};
