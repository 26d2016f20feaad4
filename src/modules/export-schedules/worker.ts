import { type App, type Context, systemContext } from '../../context.ts';
import { type LeasedLoop, startLeasedLoop } from '../../platform/queue/leased-loop.ts';
import { inTransaction } from '../../transaction.ts';
import { beginExport, exportTopicPrefix } from '../exports/create.ts';
import type { ExportKey } from '../exports/store.ts';
import { nextRun } from './rules.ts';
import { deliverExport } from './send-files.ts';
import {
  deliveryLeases,
  findDueDeliveries,
  findDueSchedules,
  lockDueSchedule,
  noteRun,
  type ScheduleKey,
  scheduleLeases,
} from './store.ts';

/** Schedules run at once by a process. */
const places = 1;

/** Exports delivered at once by a process, one of each environment. */
const deliveries = 4;

/**
 * Begins the export of a schedule that is due and notes when the next is, in one transaction. What was due several times is made up for by one run.
 * Answers the id of the export; null where the schedule is not due any more.
 */
export const runSchedule = (ctx: Context, id: string): Promise<string | null> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const schedule = await lockDueSchedule(tx.sql, id, now);
    if (schedule === null) return null;
    const { kind, format, isGzip, isIncremental, snapshot, frequency, sealedUrl } = schedule;
    const since = isIncremental && snapshot !== null ? String(snapshot) : null;
    const request = { ...schedule.request, since };
    const row = await beginExport(
      tx,
      { kind, format, isGzip, request },
      { id: schedule.id, isForDelivery: sealedUrl !== null },
    );
    await noteRun(tx.sql, {
      id,
      snapshot: row.snapshot,
      lastRunAt: now,
      lastExportId: row.id,
      nextRunAt: nextRun(frequency, now),
    });
    return row.id;
  });

/** Starts the running of schedules, by the clock of each environment (DAT-35a). */
export function startExportSchedules(app: App): Pick<LeasedLoop, 'stop'> {
  const { config, database, log, wall } = app;
  return startLeasedLoop<ScheduleKey>({
    about: 'Schedules of exports',
    log,
    now: () => wall.now(),
    database,
    table: scheduleLeases,
    places,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    find: (limit, now, within) => findDueSchedules(database.query, now, limit, within),
    work: async ({ key, owner }) => {
      await runSchedule(await systemContext(app, key.environmentId, `export schedules ${owner}`), key.id);
    },
  });
}

/** Starts delivering exports to the addresses of their schedules, by the machine's clock (DAT-35b). Any number of processes may do so. */
export function startExportDeliveries(app: App): Pick<LeasedLoop, 'stop'> {
  const { config, database, log, pubsub, wall } = app;
  const loop = startLeasedLoop<ExportKey>({
    about: 'Deliveries of exports',
    log,
    now: () => wall.now(),
    database,
    table: deliveryLeases,
    places: deliveries,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    find: (limit, now, within) => findDueDeliveries(database.query, now, limit, within),
    work: (leased) => deliverExport(app, leased),
  });
  const stopListening = pubsub.onHintsBelow(exportTopicPrefix, (environmentId) => loop.wake(environmentId));
  return {
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}
