import { minuteMs } from '../../../../domain/time/period.ts';
import type { Context } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { foldUsage, lockUsageCursor, restUsageCursor } from '../store.ts';

/** Length of the time slot whose events are aggregated in one transaction, according to the environment's clock. */
const slotMs = 5 * minuteMs;

/** Minimum age of a time slot. Long enough for all transactions that recorded events in the slot to commit. */
const settledMs = 2 * minuteMs;

/** Pause before the worker reads an environment without new usage again. */
const restMs = minuteMs;

const slotOf = (ms: number): number => Math.floor(ms / slotMs) * slotMs;

/**
 * Aggregates the next completed 5-minute slot that has events in an environment leased to `owner`, in one transaction. Returns `true` if
 * there may be more slots.
 */
export const foldSlot = (ctx: Context, owner: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const cursor = await lockUsageCursor(tx.sql, owner);
    if (cursor === null) return false;
    const { until, nextEventAt, counter } = cursor;
    const rest = new Date(tx.wall.now().getTime() + restMs);
    if (nextEventAt === null) {
      await restUsageCursor(tx.sql, rest, counter);
      return false;
    }
    const end = slotOf(nextEventAt.getTime()) + slotMs;
    if (end > tx.clock.now().getTime() - settledMs) {
      await restUsageCursor(tx.sql, rest, null);
      return false;
    }
    await foldUsage(tx.sql, until, new Date(end));
    return true;
  });
