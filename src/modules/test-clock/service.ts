import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type RunRow, readRun } from '../../infra/clock-rows.ts';

/** How many items of its latest run the clock shows (protocols B7). */
export const shownItems = 1_000;

/** Whether a run has ended, one way or the other. */
export const isOver = ({ status }: Pick<RunRow, 'status'>): boolean => status === 'completed' || status === 'failed';

/** The run with this id. Throws `not_found`. */
export async function requireRun(context: Context, id: string): Promise<RunRow> {
  const run = await readRun(context.sql, id);
  if (run === null) throw new QuittanceError('not_found', 'No such clock run.', { param: 'id' });
  return run;
}
