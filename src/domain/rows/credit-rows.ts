/** Customer credit that an invoice used, in minor units. Positive. */
export type CreditUse = {
  readonly invoiceId: string;
  readonly creditId: string;
  readonly amountMinor: bigint;
};
