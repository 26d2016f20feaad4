import { setImmediate } from 'node:timers/promises';
import { type App, findSystemContext, type RequestContext } from '../context.ts';
import { readOpenAttempts } from '../engine/attempts.ts';
import { collect } from '../engine/collect.ts';
import { runExampleStep } from '../modules/example-shop/worker.ts';
import { askProviders } from '../modules/payouts/worker.ts';
import { reconcileDue } from '../modules/reconciliation/reconcile.ts';
import { monotonicMs } from '../platform/clock.ts';
import {
  type EnvironmentKey,
  forgetEnvironment,
  releaseEnvironment,
  workTopic,
} from '../platform/queue/lease.ts';
import type { Leased } from '../platform/queue/leased-loop.ts';
import { runClockBatch } from './clock-run.ts';
import { nextVisit, readWork } from './due-work.ts';
import { runRealTimeBatch } from './real-time.ts';

/** How long one environment may keep its place while others wait. */
const sliceMs = 1_000;

/** A batch on the embedded database holds up everything else in the process, so it should take no longer. */
const embeddedBatchMs = 200;
const smallestBatch = 10;

/** What is asked of gateways about an environment. What it has not begun by the time `goesOn` says no stays as it is. */
type Questions = (goesOn: () => boolean) => Promise<void>;

/** What a batch left: nothing to do for now, more to do, or questions to gateways. */
type Left = 'idle' | 'busy' | Questions;

/** Gives an environment back and notes when it needs the worker next, which is not before `restsUntil`. */
export async function giveBack(
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

/** What a worker does in one leased environment after another. */
export class EnvironmentWork {
  readonly #app: App;
  #batchSize: number;

  constructor(app: App) {
    this.#app = app;
    this.#batchSize = app.config.clockRunBatchSize;
  }

  /**
   * Works on an environment for a slice of time. Gateways are asked aside: an environment whose processor takes its time holds up no other. It stays
   * leased meanwhile, so that its clock run goes on only when every charge of a batch has been asked for.
   */
  async serve({ key, owner, goesOn, stepAside }: Leased<EnvironmentKey>): Promise<void> {
    const began = monotonicMs();
    while (goesOn() && monotonicMs() - began < sliceMs) {
      // Made again for each batch: the clock may have been started or moved meanwhile.
      const ctx = await findSystemContext(this.#app, key.environmentId, `worker ${owner}`);
      // It was archived meanwhile.
      if (ctx === null) return forgetEnvironment(this.#app.database.query, key.environmentId);
      const left = await this.#batch(ctx);
      if (typeof left === 'function') {
        await stepAside();
        return left(goesOn);
      }
      if (left === 'idle') return;
      // The embedded database answers without ever leaving the microtasks: requests and timers get their turn here.
      await setImmediate();
    }
  }

  /**
   * Asks gateways and the provider before anything else is done (BIL-2), compares attempts in doubt with gateways, else runs one batch and fits the
   * size of the next to how long it took.
   */
  async #batch(ctx: RequestContext): Promise<Left> {
    const { hasRun, hasExampleRun, simulatedTime, inquireAt, compareAt } = await readWork(ctx.sql);
    if (hasRun) ctx.become({ kind: 'system', source: 'clock', actorId: null }, ctx.environment);
    const now = ctx.wall.now();
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
    if (!hasRun && simulatedTime !== null) return 'idle';
    const began = monotonicMs();
    const limit = this.#batchSize;
    const { looked, attempts } = hasRun
      ? await runClockBatch(ctx, limit)
      : await runRealTimeBatch(ctx, limit);
    if (ctx.app.database.kind === 'pglite' && looked >= limit / 2) this.#fit(monotonicMs() - began);
    if (attempts.length > 0) return (goesOn) => collect(ctx, attempts, 'charge', goesOn);
    return looked > 0 ? 'busy' : 'idle';
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
