import { setImmediate } from 'node:timers/promises';
import { type App, type Context, systemContext } from '../context.ts';
import { monotonicMs } from '../infra/clock.ts';
import { extendLease, leaseEnvironment, releaseLease } from '../infra/lease.ts';
import { runClockBatch } from './clock-run.ts';
import { nextVisit, readWork } from './due.ts';
import { runRealTimeBatch } from './real-time.ts';

/** How long a lease lasts unless it is extended; a process that dies holds its environment up for that long. */
const leaseMs = 15_000;

/** How long one environment may keep a lane while others wait. */
const sliceMs = 1_000;

/** A batch on the embedded database holds up everything else in the process, so it should take no longer (protocols A1). */
const embeddedBatchMs = 200;
const smallestBatch = 10;

/** How long an environment waits after an error of the worker itself. */
const troubleMs = 5_000;

/** What a lane needs of its worker. */
export type LaneOwner = { readonly app: App; readonly name: string; readonly isStopping: () => boolean };

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
    const environmentId = await leaseEnvironment(database.query, name, app.wall.now(), this.#leaseEnd());
    if (environmentId === null) return false;
    let pauseMs = 0;
    try {
      await this.#work(environmentId);
    } catch (error) {
      // One environment in trouble must not keep the lane from the others, nor hide its trouble.
      pauseMs = troubleMs;
      app.log.error({ error, environmentId }, 'The worker could not finish its work on an environment.');
    }
    await this.#giveBack(environmentId, pauseMs);
    return true;
  }

  #leaseEnd(): Date {
    return new Date(this.#owner.app.wall.now().getTime() + leaseMs);
  }

  async #work(environmentId: string): Promise<void> {
    const { app, name, isStopping } = this.#owner;
    const began = monotonicMs();
    let extendedAt = began;
    while (!isStopping() && monotonicMs() - began < sliceMs) {
      // Made anew for each batch: the clock may have been started or moved meanwhile.
      const ctx = await systemContext(app, environmentId, `worker ${name}`);
      if (!(await this.#batch(ctx))) return;
      // The embedded database answers without ever leaving the microtasks: requests and timers get their turn here.
      await setImmediate();
      if (monotonicMs() - extendedAt < leaseMs / 3) continue;
      extendedAt = monotonicMs();
      if (!(await extendLease(app.database.query, environmentId, name, this.#leaseEnd()))) return;
    }
  }

  /** Runs one batch and fits the size of the next to how long it took. False when nothing was left to do. */
  async #batch(ctx: Context): Promise<boolean> {
    const { hasRun, simulatedTime } = await readWork(ctx.sql);
    if (!hasRun && simulatedTime !== null) return false;
    const began = monotonicMs();
    const limit = this.#batchSize;
    const looked = hasRun ? await runClockBatch(ctx, limit) : await runRealTimeBatch(ctx, limit);
    if (ctx.app.database.kind === 'pglite' && looked >= limit / 2) this.#fit(monotonicMs() - began);
    return looked > 0;
  }

  #fit(tookMs: number): void {
    const { clockRunBatchSize } = this.#owner.app.config;
    const fitting = Math.floor((this.#batchSize * embeddedBatchMs * 0.75) / Math.max(tookMs, 1));
    this.#batchSize = Math.min(
      clockRunBatchSize,
      Math.max(Math.min(smallestBatch, clockRunBatchSize), Math.min(fitting, this.#batchSize * 2)),
    );
  }

  async #giveBack(environmentId: string, pauseMs: number): Promise<void> {
    const { app, name } = this.#owner;
    const now = app.wall.now().getTime();
    await releaseLease(app.database, environmentId, name, async (query) => {
      const next = nextVisit(await readWork((text, params = []) => query(text, [environmentId, ...params])), new Date(now));
      return next === null || pauseMs === 0 ? next : new Date(Math.max(next.getTime(), now + pauseMs));
    });
  }
}
