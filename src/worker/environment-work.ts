import { setImmediate } from 'node:timers/promises';
import { readOpenAttempts } from '../engine/attempts.ts';
import { collect } from '../engine/collect.ts';
import { reportCrossings } from '../engine/usage/report-crossings.ts';
import { countPast } from '../engine/usage/shared-past.ts';
import { askProviders } from '../modules/payments/payouts/worker.ts';
import { reconcileDue } from '../modules/payments/reconciliation/reconcile.ts';
import { runExampleStep } from '../modules/sandbox/example-shop/worker.ts';
import { monotonicMs } from '../platform/clock.ts';
import {
  type EnvironmentKey,
  environmentLeases,
  findDueEnvironments,
  findNextDue,
  forgetEnvironment,
  releaseEnvironment,
  workTopic,
  workTopicPrefix,
} from '../platform/queue/lease.ts';
import type { Leased } from '../platform/queue/leased-loop.ts';
import { type App, findSystemContext, type RequestContext } from '../request/context.ts';
import { declareLoop } from '../request/loop.ts';
import { runClockBatch } from './clock-run.ts';
import { nextVisit, readWork } from './due-work.ts';
import { runRealTimeBatch } from './real-time.ts';
import { runStoppedClockBatch } from './stopped-clock.ts';

/** Maximum number of environments processed at the same time. Leaves database connections for the API. */
const maxPlaces = 4;

/** Maximum processing time of an environment while other environments are waiting, in milliseconds. */
const sliceMs = 1_000;

/** Maximum batch duration in milliseconds on the embedded database. A batch blocks the process there. */
const embeddedBatchMs = 200;
const smallestBatch = 10;

/**
 * Sends an environment's provider requests. Skips requests that haven't started when `goesOn` returns false.
 */
type ProviderCalls = (goesOn: () => boolean) => Promise<void>;

/** Result of a batch: no work for now, more work, or provider requests to make. */
type BatchOutcome = 'idle' | 'busy' | ProviderCalls;

/** Releases an environment's lease and schedules the next visit, at `restsUntil` or later. */
async function releaseAndSchedule(
  app: App,
  environmentId: string,
  owner: string,
  restsUntil: Date | null,
): Promise<void> {
  const now = app.wall.now();
  let isDue = false;
  await releaseEnvironment(app.database, environmentId, owner, async (query) => {
    const work = await readWork((text, params = []) => query(text, [environmentId, ...params]));
    const next = nextVisit(work, now);
    if (next === null) return null;
    const at = restsUntil === null || next > restsUntil ? next : restsUntil;
    isDue = at <= now;
    return at;
  });
  if (isDue) app.pubsub.hint(workTopic(environmentId));
}

/** Processes the due work of leased environments, several environments at the same time. */
class EnvironmentWork {
  readonly #app: App;
  #batchSize: number;

  constructor(app: App) {
    this.#app = app;
    this.#batchSize = app.config.clockRunBatchSize;
  }

  /**
   * Processes an environment for a limited time. Frees the worker's slot during provider requests, so that
   * a slow provider doesn't block other environments. Keeps the lease during the requests, so that a clock
   * run continues only after all charges of a batch were sent.
   */
  async serve({ key, owner, goesOn, stepAside }: Leased<EnvironmentKey>): Promise<void> {
    const began = monotonicMs();
    while (goesOn() && monotonicMs() - began < sliceMs) {
      // The context is created for each batch, because the test clock can be started or advanced between
      // batches.
      const ctx = await findSystemContext(this.#app, key.environmentId, `worker ${owner}`);
      // The context is `null` if the environment was deleted or its organization was archived. Such an environment has no work left.
      if (ctx === null) return forgetEnvironment(this.#app.database.query, key.environmentId);
      const left = await this.#batch(ctx);
      if (typeof left === 'function') {
        await stepAside();
        return left(goesOn);
      }
      if (left === 'idle') return;
      // The embedded database responds within microtasks. Yield to the event loop, so that pending requests
      // and timers can run.
      await setImmediate();
    }
  }

  /**
   * First sends due provider requests (BIL-2) and reconciles attempts with an unknown result. Otherwise, runs one batch
   * and adjusts the size of the next batch to the duration of this one.
   */
  async #batch(ctx: RequestContext): Promise<BatchOutcome> {
    const work = await readWork(ctx.sql);
    const { hasRun, hasExampleRun, hasTopUp, simulatedTime, inquireAt, compareAt } = work;
    if (hasRun) ctx.become({ kind: 'system', source: 'clock', actorId: null }, ctx.environment);
    const now = ctx.wall.now();
    if (work.hasCrossings)
      await this.#attempt(ctx, reportCrossings, 'Crossings of shared limits could not be reported.');
    if (work.isCounting)
      await this.#attempt(ctx, countPast, 'Past usage of shared limits could not be counted.');
    if (inquireAt !== null && inquireAt <= now) {
      const open = await readOpenAttempts(ctx, now, this.#batchSize);
      return async (goesOn) => {
        await collect(ctx, open, 'inquire', goesOn);
        await askProviders(ctx, goesOn);
      };
    }
    if (compareAt !== null && compareAt <= now) return () => reconcileDue(ctx);
    if (hasExampleRun && !hasRun) {
      await runExampleStep(ctx);
      return 'busy';
    }
    if (!hasRun && simulatedTime !== null && !hasTopUp) return 'idle';
    const began = monotonicMs();
    const limit = this.#batchSize;
    const run = hasRun ? runClockBatch : hasTopUp ? runStoppedClockBatch : runRealTimeBatch;
    const { looked, attempts } = await run(ctx, limit);
    if (ctx.app.database.kind === 'pglite' && looked >= limit / 2) this.#fit(monotonicMs() - began);
    if (attempts.length > 0) return (goesOn) => collect(ctx, attempts, 'charge', goesOn);
    return looked > 0 ? 'busy' : 'idle';
  }

  /** Does work whose failure doesn't stop other work. */
  async #attempt(
    ctx: RequestContext,
    work: (ctx: RequestContext) => Promise<void>,
    failure: string,
  ): Promise<void> {
    try {
      await work(ctx);
    } catch (error) {
      ctx.log.error({ error }, failure);
    }
  }

  #fit(tookMs: number): void {
    const { clockRunBatchSize } = this.#app.config;
    const fitting = Math.floor((this.#batchSize * embeddedBatchMs * 0.75) / Math.max(tookMs, 1));
    this.#batchSize = Math.min(
      clockRunBatchSize,
      Math.max(Math.min(smallestBatch, clockRunBatchSize), Math.min(fitting, this.#batchSize * 2)),
    );
  }
}

/** Loop that advances sandbox clock runs and executes deadlines that are due in real time. */
export const environmentLoop = declareLoop<EnvironmentKey>('environments', (app) => {
  const { config, database } = app;
  const environments = new EnvironmentWork(app);
  return {
    about: 'Environments',
    table: environmentLeases,
    places:
      database.kind === 'pglite'
        ? 1
        : Math.max(1, Math.min(maxPlaces, Math.floor(config.databasePoolSize / 2))),
    leaseMs: config.workerLeaseMs,
    pollMs: config.workerPollMs,
    wakesOn: workTopicPrefix,
    find: (limit, now, within) => findDueEnvironments(database.query, now, limit, within),
    findNextDue: (now) => findNextDue(database.query, now),
    work: (leased) => environments.serve(leased),
    release: ({ environmentId }, owner, restsUntil) =>
      releaseAndSchedule(app, environmentId, owner, restsUntil),
  };
});
