import type { Context, TransactionContext } from '../../../request/context.ts';
import { hintChange } from '../../../request/transaction.ts';
import { exportTopic } from '../exports/create.ts';
import { sealAddress } from './check-address.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { attemptImmediately, requireReadable, type ScheduleRow, scheduleRows } from './store.ts';

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
  return scheduleRows.update(
    ctx,
    id,
    async (tx, row) => {
      requireReadable(tx, row);
      const next = { frequency: frequency ?? row.frequency, isActive: isActive ?? row.isActive };
      const isRetimed = next.frequency !== row.frequency || next.isActive !== row.isActive;
      const isFresh = hasAddress || (next.isActive && !row.isActive);
      const now = tx.clock.now();
      return {
        ...next,
        ...(hasAddress && { sealedUrl, updatedAt: now }),
        ...(isFresh && { failedInRow: 0, deliveryError: null }),
        ...(isRetimed && { nextRunAt: nextRun(next.frequency, now) }),
      };
    },
    async (tx) => {
      if (hasAddress) await deliverAgain(tx, id);
      hintChange(tx);
    },
  );
}
