import type { Search } from '../../address.ts';

/** The views of the metrics, the usual one first. */
export const views = [
  'mrr',
  'retention',
  'scheduled',
  'trials',
  'cash',
  'receivables',
  'recovery',
  'usage',
] as const;

export type View = (typeof views)[number];

/** The view a text of the address names; recurring revenue for any other. */
export const viewOf = (text: string | undefined): View => views.find((view) => view === text) ?? 'mrr';

/** What the address of a view says: controls that views share go along. Scheduled changes lie ahead, so that days do not go there, nor back. */
export function searchOfView(view: View, { interval, currency, ...search }: Search): Search {
  const isOtherTime = (view === 'scheduled') !== (search['view'] === 'scheduled');
  const { from, until } = isOtherTime ? {} : search;
  return { view: view === 'mrr' ? undefined : view, from, until, interval, currency };
}
