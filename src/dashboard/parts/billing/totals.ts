/** Totals of objects with the same currency. */
type CurrencyTotal = { readonly currency: string; readonly count: number };

/** Totals of objects with the same status and currency. */
type StatusTotal = CurrencyTotal & { readonly status: string };

/** Groups totals by currency. Adds up the values that `figures` returns for each total. */
function totalsByCurrency<Total extends CurrencyTotal, Figures extends Readonly<Record<string, number>>>(
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

/** Totals of invoices with the same status and currency, in minor units. */
type InvoiceTotal = StatusTotal & { readonly total: number; readonly outstanding: number };

/**
 * Returns billed and outstanding amounts by currency in minor units. The currency with the most invoices comes first. Excludes drafts and void
 * invoices.
 */
export const invoiceTotals = (totals: readonly InvoiceTotal[]) =>
  totalsByCurrency(totals, ({ status, count, total, outstanding }) => ({
    count,
    total: status === 'void' || status === 'draft' ? 0 : total,
    outstanding,
  })).sort((one, other) => other.count - one.count);

/** Totals of payments with the same status and currency, in minor units. */
type PaymentTotal = StatusTotal & { readonly amount: number; readonly refunded: number };

/**
 * Returns payment totals by currency in minor units. The currency with the most payments comes first. `collected` is the amount before refunds.
 * `payments` and `declined` are the numbers of successful and declined payments.
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

/** Totals of payment links, one-time payments, refunds or payouts with the same status and currency, in minor units. */
type AmountTotal = StatusTotal & { readonly amount: number };

const sumsOf = (totals: readonly AmountTotal[], done: readonly string[], open: readonly string[]) =>
  totalsByCurrency(totals, ({ status, count, amount }) => ({
    count,
    done: done.includes(status) ? amount : 0,
    open: open.includes(status) ? amount : 0,
  })).sort((one, other) => other.count - one.count);

/**
 * Returns collected and pending amounts of payment links and one-time payments by currency, in minor units. The currency with the most objects comes
 * first.
 */
export const linkTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['succeeded'], ['pending', 'processing']);

/** Returns paid and pending amounts of payouts, in minor units. */
export const payoutTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['paid'], ['pending', 'in_transit']);

/** Returns completed and pending amounts of refunds by currency, in minor units. The currency with the most refunds comes first. */
export const refundTotals = (totals: readonly AmountTotal[]) =>
  sumsOf(totals, ['succeeded'], ['pending', 'requires_action']);

/** Totals of subscriptions with the same status and currency. `mrr` is in ten-thousandths of the currency unit. */
type SubscriptionTotal = StatusTotal & { readonly mrr: number };

/** Returns the recurring revenue by currency, in ten-thousandths of the currency unit. The currency with the most subscriptions comes first. */
export const subscriptionTotals = (totals: readonly SubscriptionTotal[]) =>
  totalsByCurrency(totals, ({ count, mrr }) => ({ count, mrr })).sort(
    (one, other) => other.count - one.count,
  );

/** Totals of credit notes with the same reason and currency, in minor units. Amounts are 0 or negative. */
type CreditNoteTotal = CurrencyTotal & { readonly total: number; readonly taxAmount: number };

/**
 * Returns credited amounts and credited tax by currency in minor units. Credited amounts are positive. The currency with the most credit
 * notes comes first.
 */
export const creditNoteTotals = (totals: readonly CreditNoteTotal[]) =>
  totalsByCurrency(totals, ({ count, total, taxAmount }) => ({
    count,
    credited: 0 - total,
    tax: 0 - taxAmount,
  })).sort((one, other) => other.count - one.count);
