import type { Context } from '../../context.ts';
import { bucketsOf, type DayRange, spansOfSums } from '../../domain/metrics/range.ts';
import { type TaxExposure, taxExposureOf } from '../../domain/metrics/tax-exposure.ts';
import { readBilledSums } from '../ledger-days/store.ts';
import { findRegistrations } from '../tax-registrations/store.ts';

/** What was billed to each country in a range, beside the tax registrations there are now. Throws `validation_error` for a reversed range. */
export async function computeExposure(ctx: Context, { from, to }: DayRange): Promise<TaxExposure[]> {
  // One bucket: the range is checked as that of every series is.
  bucketsOf({ from, to }, 'year');
  const spans = { starts: [from], spans: spansOfSums({ from, to }, true) };
  const [sums, registrations] = await Promise.all([
    readBilledSums(ctx.sql, spans, 'country'),
    findRegistrations(ctx),
  ]);
  return taxExposureOf(sums, registrations);
}
