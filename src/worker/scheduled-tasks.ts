import { dayMs } from '../domain/time/period.ts';
import { syncModelPrices } from '../modules/catalog/ai-models/sync.ts';
import { syncRates } from '../modules/metrics/fx-rates/sync.ts';
import { isFree, leaseTable } from '../platform/queue/lease-table.ts';
import type { App } from '../request/context.ts';
import { declareLoop } from '../request/loop.ts';
import { housekeep } from './housekeeping.ts';

// Recurring tasks for the whole installation, which run in real time. Each task has a row with the time of
// its next run. Only one process runs a task at a time.

/** Time in seconds after which a failed task is retried. Doubles with each consecutive failure, up to the usual interval. */
const retrySeconds = 30;

/** Duration of a task's lease, and maximum time between two searches for due tasks, in milliseconds. */
const leaseMs = 60_000;
const longestPollMs = 10_000;

type TaskKey = { readonly name: string };

/** Recurring task with its interval. `run` throws if the task failed and must be retried soon. */
type ScheduledTask = { readonly everyMs: number; readonly run: (app: App) => Promise<void> };

const leases = leaseTable<TaskKey>('ScheduledTask', ['name'], 'dueAt');

/**
 * Imports the prices of AI models from a URL or file (CON-32a). A failed import doesn't change the catalog.
 */
const readModelPrices =
  (where: string) =>
  async (app: App): Promise<void> =>
    app.log.info(await syncModelPrices(app, where), 'The prices of AI models were read.');

/** Imports the daily exchange rates from a URL (MET-31). A failed import doesn't change the stored rates. */
const readRates =
  (where: string) =>
  async (app: App): Promise<void> =>
    app.log.info({ rates: await syncRates(app, where) }, 'Exchange rates were read.');

const scheduledTasks = ({ config }: Pick<App, 'config'>): ReadonlyMap<string, ScheduledTask> =>
  new Map<string, ScheduledTask>([
    ['housekeeping', { everyMs: config.housekeepingMs, run: housekeep }],
    ...(config.aiPricesUrl === undefined
      ? []
      : ([['model_prices', { everyMs: dayMs, run: readModelPrices(config.aiPricesUrl) }]] as const)),
    ...(config.fxRatesUrl === undefined
      ? []
      : ([['fx_rates', { everyMs: dayMs, run: readRates(config.fxRatesUrl) }]] as const)),
  ]);

/** Schedules the next run of a task: after the usual interval, or earlier if the task failed. */
async function schedule(app: App, name: string, owner: string, everyMs: number, hasFailed: boolean) {
  await app.database.query(
    `UPDATE "ScheduledTask" SET "leaseOwner" = NULL, "leaseUntil" = NULL, failures = CASE WHEN $3 THEN failures + 1 ELSE 0 END,
       "dueAt" = $4::timestamptz + make_interval(secs => CASE WHEN $3 THEN least($5, ${retrySeconds} * power(2, least(failures, 20))) ELSE $5 END)
     WHERE name = $1 AND "leaseOwner" = $2`,
    [name, owner, hasFailed, app.wall.now(), everyMs / 1_000],
  );
}

/** Loop that runs the scheduled tasks. New tasks are due immediately. */
export const scheduledTaskLoop = declareLoop<TaskKey>('scheduled_tasks', (app) => {
  const { config, database } = app;
  const tasks = scheduledTasks(app);
  const names = [...tasks.keys()];
  let areListed = false;
  const list = async (now: Date): Promise<void> => {
    if (areListed) return;
    await database.query(
      'INSERT INTO "ScheduledTask" (name, "dueAt", failures) SELECT name, $2, 0 FROM unnest($1::text[]) AS t(name) ON CONFLICT DO NOTHING',
      [names, now],
    );
    areListed = true;
  };
  return {
    about: 'Scheduled tasks',
    table: leases,
    places: 1,
    leaseMs,
    pollMs: Math.max(config.workerPollMs, Math.min(config.housekeepingMs, longestPollMs)),
    find: async (limit, now) => {
      await list(now);
      return database.query<TaskKey>(
        `SELECT t.name FROM "ScheduledTask" t WHERE t.name = ANY($1) AND t."dueAt" <= $2 AND ${isFree('t', '$2')} ORDER BY t."dueAt" LIMIT $3`,
        [names, now, limit],
      );
    },
    work: async ({ key }) => tasks.get(key.name)?.run(app),
    release: ({ name }, owner, restsUntil) =>
      schedule(app, name, owner, tasks.get(name)?.everyMs ?? dayMs, restsUntil !== null),
  };
});
