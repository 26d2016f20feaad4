import { hasExportQuota } from '../../../engine/quotas.ts';
import { type Context, systemContext } from '../../../request/context.ts';
import { declareLoop } from '../../../request/loop.ts';
import { inTransaction } from '../../../request/transaction.ts';
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

/** Maximum number of schedules that a process runs at the same time. */
const places = 1;

/** Maximum number of exports that a process delivers at the same time, at most one per environment. */
const deliveries = 4;

/**
 * Starts the export for a due schedule and records the next run in one transaction. If several runs were missed, the export runs once.
 * Returns the export ID, or `null` if the schedule is no longer due. Also returns `null` if a free sandbox has no exports left; the run is
 * then skipped.
 */
export const runSchedule = (ctx: Context, id: string): Promise<string | null> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const schedule = await lockDueSchedule(tx.sql, id, now);
    if (schedule === null) return null;
    const nextRunAt = nextRun(schedule.frequency, now);
    if (!(await hasExportQuota(tx))) {
      await noteRun(tx.sql, { ...schedule, nextRunAt });
      return null;
    }
    const { kind, format, isGzip, isIncremental, snapshot, sealedUrl } = schedule;
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
      nextRunAt,
    });
    return row.id;
  });

/** Loop that runs due schedules, based on each environment's time (DAT-35a). */
export const exportScheduleLoop = declareLoop<ScheduleKey>('export_schedules', (app) => {
  const { config, database } = app;
  return {
    about: 'Schedules of exports',
    table: scheduleLeases,
    places,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    find: (limit, now, within) => findDueSchedules(database.query, now, limit, within),
    work: async ({ key, owner }) => {
      await runSchedule(await systemContext(app, key.environmentId, `export schedules ${owner}`), key.id);
    },
  };
});

/**
 * Loop that uploads exports to their schedules' URLs, based on real time (DAT-35b). Several processes can deliver at the same time.
 */
export const exportDeliveryLoop = declareLoop<ExportKey>('export_deliveries', (app) => {
  const { config, database } = app;
  return {
    about: 'Deliveries of exports',
    table: deliveryLeases,
    places: deliveries,
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    wakesOn: exportTopicPrefix,
    find: (limit, now, within) => findDueDeliveries(database.query, now, limit, within),
    work: (leased) => deliverExport(app, leased),
  };
});
