import { isCollected } from '../../../domain/payments/instruments/stages.ts';
import type {
  ChangeSet,
  InvoiceLineRow,
  InvoiceRow,
  TransactionRow,
} from '../../../domain/subscription/state/aggregate.ts';

/** Simulated invoice with its payment attempts. `lines` is `null` if the line items are already stored. */
export type SimulatedInvoice = {
  readonly invoice: InvoiceRow;
  readonly lines: readonly InvoiceLineRow[] | null;
  /** True if the invoice isn't stored yet. */
  readonly isNew: boolean;
  readonly payments: readonly TransactionRow[];
  /** True if the subscription of the invoice isn't stored yet. Defaults to false. */
  readonly isOfNewSubscription?: boolean;
};

/** Returns the invoices that a sequence of change sets creates or changes, in order of appearance and in their final state. */
export function simulatedInvoices(sets: readonly ChangeSet[]): SimulatedInvoice[] {
  const invoices = new Map<string, { invoice: InvoiceRow; isNew: boolean; isWritten: boolean }>();
  const payments = new Map<string, TransactionRow>();
  for (const set of sets) {
    const refunded = new Set(
      set.creditNotes.flatMap(({ reason, invoiceId }) => (reason === 'refund' ? [invoiceId] : [])),
    );
    for (const [id, { flag, row }] of set.invoices) {
      // A refund only changes the credited amount of its invoice.
      if (flag === 'changed' && refunded.has(id)) continue;
      const isWritten = flag === 'new' || set.clearedInvoices.includes(id);
      const known = invoices.get(id);
      invoices.set(id, {
        invoice: row,
        isNew: known?.isNew ?? flag === 'new',
        isWritten: known?.isWritten === true || isWritten,
      });
    }
    for (const [id, { row }] of set.transactions) payments.set(id, row);
  }
  const lines = Map.groupBy(
    sets.flatMap((set) => set.lines),
    ({ invoiceId }) => invoiceId,
  );
  const attempts = Map.groupBy(payments.values(), ({ invoiceId }) => invoiceId);
  return [...invoices.values()].map(({ invoice, isNew, isWritten }) => ({
    invoice,
    isNew,
    lines: isWritten ? (lines.get(invoice.id) ?? []) : null,
    payments: attempts.get(invoice.id) ?? [],
  }));
}

/** Totals of simulated invoices in one currency, in minor units. */
export type SimulatedTotals = {
  readonly currency: string;
  /** Total of the issued invoices. Excludes void invoices. */
  readonly invoicedMinor: bigint;
  /** Tax included in `invoicedMinor`. */
  readonly taxMinor: bigint;
  /** Amount that charges collected. */
  readonly collectedMinor: bigint;
  /** Amount that stays outstanding or becomes uncollectible. */
  readonly unpaidMinor: bigint;
};

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

/** Returns the totals of simulated invoices by currency, in alphabetical order. */
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
    const settled = invoices.flatMap(({ payments }) => payments.filter(isCollected));
    return {
      currency,
      invoicedMinor: sum(issued.map(({ total }) => total)),
      taxMinor: sum(issued.map(({ taxAmount }) => taxAmount)),
      collectedMinor: sum(settled.map(({ amountMinor }) => amountMinor)),
      unpaidMinor: sum(open.map(({ invoice }) => invoice.total - invoice.creditedDue - invoice.paidInParts)),
    };
  });
}
