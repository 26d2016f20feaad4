import { QuittanceError } from '../../../domain/errors/errors.ts';
import { recordPrepared } from '../../../engine/usage/record.ts';
import { eventTopic } from '../../../outbox/write.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { requestOf } from '../../usage/usage/track.ts';
import { advanceClock } from '../test-clock/advance.ts';
import { isOver, readLatestRun } from '../test-clock/store.ts';
import { arrangeSteps, type Step } from './arrange-steps.ts';
import { createCatalog } from './create-catalog.ts';
import { enterCustomer } from './enter-customer.ts';
import { readShop } from './read-shop.ts';
import { countStep, type ExampleRunRow, finishExampleRun, readUnfinishedRun } from './store.ts';
import { takeActions } from './take-action.ts';

/** Starts the clock run of a step and marks the step as completed, in one transaction. Does nothing while another clock run is active. */
const moveClock = (ctx: Context, run: ExampleRunRow, advanceDays: number): Promise<void> =>
  inTransaction(
    ctx,
    async (tx) => {
      const latest = await readLatestRun(tx.sql);
      if (latest !== null && !isOver(latest)) return;
      const { id } = await advanceClock(tx, { advanceDays });
      await countStep(tx.sql, run, id);
    },
    { clockLock: 'exclusive' },
  );

/** Executes a step of an example run and marks the step as completed. */
async function takeStep(ctx: Context, run: ExampleRunRow, step: Step): Promise<void> {
  if (step.kind === 'clock') return moveClock(ctx, run, step.advanceDays);
  if (step.kind === 'catalog') await createCatalog(ctx, step.shop);
  if (step.kind === 'customer') await enterCustomer(ctx, step.customer);
  if (step.kind === 'actions') await takeActions(ctx, step.actions);
  if (step.kind === 'usage')
    await recordPrepared(ctx, {
      // The event ID prevents duplicates. Rejected events, such as usage for a canceled subscription, are ignored.
      requests: step.usage.map(({ externalId, featureCode, value }) =>
        requestOf({
          customerId: externalId,
          featureCode,
          value,
          eventId: `${run.id}_${run.completedSteps}_${externalId}`,
        }),
      ),
      resultOf: () => null,
    });
  await countStep(ctx.sql, run);
}

/**
 * Executes the next step of the environment's unfinished example run, or ends the run if all steps are completed. If a step is rejected,
 * the run fails. Does nothing without an unfinished run. Publishes the progress to live fields.
 */
export async function runExampleStep(ctx: Context): Promise<void> {
  const run = await readUnfinishedRun(ctx.sql);
  if (run === null) return;
  const step = arrangeSteps(await readShop(), run.size)[run.completedSteps];
  try {
    if (step === undefined) await finishExampleRun(ctx.sql, run.id, null, ctx.wall.now());
    else await takeStep(ctx, run, step);
  } catch (error) {
    if (!(error instanceof QuittanceError)) throw error;
    const { code, message } = error;
    await finishExampleRun(ctx.sql, run.id, { code, message, step: run.completedSteps + 1 }, ctx.wall.now());
  }
  ctx.app.pubsub.hint(eventTopic(ctx.environment.id));
}
