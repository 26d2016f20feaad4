import type {
  ChangeSet,
  InvoiceLineRow,
  InvoiceRow,
  TransactionRow,
} from '../../domain/subscription/state/aggregate.ts';

/** An invoice as it would be, with its attempts at payment. `lines` are null for one that exists: its lines are stored. */
export type SimulatedInvoice = {
  readonly invoice: InvoiceRow;
  readonly lines: readonly InvoiceLineRow[] | null;
  readonly payments: readonly TransactionRow[];
  /** Whether its subscription does not exist yet either; false where not said. */
  readonly isOfNewSubscription?: boolean;
};

/** The invoices that change sets, made one after another, issue or change, in the order they come up, each as the last leaves it. */
export function simulatedInvoices(sets: readonly ChangeSet[]): SimulatedInvoice[] {
  const invoices = new Map<string, { invoice: InvoiceRow; isNew: boolean }>();
  const payments = new Map<string, TransactionRow>();
  for (const set of sets) {
    for (const [id, { flag, row }] of set.invoices)
      invoices.set(id, { invoice: row, isNew: invoices.get(id)?.isNew ?? flag === 'new' });
    for (const [id, { row }] of set.transactions) payments.set(id, row);
  }
  const lines = Map.groupBy(
    sets.flatMap((set) => set.lines),
    ({ invoiceId }) => invoiceId,
  );
  const attempts = Map.groupBy(payments.values(), ({ invoiceId }) => invoiceId);
  return [...invoices.values()].map(({ invoice, isNew }) => ({
    invoice,
    lines: isNew ? (lines.get(invoice.id) ?? []) : null,
    payments: attempts.get(invoice.id) ?? [],
  }));
}

/** Sums in one currency, minor units. */
export type SimulatedTotals = {
  readonly currency: string;
  /** Totals of the invoices that are issued and not withdrawn. */
  readonly invoicedMinor: bigint;
  /** The tax in them. */
  readonly taxMinor: bigint;
  /** What is paid by charges. */
  readonly collectedMinor: bigint;
  /** What these invoices leave open or given up. */
  readonly unpaidMinor: bigint;
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** What invoices come to, currency by currency, in the order of the alphabet. */
export function simulatedTotals(simulated: readonly SimulatedInvoice[]): SimulatedTotals[] {
  const byCurrency = [...Map.groupBy(simulated, ({ invoice }) => invoice.currency)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return byCurrency.map(([currency, invoices]) => {
    const issued = invoices
      .filter(({ lines, invoice }) => lines !== null && invoice.status !== 'void')
      .map(({ invoice }) => invoice);
    const open = invoices.filter(
      ({ invoice: { status } }) => status === 'outstanding' || status === 'uncollectible',
    );
    const settled = invoices.flatMap(({ payments }) => payments.filter(({ paidAt }) => paidAt !== null));
    return {
      currency,
      invoicedMinor: sum(issued.map(({ total }) => total)),
      taxMinor: sum(issued.map(({ taxAmount }) => taxAmount)),
      collectedMinor: sum(settled.map(({ amountMinor }) => amountMinor)),
      unpaidMinor: sum(open.map(({ invoice }) => invoice.total)),
    };
  });
}
