import type { App } from '../context.ts';
import { syncModelPrices } from '../modules/ai-models/sync.ts';
import { syncRates } from '../modules/fx-rates/sync.ts';
import { isFree, leaseTable } from '../platform/queue/lease-table.ts';
import { type LeasedLoop, startLeasedLoop } from '../platform/queue/leased-loop.ts';
import { housekeep } from './housekeeping.ts';

// What the whole installation does again and again, by operational time: each task is a row with its next time, and one process at a time runs it.

const dayMs = 86_400_000;

/** How soon a task that failed runs again; the pause doubles with each failure in a row, up to the usual one. */
const retrySeconds = 30;

/** How long the lease of a task lasts, and how often a process looks for due ones at most. */
const leaseMs = 60_000;
const longestPollMs = 10_000;

type TaskKey = { readonly name: string };

/** A task and how often it runs. It throws when it is to be tried again soon. */
type ScheduledTask = { readonly everyMs: number; readonly run: (app: App) => Promise<void> };

const leases = leaseTable<TaskKey>('ScheduledTask', ['name'], 'dueAt');

/** Reads the prices of AI models at an address or in a file (CON-32a). The catalog stays as it was when they cannot be read or used. */
const readModelPrices =
  (where: string) =>
  async (app: App): Promise<void> =>
    app.log.info(await syncModelPrices(app, where), 'The prices of AI models were read.');

/** Reads exchange rates of the day at an address (MET-31). Nothing changes when they cannot be read or used. */
const readRates =
  (where: string) =>
  async (app: App): Promise<void> =>
    app.log.info({ rates: await syncRates(app, where) }, 'Exchange rates were read.');

/** The tasks that these settings ask for, by name. */
export const scheduledTasks = ({ config }: Pick<App, 'config'>): ReadonlyMap<string, ScheduledTask> =>
  new Map<string, ScheduledTask>([
    ['housekeeping', { everyMs: config.housekeepingMs, run: housekeep }],
    ...(config.aiPricesUrl === undefined
      ? []
      : ([['model_prices', { everyMs: dayMs, run: readModelPrices(config.aiPricesUrl) }]] as const)),
    ...(config.fxRatesUrl === undefined
      ? []
      : ([['fx_rates', { everyMs: dayMs, run: readRates(config.fxRatesUrl) }]] as const)),
  ]);

/** Notes when a task runs next: after its usual pause, or sooner when it failed. */
async function schedule(app: App, name: string, owner: string, everyMs: number, hasFailed: boolean) {
  await app.database.query(
    `UPDATE "ScheduledTask" SET "leaseOwner" = NULL, "leaseUntil" = NULL, failures = CASE WHEN $3 THEN failures + 1 ELSE 0 END,
       "dueAt" = $4::timestamptz + make_interval(secs => CASE WHEN $3 THEN least($5, ${retrySeconds} * power(2, least(failures, 20))) ELSE $5 END)
     WHERE name = $1 AND "leaseOwner" = $2`,
    [name, owner, hasFailed, app.wall.now(), everyMs / 1_000],
  );
}

/** Starts the scheduled tasks. A task nobody has run yet is due at once. */
export function startScheduledTasks(app: App): LeasedLoop {
  const { config, database, log, wall } = app;
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
  return startLeasedLoop<TaskKey>({
    about: 'Scheduled tasks',
    log,
    now: () => wall.now(),
    database,
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
  });
}
