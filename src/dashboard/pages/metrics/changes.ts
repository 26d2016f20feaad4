import type { MrrChangesQuery, MrrChangesQueryVariables } from './changes.graphql';

/** Which changes of recurring revenue are shown: those of some days, of a kind and for a reason. */
export type ChangesFilter = Pick<MrrChangesQueryVariables, 'from' | 'to' | 'kind' | 'reason'>;

type Row = MrrChangesQuery['mrrChanges']['nodes'][number];

/** A filter as the address says it: `2027-01-01.2027-01-31.churn.canceled`. */
export const changesText = ({ from, to, kind, reason }: ChangesFilter): string =>
  [from, to, kind ?? '', reason ?? ''].join('.').replace(/\.+$/, '');

/** The filter that the address says; null for none. */
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

/** The days of a point: from its first day to that before the next point, within the days of the chart. */
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
