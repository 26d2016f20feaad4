import type { Context } from '../../../context.ts';
import { minuteMs } from '../../../domain/period.ts';
import { inTransaction } from '../../../transaction.ts';
import { foldUsage, lockUsageCursor, restUsageCursor } from '../store.ts';

/** The span of business time whose events are added in one transaction. */
const slotMs = 5 * minuteMs;

/** How far back a span has to lie: whoever recorded in it has committed by then. */
const settledMs = 2 * minuteMs;

/** How long an environment is left alone when nothing can be added. */
const restMs = minuteMs;

const slotOf = (ms: number): number => Math.floor(ms / slotMs) * slotMs;

/**
 * Adds the next five minutes of an environment leased to `owner` that have events and are over, in one transaction. Answers whether there may be more to
 * add at once.
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
