import { filterText } from '../../kit/list/filters.ts';

// Query parameters that filter the lists that a metric links to.

/** First and last day of a chart point, inclusive. */
export type Days = { readonly start: string; readonly end: string };

/** Returns the query parameter that filters a list by a range of days. */
export const daysFilter = (field: string, { start, end }: Days): Readonly<Record<string, string>> => ({
  [field]: filterText({ field, comparison: 'between', values: [start, end] }),
});

/** Aging buckets of outstanding invoices. */
export const ageings = ['notDue', 'd1To30', 'd31To60', 'd61To90', 'd91'] as const;

export type Ageing = (typeof ageings)[number];

/** Days past due at the start and end of each aging bucket. */
const ages = { d1To30: [1, 30], d31To60: [31, 60], d61To90: [61, 90] } as const;

const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

/** Returns the query parameters that filter the invoice list by an aging bucket at the end of a day. */
export function daysOfAgeing(ageing: Ageing, day: string): Readonly<Record<string, string>> {
  if (ageing === 'notDue') return { due: filterText({ field: 'due', comparison: 'since', values: [day] }) };
  if (ageing === 'd91')
    return { due: filterText({ field: 'due', comparison: 'before', values: [before(day, 90)] }) };
  const [least, most] = ages[ageing];
  return daysFilter('due', { start: before(day, most), end: before(day, least) });
}
