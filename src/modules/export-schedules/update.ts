import type { Context, TransactionContext } from '../../context.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { exportTopic } from '../exports/create.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { attemptAtOnce, requireLockedSchedule, type ScheduleRow, updateSchedule } from './store.ts';

/** Changes of a schedule; what is left out stays. */
type ScheduleChanges = {
  readonly id: string;
  readonly frequency?: ExportFrequency | null | undefined;
  readonly isActive?: boolean | null | undefined;
  /** Null takes the address away. */
  readonly deliveryUrl?: string | null | undefined;
};

/** Lets what waits to be delivered be tried at once, at the address as it is now. */
async function deliverAgain(tx: TransactionContext, id: string): Promise<void> {
  await attemptAtOnce(tx.sql, id, tx.wall.now());
  tx.transaction.afterCommit(() => tx.app.pubsub.hint(exportTopic(tx.environment.id)));
}

/**
 * Changes how often a schedule runs and where its files go, or pauses it. One that is resumed, or runs at other times, is due next when its next day, week or month
 * begins: what was due meanwhile is left out, and an incremental one still goes on where its last run ended. Another address, and resuming, begin to count failures
 * from 0. Throws `not_found`, and as `sealAddress` for an address.
 */
export async function changeSchedule(
  ctx: Context,
  { id, frequency, isActive, deliveryUrl }: ScheduleChanges,
): Promise<ScheduleRow> {
  const hasAddress = deliveryUrl !== undefined;
  const sealedUrl = hasAddress ? await sealAddress(ctx, deliveryUrl) : null;
  return inTransaction(ctx, async (tx) => {
    const row = await requireLockedSchedule(tx, id);
    const next = { frequency: frequency ?? row.frequency, isActive: isActive ?? row.isActive };
    const isRetimed = next.frequency !== row.frequency || next.isActive !== row.isActive;
    if (!isRetimed && !hasAddress) return row;
    const now = tx.clock.now();
    const isFresh = hasAddress || (next.isActive && !row.isActive);
    const changed: ScheduleRow = {
      ...row,
      ...next,
      ...(hasAddress && { sealedUrl }),
      ...(isFresh && { failedInRow: 0, deliveryError: null }),
      nextRunAt: isRetimed ? nextRun(next.frequency, now) : row.nextRunAt,
      updatedAt: now,
    };
    await updateSchedule(tx.sql, changed);
    if (hasAddress) await deliverAgain(tx, id);
    hintChange(tx);
    return changed;
  });
}
