import { filterText } from '../../kit/list/filters.ts';

// Filters of lists by the days a figure counts, as addresses say them.

/** The days of a point, both included. */
export type Days = { readonly start: string; readonly end: string };

/** A filter of a list by days, as its address says it. */
export const daysFilter = (field: string, { start, end }: Days): Readonly<Record<string, string>> => ({
  [field]: filterText({ field, comparison: 'between', values: [start, end] }),
});

/** How long what is owed has been due. */
export const ageings = ['notDue', 'd1To30', 'd31To60', 'd61To90', 'd91'] as const;

export type Ageing = (typeof ageings)[number];

/** Days before the day of the figures. */
const ages = { d1To30: [1, 30], d31To60: [31, 60], d61To90: [61, 90] } as const;

const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);

/** The filter of the list of invoices by the days on which what is so old at the end of a day fell due. */
export function daysOfAgeing(ageing: Ageing, day: string): Readonly<Record<string, string>> {
  if (ageing === 'notDue') return { due: filterText({ field: 'due', comparison: 'since', values: [day] }) };
  if (ageing === 'd91')
    return { due: filterText({ field: 'due', comparison: 'before', values: [before(day, 90)] }) };
  const [least, most] = ages[ageing];
  return daysFilter('due', { start: before(day, most), end: before(day, least) });
}
