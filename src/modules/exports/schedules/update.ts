import type { Context, TransactionContext } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { exportTopic } from '../exports/create.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { attemptImmediately, requireLockedSchedule, type ScheduleRow, updateSchedule } from './store.ts';

/** Changes to an export schedule. Omitted values stay the same. */
type ScheduleChanges = {
  readonly id: string;
  readonly frequency?: ExportFrequency | null | undefined;
  readonly isActive?: boolean | null | undefined;
  /** New upload URL. `null` removes the URL. */
  readonly deliveryUrl?: string | null | undefined;
};

/** Makes the schedule's pending deliveries due immediately. These deliveries use the schedule's current URL. */
async function deliverAgain(tx: TransactionContext, id: string): Promise<void> {
  await attemptImmediately(tx.sql, id, tx.wall.now());
  tx.transaction.afterCommit(() => tx.app.pubsub.hint(exportTopic(tx.environment.id)));
}

/**
 * Changes a schedule's frequency or URL, or enables or disables the schedule. After the frequency changes or the schedule is enabled again,
 * the next run is at the start of the next day, week, or month. Missed runs are skipped, and incremental exports continue from the last
 * run. Setting a new URL or enabling the schedule again resets the failure count. Throws `not_found` and the same errors as `sealAddress`.
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
