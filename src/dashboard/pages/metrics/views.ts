import type { Search } from '../../address.ts';

/** Views of the metrics page, the default first. */
export const views = [
  'mrr',
  'retention',
  'scheduled',
  'trials',
  'cash',
  'receivables',
  'recovery',
  'usage',
  'margin',
] as const;

export type View = (typeof views)[number];

/** Returns the view in the URL. Defaults to recurring revenue. */
export const viewOf = (text: string | undefined): View => views.find((view) => view === text) ?? 'mrr';

/**
 * Returns the query parameters of a view, including the controls that views share. The view of scheduled changes has its own date range, because
 * these changes are in the future.
 */
export function searchOfView(view: View, { interval, currency, ...search }: Search): Search {
  const isOtherTime = (view === 'scheduled') !== (search['view'] === 'scheduled');
  const { from, until } = isOtherTime ? {} : search;
  return { view: view === 'mrr' ? undefined : view, from, until, interval, currency };
}
