// Compares the result of a run with its simulation.

/** Invoiced and collected amounts in one currency, in minor units. */
export type Sums = { readonly currency: string; readonly invoiced: number; readonly collected: number };

type InvoiceTotals = { readonly currency: string; readonly status: string; readonly total: number };
type TransactionTotals = { readonly currency: string; readonly status: string; readonly amount: number };

const settled = new Set(['succeeded', 'refunded', 'disputed']);

/** Adds up the invoices and payments of a period. Excludes void invoices and payments that weren't collected. */
export function actualSums(
  invoices: readonly InvoiceTotals[],
  transactions: readonly TransactionTotals[],
): Sums[] {
  const currencies = [...new Set([...invoices, ...transactions].map(({ currency }) => currency))].sort();
  const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);
  return currencies
    .map((currency) => ({
      currency,
      invoiced: sum(
        invoices
          .filter((each) => each.currency === currency && each.status !== 'void')
          .map(({ total }) => total),
      ),
      collected: sum(
        transactions
          .filter((each) => each.currency === currency && settled.has(each.status))
          .map(({ amount }) => amount),
      ),
    }))
    .filter(({ invoiced, collected }) => invoiced !== 0 || collected !== 0);
}

export type Compared = { readonly currency: string; readonly simulated: Sums; readonly actual: Sums };

/** Compares simulated and actual amounts by currency, and returns whether they match. */
export function compare(
  simulated: readonly Sums[],
  actual: readonly Sums[],
): { readonly rows: readonly Compared[]; readonly isEqual: boolean } {
  const currencies = [...new Set([...simulated, ...actual].map(({ currency }) => currency))].sort();
  const of = (sums: readonly Sums[], currency: string): Sums =>
    sums.find((each) => each.currency === currency) ?? { currency, invoiced: 0, collected: 0 };
  const rows = currencies
    .map((currency) => ({ currency, simulated: of(simulated, currency), actual: of(actual, currency) }))
    .filter(({ simulated: one, actual: other }) =>
      [one.invoiced, one.collected, other.invoiced, other.collected].some((amount) => amount !== 0),
    );
  const isEqual = rows.every(
    ({ simulated: one, actual: other }) =>
      one.invoiced === other.invoiced && one.collected === other.collected,
  );
  return { rows, isEqual };
}

/** Sorts failures first, then declined payments. Other items keep their order. */
export function failuresFirst<Item extends { readonly status: string; readonly outcome: string | null }>(
  items: readonly Item[],
): Item[] {
  const rank = ({ status, outcome }: Item) => (status === 'failed' ? 0 : isDeclined(outcome) ? 1 : 2);
  return items.toSorted((a, b) => rank(a) - rank(b));
}

const declined = new Set(['declined', 'exhausted', 'trial_past_due']);

export const isDeclined = (outcome: string | null): boolean => outcome !== null && declined.has(outcome);

const renewals = new Set([
  'renewed',
  'plan_changed',
  'trial_converted',
  'trial_past_due',
  'trial_pending_payment',
]);

export const itemFilters = ['all', 'renewals', 'declined', 'failed'] as const;
export type ItemFilter = (typeof itemFilters)[number];

export const itemsOf = <Item extends { readonly status: string; readonly outcome: string | null }>(
  items: readonly Item[],
  filter: ItemFilter,
): Item[] =>
  items.filter(({ status, outcome }) => {
    if (filter === 'all') return true;
    if (filter === 'failed') return status === 'failed';
    return filter === 'declined' ? isDeclined(outcome) : outcome !== null && renewals.has(outcome);
  });
