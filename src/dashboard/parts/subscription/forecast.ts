// Adds up upcoming invoices by month for a bar chart.

/** Upcoming invoice that the forecast is calculated from. */
export type ForecastInvoice = {
  readonly issueDate: string;
  readonly total: number;
  readonly currency: string;
};

/** Month with the total of its upcoming invoices in minor units. */
export type ForecastMonth = { readonly month: string; readonly total: number; readonly count: number };

/** Returns the months of a forecast with their totals, by currency. The currency with the largest total comes first. */
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
