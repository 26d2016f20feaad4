import type { HeldFeature } from '../pricing/terms.ts';
import type { CustomerCreditRow, InvoiceLineRow } from '../subscription/rows.ts';
import type { BillingInterval } from '../words.ts';

/** The plan base of the period that opens; its amount in minor units. */
export type BaseFacts = { readonly planName: string; readonly billingInterval: BillingInterval; readonly amountMinor: bigint };

/** What an offer takes off the base, a positive amount in minor units; `value` is basis points of a percentage, minor units of an amount. */
export type DiscountFacts = {
  readonly isPromoCode: boolean;
  readonly type: 'percentage' | 'amount';
  readonly value: bigint;
  readonly name: string;
  readonly amountMinor: bigint;
};

/** A seats feature with the count in force when the period opens. */
export type SeatFacts = HeldFeature & { readonly count: bigint };

/** What lines are made of. */
export type LineFacts = {
  readonly currency: string;
  /** Null where no base is charged. */
  readonly base: BaseFacts | null;
  /** Null where no offer lowers the base. */
  readonly discount: DiscountFacts | null;
  /** In order of feature codes. */
  readonly seats: readonly SeatFacts[];
  /** Those that can be used, in the currency, in the order they are drawn on. */
  readonly credits: readonly CustomerCreditRow[];
};

/** A line before it has a place on an invoice. */
export type LineDraft = Omit<InvoiceLineRow, 'id' | 'invoiceId' | 'position'>;

/** Makes the lines of one kind, in their order; `before` are the lines of the kinds before it. */
export type LineSource = (facts: LineFacts, before: readonly LineDraft[]) => readonly LineDraft[];

/** Fields most lines leave empty. */
export const emptyLine = {
  featureName: null,
  includedAmount: null,
  usedAmount: null,
  overageAmount: null,
  discountType: null,
  discountValue: null,
  discountName: null,
  creditId: null,
} as const;
