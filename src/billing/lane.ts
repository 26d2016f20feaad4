import { setImmediate } from 'node:timers/promises';
import { type App, type Context, systemContext } from '../context.ts';
import { readOpenAttempts } from '../engine/attempts.ts';
import { collect } from '../engine/collect.ts';
import { monotonicMs } from '../infra/clock.ts';
import { extendLease, leaseEnvironment } from '../infra/lease.ts';
import { askRail } from '../modules/payouts/ask-rail.ts';
import { reconcileDue } from '../modules/reconciliation/reconcile.ts';
import { runClockBatch } from './clock-run.ts';
import type { Collections } from './collections.ts';
import { readWork } from './due.ts';
import { giveBack, leaseEnd, leaseMs, troubleMs } from './held.ts';
import { runRealTimeBatch } from './real-time.ts';

/** How long one environment may keep a lane while others wait. */
const sliceMs = 1_000;

/** A batch on the embedded database holds up everything else in the process, so it should take no longer (protocols A1). */
const embeddedBatchMs = 200;
const smallestBatch = 10;

/** What a lane needs of its worker. */
export type LaneOwner = { readonly app: App; readonly name: string; readonly isStopping: () => boolean; readonly collections: Collections };

/** Whether an environment was left with nothing to do for now, has more to do, or was handed on to be given back by another. */
type Left = 'idle' | 'busy' | 'handed';

/** One worker's way through the environments: leases one at a time, works on it for a slice, gives it back. */
export class Lane {
  readonly #owner: LaneOwner;
  #batchSize: number;

  constructor(owner: LaneOwner) {
    this.#owner = owner;
    this.#batchSize = owner.app.config.clockRunBatchSize;
  }

  /** Works on the environment that has waited longest. False when none needs anybody. */
  async turn(): Promise<boolean> {
    const { app, name } = this.#owner;
    const { database } = app;
    const environmentId = await leaseEnvironment(database.query, name, app.wall.now(), leaseEnd(app));
    if (environmentId === null) return false;
    let pauseMs = 0;
    try {
      if ((await this.#work(environmentId)) === 'handed') return true;
    } catch (error) {
      // One environment in trouble must not keep the lane from the others, nor hide its trouble.
      pauseMs = troubleMs;
      app.log.error({ error, environmentId }, 'The worker could not finish its work on an environment.');
    }
    await giveBack(app, name, environmentId, pauseMs);
    return true;
  }

  async #work(environmentId: string): Promise<Left> {
    const { app, name, isStopping } = this.#owner;
    const began = monotonicMs();
    let extendedAt = began;
    while (!isStopping() && monotonicMs() - began < sliceMs) {
      // Made anew for each batch: the clock may have been started or moved meanwhile.
      const ctx = await systemContext(app, environmentId, `worker ${name}`);
      const left = await this.#batch(ctx);
      if (left !== 'busy') return left;
      // The embedded database answers without ever leaving the microtasks: requests and timers get their turn here.
      await setImmediate();
      if (monotonicMs() - extendedAt < leaseMs / 3) continue;
      extendedAt = monotonicMs();
      if (!(await extendLease(app.database.query, environmentId, name, leaseEnd(app)))) return 'idle';
    }
    return 'busy';
  }

  /**
   * Asks gateways and the rail before anything else is done (BIL-2), compares attempts in doubt with gateways, else runs one batch and fits the
   * size of the next to how long it took.
   */
  async #batch(ctx: Context): Promise<Left> {
    const { name, collections } = this.#owner;
    const { hasRun, simulatedTime, askAt, compareAt } = await readWork(ctx.sql);
    const now = ctx.wall.now();
    if (askAt !== null && askAt <= now) {
      const open = await readOpenAttempts(ctx, now, this.#batchSize);
      await collections.begin(ctx, name, async (goesOn) => {
        await collect(ctx, open, 'inquire', goesOn);
        await askRail(ctx, goesOn);
      });
      return 'handed';
    }
    if (compareAt !== null && compareAt <= now) {
      await collections.begin(ctx, name, () => reconcileDue(ctx));
      return 'handed';
    }
    if (!hasRun && simulatedTime !== null) return 'idle';
    const began = monotonicMs();
    const limit = this.#batchSize;
    const { looked, attempts } = hasRun ? await runClockBatch(ctx, limit) : await runRealTimeBatch(ctx, limit);
    if (ctx.app.database.kind === 'pglite' && looked >= limit / 2) this.#fit(monotonicMs() - began);
    if (attempts.length > 0) {
      await collections.begin(ctx, name, (goesOn) => collect(ctx, attempts, 'charge', goesOn));
      return 'handed';
    }
    return looked > 0 ? 'busy' : 'idle';
  }

  #fit(tookMs: number): void {
    const { clockRunBatchSize } = this.#owner.app.config;
    const fitting = Math.floor((this.#batchSize * embeddedBatchMs * 0.75) / Math.max(tookMs, 1));
    this.#batchSize = Math.min(
      clockRunBatchSize,
      Math.max(Math.min(smallestBatch, clockRunBatchSize), Math.min(fitting, this.#batchSize * 2)),
    );
  }
}
