import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { ratioBps } from '../../domain/metrics/ratio.ts';
import { retentionMonths } from './rules.ts';
import { type CohortRow, type RetentionRow, readCohorts, readRetention } from './store.ts';

/** Retention in one currency. */
export type Retention = RetentionRow & {
  readonly netBps: bigint | null;
  readonly grossBps: bigint | null;
  readonly customerBps: bigint | null;
};

/** What the shares of the customers of one month come to at the end of another (MET-21). Throws `validation_error` for another number of months. */
export async function computeRetention(
  ctx: Context,
  { month, months }: { readonly month: string; readonly months?: number | null | undefined },
): Promise<Retention[]> {
  const distance = months ?? 12;
  if (!retentionMonths.some((known) => known === distance))
    throw specificError('validation_error', 'retention_months', {
      param: 'months',
      values: { months: retentionMonths.join(', ') },
    });
  const rows = await readRetention(ctx.sql, month.slice(0, 7), distance);
  return rows.map((row) => ({
    ...row,
    netBps: ratioBps(row.closing, row.opening),
    grossBps: ratioBps(row.retained, row.opening),
    customerBps: ratioBps(row.left, row.customers),
  }));
}

/** The customers who paid first in one month, in one currency, month by month. */
export type Cohort = {
  readonly month: string;
  readonly currency: string;
  readonly cells: readonly CohortRow[];
};

/** The cohorts whose months lie in a range of days, the earliest first. */
export async function computeCohorts(
  ctx: Context,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Cohort[]> {
  if (from > to) throw specificError('validation_error', 'range_reversed', { param: 'from' });
  const cells = await readCohorts(ctx.sql, from.slice(0, 7), to.slice(0, 7));
  const cohorts = Map.groupBy(cells, ({ currency, cohort }) => `${currency} ${cohort}`);
  return [...cohorts.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ month: first.cohort, currency: first.currency, cells: own }];
  });
}
