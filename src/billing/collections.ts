import type { App, Context } from '../context.ts';
import { extendLease } from '../infra/lease.ts';
import { giveBack, leaseEnd, leaseMs, troubleMs } from './held.ts';

/** Environments whose gateways are asked at once by one process; further ones wait for a place. */
const most = 64;

/** What is asked of gateways about an environment. What it has not begun by the time `goesOn` says no stays as it is. */
export type Asking = (goesOn: () => boolean) => Promise<void>;

type Owner = { readonly app: App; readonly isStopping: () => boolean };

/**
 * What gateways are being asked, beside the lanes of a worker: an environment whose processor takes its time holds up no other. It stays
 * leased meanwhile, so that its clock run goes on only when every charge of a batch has been asked for.
 */
export class Collections {
  readonly #owner: Owner;
  readonly #running = new Set<Promise<void>>();

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** Begins to ask about an environment leased under `name`, and gives it back when that is over. */
  async begin(ctx: Context, name: string, ask: Asking): Promise<void> {
    while (this.#running.size >= most) await Promise.race(this.#running);
    const running = this.#run(ctx, name, ask)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'An environment could not be given back.'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Ends when all that was begun has. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #run(ctx: Context, name: string, ask: Asking): Promise<void> {
    const { app, isStopping } = this.#owner;
    const environmentId = ctx.environment.id;
    let isHeld = true;
    let pauseMs = 0;
    const holding = setInterval(() => {
      void extendLease(app.database.query, environmentId, name, leaseEnd(app)).then(
        (held) => {
          isHeld = held;
        },
        (error: unknown) => ctx.log.warn({ err: error }, 'A lease could not be extended.'),
      );
    }, leaseMs / 3);
    try {
      await ask(() => isHeld && !isStopping());
    } catch (error) {
      pauseMs = troubleMs;
      ctx.log.error({ err: error }, 'The answers of gateways could not be taken in.');
    } finally {
      clearInterval(holding);
    }
    await giveBack(app, name, environmentId, pauseMs);
  }
}
