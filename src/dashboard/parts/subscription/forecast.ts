// The invoices of the months ahead, added up for a row of bars.

/** What is read of an invoice to come. */
export type ForecastInvoice = {
  readonly issueDate: string;
  readonly total: number;
  readonly currency: string;
};

/** A month and what its invoices come to, in minor units. */
export type ForecastMonth = { readonly month: string; readonly total: number; readonly count: number };

/** The months of a forecast with what falls due in each, one row of months for each currency, the largest sum first. */
export function forecastMonths(
  invoices: readonly ForecastInvoice[],
  from: string,
  months: number,
): { currency: string; total: number; months: ForecastMonth[] }[] {
  const first = new Date(from);
  const keys = Array.from({ length: months + 1 }, (_, index) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index)).toISOString().slice(0, 7),
  );
  const currencies = [...new Set(invoices.map(({ currency }) => currency))];
  return currencies
    .map((currency) => {
      const own = invoices.filter((each) => each.currency === currency);
      const rows = keys.map((month) => {
        const due = own.filter(({ issueDate }) => issueDate.startsWith(month));
        return { month, count: due.length, total: due.reduce((sum, { total }) => sum + total, 0) };
      });
      return { currency, total: own.reduce((sum, { total }) => sum + total, 0), months: rows };
    })
    .sort((a, b) => b.total - a.total);
}
