import { validationError } from '../../../domain/errors/errors.ts';
import { sumSources } from '../../../domain/metrics/sources.ts';
import { globalModels } from '../../../domain/rows/tenancy.ts';
import { eventTopic } from '../../../outbox/write.ts';
import { modelFields } from '../../../platform/db/datamodel.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { emailFileName, readEmailFiles } from '../../messages/emails/store.ts';
import { lockCursors, resetCursors } from '../../metrics/sums/worker/store.ts';
import { type ClockState, isOver, readLatestRun, readTestClock } from '../test-clock/store.ts';
import { deleteRowsOf, readUnfinishedRun, restartEnvironment } from './store.ts';

/** Models whose rows a sandbox reset keeps: keys, endpoints, connections, settings, the clock, counters, and leases. */
export const keptModels: readonly string[] = [
  'ApiKey',
  'EmailCursor',
  'EnvironmentCounter',
  'FxRate',
  'IdempotencyKey',
  'LiveTicket',
  'OperationGauges',
  'PaymentConnection',
  'PaymentRoute',
  'SumCursor',
  'TaxRegistration',
  'TestClock',
  'Webhook',
  'WebhookCursor',
];

/** Returns the models whose rows are deleted, ordered so that each model precedes the models it references. */
function modelsToDelete(): string[] {
  const excluded = new Set<string>([...globalModels, ...keptModels]);
  const left = new Map(
    [...modelFields]
      .filter(([model]) => !excluded.has(model))
      .map(([model, fields]) => {
        const targets = fields.filter(({ relationFromFields = [] }) => relationFromFields.length > 0);
        return [model, targets.map(({ type }) => type).filter((type) => type !== model)] as const;
      }),
  );
  const ordered: string[] = [];
  while (left.size > 0) {
    const targets = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((model) => !targets.has(model));
    if (free.length === 0)
      throw new Error(`These tables refer to each other: ${[...left.keys()].join(', ')}.`);
    for (const model of free) left.delete(model);
    ordered.push(...free);
  }
  return ordered;
}

const reject = (message: string): Error => validationError([{ field: 'confirm', message }]);

/**
 * Deletes the business data of the sandbox in one transaction and resets its clock to real time. Models in `keptModels` keep their rows.
 * Event positions continue, and the numbers of invoices and credit notes restart from 1. Throws `validation_error` if `confirm` is `false`,
 * and while a clock run or an example run is unfinished.
 */
export async function deleteData(
  ctx: Context,
  { confirm }: { readonly confirm: boolean },
): Promise<ClockState> {
  if (!confirm) throw reject('must be true to confirm the reset');
  const files = await inTransaction(
    ctx,
    async (tx) => {
      const latest = await readLatestRun(tx.sql);
      if (latest !== null && !isOver(latest))
        throw reject('The test clock is still advancing. Wait until the run is finished.');
      if ((await readUnfinishedRun(tx.sql)) !== null)
        throw reject('The sandbox is still being filled with example data. Wait until the run is finished.');
      // Lock the cursors before the sums, in the same order as the worker.
      await lockCursors(tx.sql);
      const sent = await readEmailFiles(tx.sql);
      for (const model of modelsToDelete()) await deleteRowsOf(tx.sql, model);
      await restartEnvironment(tx.sql);
      await resetCursors(tx.sql, sumSources);
      const { transaction, app, environment } = tx;
      transaction.changesCatalog();
      hintChange(tx);
      transaction.afterCommit(() => app.pubsub.hint(eventTopic(environment.id)));
      return sent;
    },
    { clockLock: 'exclusive', timeoutMs: 300_000 },
  );
  await ctx.app.mail.forget(ctx.environment.id, files.map(emailFileName));
  const { latestRun } = await readTestClock(ctx);
  return { simulatedTime: null, now: ctx.wall.now(), latestRun };
}
