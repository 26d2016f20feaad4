import type { Context } from '../../../request/context.ts';
import { readDayMismatches, readMonthMismatches, type SumMismatch } from '../day-sums/store.ts';
import { ledgerSource } from '../ledger-days/store.ts';
import { marginSource } from '../margin/store.ts';
import { outcomeSource } from '../outcome-days/store.ts';
import { usageSource } from '../usage-days/store.ts';
import { keepsRows, sources } from './list-sources.ts';

/** Sources whose daily sums are compared in SQL. The daily sums of revenue are compared with the subscriptions. */
const compared = [ledgerSource, marginSource, outcomeSource, usageSource];

/**
 * Compares all daily sums except those of recurring revenue with their sources, and all monthly sums with the daily sums. Skips daily sums
 * whose source rows are deleted after a retention period.
 */
export async function checkSums({ sql, app }: Context): Promise<SumMismatch[]> {
  const mismatches: SumMismatch[] = [];
  for (const source of compared) {
    if (keepsRows(app, source) || !source.check.isOfRows)
      mismatches.push(...(await readDayMismatches(sql, source)));
  }
  for (const source of sources) mismatches.push(...(await readMonthMismatches(sql, source)));
  return mismatches;
}
