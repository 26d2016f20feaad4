import type { Context } from '../../context.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { type ExportFrequency, nextRun } from './rules.ts';
import { requireLockedSchedule, type ScheduleRow, updateSchedule } from './store.ts';

/** Changes of a schedule; what is left out stays. */
type ScheduleChanges = {
  readonly id: string;
  readonly frequency?: ExportFrequency | null | undefined;
  readonly isActive?: boolean | null | undefined;
};

/**
 * Changes how often a schedule runs, or pauses it. One that is resumed, or runs at other times, is due next when its next day, week or month begins:
 * what was due meanwhile is left out, and an incremental one still goes on where its last run ended. Throws `not_found`.
 */
export const changeSchedule = (
  ctx: Context,
  { id, frequency, isActive }: ScheduleChanges,
): Promise<ScheduleRow> =>
  inTransaction(ctx, async (tx) => {
    const row = await requireLockedSchedule(tx, id);
    const next = { frequency: frequency ?? row.frequency, isActive: isActive ?? row.isActive };
    if (next.frequency === row.frequency && next.isActive === row.isActive) return row;
    const now = tx.clock.now();
    const changed = { ...row, ...next, nextRunAt: nextRun(next.frequency, now), updatedAt: now };
    await updateSchedule(tx.sql, changed);
    hintChange(tx);
    return changed;
  });
