import { specificError } from '../../../domain/errors/errors.ts';
import { ratioBps } from '../../../domain/money/ratio.ts';
import type { Context } from '../../../request/context.ts';
import { retentionMonths } from './rules.ts';
import { type CohortRow, type RetentionRow, readCohorts, readRetention } from './store.ts';

export type Retention = RetentionRow & {
  readonly netBps: bigint | null;
  readonly grossBps: bigint | null;
  readonly customerBps: bigint | null;
};

/**
 * Computes how many of one month's customers still pay at the end of a later month, with their revenue (MET-21). Throws `validation_error`
 * if the number of months isn't supported.
 */
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
  const rows = await readRetention(ctx.reads, month.slice(0, 7), distance);
  return rows.map((row) => ({
    ...row,
    netBps: ratioBps(row.closing, row.opening),
    grossBps: ratioBps(row.retained, row.opening),
    customerBps: ratioBps(row.left, row.customers),
  }));
}

/**
 * Customers who first had recurring revenue in the same month and currency. Each cell contains the customers and the revenue at the end of
 * one month.
 */
export type Cohort = {
  readonly month: string;
  readonly currency: string;
  readonly cells: readonly CohortRow[];
};

/** Computes the cohorts of the months in a date range, oldest first. */
export async function computeCohorts(
  ctx: Context,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Cohort[]> {
  if (from > to) throw specificError('validation_error', 'range_reversed', { param: 'from' });
  const cells = await readCohorts(ctx.reads, from.slice(0, 7), to.slice(0, 7));
  const cohorts = Map.groupBy(cells, ({ currency, cohort }) => `${currency} ${cohort}`);
  return [...cohorts.values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ month: first.cohort, currency: first.currency, cells: own }];
  });
}
