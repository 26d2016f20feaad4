/** Amount that an invoice used from a customer credit or a prepaid commitment, in minor units. Positive. */
export type CreditUse = {
  readonly invoiceId: string;
  readonly creditId: string;
  readonly amountMinor: bigint;
};
