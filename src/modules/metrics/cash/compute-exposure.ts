import { bucketsOf, type DayRange, spansOfSums } from '../../../domain/metrics/range.ts';
import { type TaxExposure, taxExposureOf } from '../../../domain/metrics/tax-exposure.ts';
import type { Context } from '../../../request/context.ts';
import { findRegistrations } from '../../organization/tax-registrations/store.ts';
import { readBilledSums } from '../ledger-days/store.ts';

/**
 * Computes the billed amount for each country in a date range, with the country's current tax registration. Throws `validation_error` if
 * the range is reversed.
 */
export async function computeExposure(ctx: Context, { from, to }: DayRange): Promise<TaxExposure[]> {
  // The result isn't needed: this call only validates the date range, as for a series.
  bucketsOf({ from, to }, 'year');
  const spans = { starts: [from], spans: spansOfSums({ from, to }, true) };
  const [sums, registrations] = await Promise.all([
    readBilledSums(ctx.reads, spans, 'country'),
    findRegistrations(ctx),
  ]);
  return taxExposureOf(sums, registrations);
}
