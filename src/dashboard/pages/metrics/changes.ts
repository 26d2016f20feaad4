import type { MrrChangesQuery, MrrChangesQueryVariables } from './changes.graphql';

/** Filter for MRR changes by date, type and reason. */
export type ChangesFilter = Pick<MrrChangesQueryVariables, 'from' | 'to' | 'kind' | 'reason'>;

type Row = MrrChangesQuery['mrrChanges']['nodes'][number];

/** Formats a filter for the URL: `2027-01-01.2027-01-31.churn.canceled`. */
export const changesText = ({ from, to, kind, reason }: ChangesFilter): string =>
  [from, to, kind ?? '', reason ?? ''].join('.').replace(/\.+$/, '');

/** Parses the filter in the URL. `null` if there is no filter. */
export function changesFrom(
  text: string | undefined,
  known: { readonly kinds: object; readonly reasons: object },
): ChangesFilter | null {
  const [, from, to, kind = '', reason = ''] =
    /^(\d{4}-\d{2}-\d{2})\.(\d{4}-\d{2}-\d{2})(?:\.(\w*))?(?:\.(\w*))?$/.exec(text ?? '') ?? [];
  if (from === undefined || to === undefined) return null;
  return {
    from,
    to,
    ...(Object.hasOwn(known.kinds, kind) && { kind: kind as Row['kind'] }),
    ...(Object.hasOwn(known.reasons, reason) && { reason: reason as Row['reason'] }),
  };
}

const dayMs = 86_400_000;

/**
 * Returns the date range of a chart point: from its first day to the day before the next point, limited to the range of the
 * chart.
 */
export function daysOfPoint(
  points: readonly { readonly start: string }[],
  index: number,
  range: { readonly from: string; readonly to: string },
): { readonly from: string; readonly to: string } {
  const [point, next] = [points[index], points[index + 1]];
  const start = point?.start ?? range.from;
  const end =
    next === undefined ? range.to : new Date(Date.parse(next.start) - dayMs).toISOString().slice(0, 10);
  return { from: start < range.from ? range.from : start, to: end };
}
