import { validationError } from '../../../domain/errors/errors.ts';
import { eventTopic } from '../../../outbox/write.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import { wakeEnvironment, workTopic } from '../../../platform/queue/lease.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { arrangeSteps, type ExampleSize } from './arrange-steps.ts';
import { readShop } from './read-shop.ts';
import { type ExampleRunRow, insertExampleRun, readUnfinishedRun } from './store.ts';

const unfinishedRun = (): Error =>
  validationError([
    {
      field: 'size',
      message: 'Example data is still being loaded into the sandbox. Wait until the run finishes.',
    },
  ]);

/**
 * Starts a run that fills the sandbox with the example shop. A worker executes the run. Throws `validation_error` if another run is
 * unfinished.
 */
export async function loadExample(
  ctx: Context,
  { size }: { readonly size: ExampleSize },
): Promise<ExampleRunRow> {
  const totalSteps = arrangeSteps(await readShop(), size).length;
  try {
    return await inTransaction(ctx, async (tx) => {
      if ((await readUnfinishedRun(tx.sql)) !== null) throw unfinishedRun();
      const { transaction, environment, app } = tx;
      const run: ExampleRunRow = {
        id: newId('exr'),
        seq: await nextSeq(tx),
        size,
        status: 'running',
        completedSteps: 0,
        totalSteps,
        clockRunId: null,
        error: null,
        createdAt: tx.wall.now(),
        finishedAt: null,
      };
      await insertExampleRun(tx.sql, run);
      await wakeEnvironment(transaction.query, environment.id, tx.wall.now());
      transaction.afterCommit(() => {
        app.pubsub.hint(workTopic(environment.id));
        app.pubsub.hint(eventTopic(environment.id));
      });
      return run;
    });
  } catch (error) {
    throw isUniqueViolation(error) ? unfinishedRun() : error;
  }
}
