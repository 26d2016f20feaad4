import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { globalModels } from '../../domain/tenancy.ts';
import { eventTopic } from '../../outbox/write.ts';
import { modelFields } from '../../platform/db/datamodel.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { emailFileName, readEmailFiles } from '../emails/store.ts';
import { lockCursor } from '../metrics/worker/store.ts';
import { type ClockState, isOver, readLatestRun, readTestClock } from '../test-clock/store.ts';
import { deleteRowsOf, readUnfinishedRun, restartEnvironment } from './store.ts';

/** What belongs to an environment and outlives its data: keys, endpoints, connections, settings, the clock, counters and leases. */
export const keptModels: readonly string[] = [
  'ApiKey',
  'EmailCursor',
  'EnvironmentCounter',
  'FxRate',
  'IdempotencyKey',
  'LedgerDayCursor',
  'LiveTicket',
  'MetricsCursor',
  'PaymentConnection',
  'PaymentRoute',
  'TaxRegistration',
  'TestClock',
  'UsageDayCursor',
  'Webhook',
  'WebhookCursor',
];

/** The models whose rows are deleted, each before those its rows refer to. */
export function modelsToDelete(): string[] {
  const kept = new Set<string>([...globalModels, ...keptModels]);
  const left = new Map(
    [...modelFields]
      .filter(([model]) => !kept.has(model))
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
 * Deletes the business data of the sandbox in one transaction and sets its clock back to real time; what `keptModels` names stays. Events keep
 * their positions, and invoices are numbered from 1 again. Throws `validation_error` without
 * `confirm`, and while a run of the clock or an example run is unfinished.
 */
export async function deleteData(
  ctx: Context,
  { confirm }: { readonly confirm: boolean },
): Promise<ClockState> {
  if (!confirm) throw reject('must be true');
  const files = await inTransaction(
    ctx,
    async (tx) => {
      const latest = await readLatestRun(tx.sql);
      if (latest !== null && !isOver(latest))
        throw reject('The clock is still being moved by an unfinished run.');
      if ((await readUnfinishedRun(tx.sql)) !== null)
        throw reject('The sandbox is still being filled by an unfinished run.');
      // In the order of the worker that adds up sums: the cursor first, then the sums.
      await lockCursor(tx.sql, null);
      const sent = await readEmailFiles(tx.sql);
      for (const model of modelsToDelete()) await deleteRowsOf(tx.sql, model);
      await restartEnvironment(tx.sql);
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
