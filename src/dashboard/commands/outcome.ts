// Amounts that a previewed command charges, leaves unpaid, or covers with customer credit.

/** Amount in minor units of the currency. */
export type Amount = { readonly amount: number; readonly currency: string };

/** Fields of a command preview that are used to calculate the totals. */
export type PreviewedChange = {
  readonly rejection?: { readonly code: string; readonly message: string } | null;
  readonly totals: readonly {
    readonly currency: string;
    readonly collected: number;
    readonly invoiced: number;
    readonly tax: number;
    readonly unpaid: number;
  }[];
  readonly invoices: readonly {
    readonly status: string;
    readonly total: number;
    readonly currency: string;
    readonly creditApplied: number;
    readonly payments: readonly {
      readonly status: string;
      readonly amount: number;
      readonly currency: string;
      readonly declineCode?: string | null;
    }[];
  }[];
};

/** Amounts of a previewed command, by currency. */
export type Outcome = {
  /** Amounts that are charged to the card immediately. */
  readonly charged: readonly Amount[];
  /** Amounts of charges that the bank would decline. */
  readonly declined: readonly (Amount & { readonly code: string | null })[];
  /** Invoice amounts that aren't charged automatically. The customer pays them at checkout or later. */
  readonly unpaid: readonly Amount[];
  /** Amounts covered by customer credit. */
  readonly fromCredit: readonly Amount[];
  /** True if the preview rejects the command. */
  readonly isRejected: boolean;
};

/** Sums up amounts by currency, in order of first appearance. Omits sums of zero. */
export function sumsOf(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].flatMap(([currency, amount]) => (amount === 0 ? [] : [{ amount, currency }]));
}

export function outcomeOf({ rejection, totals, invoices }: PreviewedChange): Outcome {
  const payments = invoices.flatMap((invoice) => invoice.payments);
  return {
    charged: sumsOf(totals.map(({ collected, currency }) => ({ amount: collected, currency }))),
    declined: payments
      .filter(({ status }) => status === 'failed')
      .map(({ amount, currency, declineCode }) => ({ amount, currency, code: declineCode ?? null })),
    unpaid: sumsOf(totals.map(({ unpaid, currency }) => ({ amount: unpaid, currency }))),
    fromCredit: sumsOf(invoices.map(({ creditApplied, currency }) => ({ amount: creditApplied, currency }))),
    isRejected: rejection !== null && rejection !== undefined,
  };
}
