import { minuteMs } from '../../../domain/time/period.ts';
import type { TransactionContext } from '../../../request/context.ts';
import { readNextUsage, restUsage } from './store.ts';

/** Length of the time slot whose events are aggregated in one transaction, according to the environment's clock. */
const slotMs = 5 * minuteMs;

/** Minimum age of a time slot. Long enough for all transactions that recorded events in the slot to commit. */
const settledMs = 2 * minuteMs;

/** Pause before the worker reads an environment again whose next slot isn't complete. */
const restMs = minuteMs;

const slotOf = (ms: number): number => Math.floor(ms / slotMs) * slotMs;

/**
 * Returns the end of the next completed 5-minute slot that has events recorded since `until`. `null` if no slot is ready; the worker then pauses for this
 * environment. The caller must have locked the cursor.
 */
export async function findUsageSlot(
  { sql, wall, clock }: TransactionContext,
  { until }: { readonly until: Date },
): Promise<Date | null> {
  const next = await readNextUsage(sql, until);
  const end = next === null ? null : slotOf(next.getTime()) + slotMs;
  if (end !== null && end <= clock.now().getTime() - settledMs) return new Date(end);
  await restUsage(sql, new Date(wall.now().getTime() + restMs));
  return null;
}
