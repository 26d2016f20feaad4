import { isFinal } from '../../domain/meters/meter.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import { countedIn } from '../../domain/usage/counter.ts';
import type { Context } from '../../request/context.ts';
import { readMeasured } from '../load/measured.ts';

/**
 * Returns a counter with the total so far if the total is known only at the end of the window (PRM-121). Returns other
 * counters unchanged, without an SQL statement.
 */
export async function countedSoFar(ctx: Context, counter: UsageCounterRow): Promise<UsageCounterRow> {
  if (counter.meter === null || !isFinal(counter.meter)) return counter;
  const window = { start: counter.windowStart, end: ctx.clock.now() };
  return countedIn(counter, await readMeasured(ctx.sql, [counter]), window);
}
