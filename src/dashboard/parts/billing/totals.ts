/** Totals of documents with one status in one currency. */
type StatusTotal = { readonly currency: string; readonly status: string; readonly count: number };

/** Totals of statuses as totals of currencies: each figure is the sum of what `figures` takes of a status. */
export function totalsByCurrency<Total extends StatusTotal, Figures extends Readonly<Record<string, number>>>(
  totals: readonly Total[],
  figures: (total: Total) => Figures,
): (Figures & { readonly currency: string })[] {
  const sums = new Map<string, Readonly<Record<string, number>>>();
  for (const total of totals) {
    const before = sums.get(total.currency);
    const added = Object.entries(figures(total)).map(([name, value]) => [
      name,
      value + (before?.[name] ?? 0),
    ]);
    sums.set(total.currency, Object.fromEntries(added));
  }
  return [...sums].map(([currency, sum]) => ({ ...(sum as Figures), currency }));
}

/** Totals of invoices with one status in one currency, minor units. */
type InvoiceTotal = StatusTotal & { readonly total: number; readonly outstanding: number };

/** What was billed and is open by currency, minor units; the largest count first. Void invoices and drafts bill nothing. */
export const invoiceTotals = (totals: readonly InvoiceTotal[]) =>
  totalsByCurrency(totals, ({ status, count, total, outstanding }) => ({
    count,
    total: status === 'void' || status === 'draft' ? 0 : total,
    outstanding,
  })).sort((one, other) => other.count - one.count);

/** Totals of payments with one status in one currency, minor units. */
type PaymentTotal = StatusTotal & { readonly amount: number; readonly refunded: number };

/**
 * What payments brought by currency, minor units; the one with most payments first. `collected` is before refunds: declined and pending attempts
 * collected nothing. `payments` and `declined` count those that brought money and those that failed.
 */
export const paymentTotals = (totals: readonly PaymentTotal[]) =>
  totalsByCurrency(totals, ({ status, count, amount, refunded }) => {
    const isCollected = status === 'succeeded' || status === 'refunded' || status === 'disputed';
    return {
      count,
      collected: isCollected ? amount : 0,
      refunded,
      payments: isCollected ? count : 0,
      declined: status === 'failed' ? count : 0,
    };
  }).sort((one, other) => other.payments - one.payments);

/** Totals of links, one-time payments, refunds or payouts with one status in one currency, minor units. */
type AmountTotal = StatusTotal & { readonly amount: number };

const sumsOf = (totals: readonly AmountTotal[], done: readonly string[], open: readonly string[]) =>
  totalsByCurrency(totals, ({ status, count, amount }) => ({
    count,
    done: done.includes(status) ? amount : 0,
    open: open.includes(status) ? amount : 0,
  })).sort((one, other) => other.count - one.count);

/** What links and one-time payments have brought and may bring by currency, minor units; the largest count first. */
export const linkTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['succeeded'], ['pending', 'processing']);

/** What payouts have brought to the bank, and what is on its way there, minor units. */
export const payoutTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['paid'], ['pending', 'in_transit']);

/** What refunds have returned, and what is on its way back, by currency, minor units; the largest count first. */
export const refundTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['succeeded'], ['pending', 'requires_action']);
