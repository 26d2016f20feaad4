import type { MarginAmountsFragment } from './series.graphql';

// Amounts of margins in ten-thousandths of the currency unit (10,000 = 1.00), rounded from exact decimals.

type Totals = { readonly price: number; readonly cost: number; readonly margin: number };

/** Price, cost and margin of a group in one currency. `cost` and `margin` are `null` if the plan had no exchange rate. */
export type MarginRow = {
  readonly key: string;
  readonly name: string;
  readonly currency: string;
  readonly price: number;
  readonly cost: number | null;
  readonly margin: number | null;
  readonly isBelowCost: boolean;
};

const rateOf = (decimal: string | null): number | null =>
  decimal === null ? null : Math.round(Number(decimal) * 10_000);

const sumOf = (values: readonly (string | null)[]): number =>
  Math.round(values.reduce((sum, value) => sum + Number(value ?? 0), 0) * 10_000);

/** Returns the sums of the price, the cost and the margin in a currency. Defaults to US dollars, into which all amounts are converted. */
export function marginTotals(groups: readonly MarginAmountsFragment[], currency?: string): Totals {
  const price = sumOf(groups.map((group) => (currency === undefined ? group.priceUsd : group.price)));
  const cost = sumOf(groups.map((group) => (currency === undefined ? group.costUsd : group.cost)));
  return { price, cost, margin: price - cost };
}

/** Returns the rows of groups, each in its currency. */
export const marginRows = (groups: readonly MarginAmountsFragment[]): readonly MarginRow[] =>
  groups.map((group) => ({
    key: group.group.key,
    name: group.group.name,
    currency: group.currency,
    price: rateOf(group.price) ?? 0,
    cost: rateOf(group.cost),
    margin: rateOf(group.margin),
    isBelowCost: group.isBelowCost,
  }));

/** Returns the sums in US dollars by key, in the order of the keys. */
export const marginPeriods = (
  groups: readonly MarginAmountsFragment[],
): readonly (Totals & { readonly key: string })[] =>
  [...Map.groupBy(groups, ({ group }) => group.key)]
    .map(([key, own]) => ({ key, ...marginTotals(own) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

/** Returns the last included day of the month of a day. */
export function monthEnd(day: string, until: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  return last < until ? last : until;
}
