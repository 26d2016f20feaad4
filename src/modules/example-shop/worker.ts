import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { recordPrepared } from '../../engine/usage/record.ts';
import { eventTopic } from '../../outbox/write.ts';
import { inTransaction } from '../../transaction.ts';
import { advanceClock } from '../test-clock/advance.ts';
import { isOver, readLatestRun } from '../test-clock/store.ts';
import { requestOf } from '../usage/track.ts';
import { arrangeSteps, type Step } from './arrange-steps.ts';
import { createCatalog } from './create-catalog.ts';
import { enterCustomer } from './enter-customer.ts';
import { readShop } from './read-shop.ts';
import { countStep, type ExampleRunRow, finishExampleRun, readUnfinishedRun } from './store.ts';

/** Moves the clock on by a run of its own, and counts the step together with it. Waits while another run moves the clock. */
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

/** Takes a step and counts it. */
async function takeStep(ctx: Context, run: ExampleRunRow, step: Step): Promise<void> {
  if (step.kind === 'clock') return moveClock(ctx, run, step.advanceDays);
  if (step.kind === 'catalog') await createCatalog(ctx, step.shop);
  if (step.kind === 'customer') await enterCustomer(ctx, step.customer);
  if (step.kind === 'usage')
    await recordPrepared(ctx, {
      // The id of an event makes it count once. What is rejected, such as usage of a canceled subscription, is left out.
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
 * Takes the next step of the environment's unfinished example run, or ends the run when there is none. A rejection ends it as failed. Does
 * nothing without such a run. Live fields are hinted at the progress.
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
