// What a preview comes to, in the few figures a button and the line beside it show.

/** An amount of a currency in minor units. */
export type Amount = { readonly amount: number; readonly currency: string };

/** What is read of a preview. */
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

/** The figures of a preview. */
export type Outcome = {
  /** What the card is charged at once. */
  readonly charged: readonly Amount[];
  /** What the card would be asked for and declines. */
  readonly declined: readonly (Amount & { readonly code: string | null })[];
  /** What invoices ask for that nothing has paid: the customer pays it at a checkout or later. */
  readonly unpaid: readonly Amount[];
  /** What the customer's credit pays. */
  readonly fromCredit: readonly Amount[];
  /** Whether the command is rejected as things stand. */
  readonly isRejected: boolean;
};

/** Sums by currency in the order of their first appearance; sums of zero are left out. */
export function sumsOf(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].flatMap(([currency, amount]) => (amount === 0 ? [] : [{ amount, currency }]));
}

/** The figures of a preview. */
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
