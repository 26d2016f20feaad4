import { setImmediate } from 'node:timers/promises';
import { specificError } from '../domain/errors/errors.ts';
import { FairShare } from '../platform/fair-share.ts';
import { type App, type Context, RequestContext } from './context.ts';

// Work that runs in turn within an environment: at most one task of each type at a time (PLT-67).

const oneEach = { slots: Number.POSITIVE_INFINITY, most: 1, mostAlone: 1, reserved: 0 } as const;

/** Maximum time that a task waits, in milliseconds, and maximum number of waiting tasks per environment. */
const waitMs = 20_000;
const mostWaiting = 20;

/** Types of tasks. Each type has a separate queue per environment. */
type Kind = 'computation' | 'export' | 'step';

const turns = new WeakMap<App, Record<Kind, FairShare>>();

const turnsOf = (app: App): Record<Kind, FairShare> =>
  turns.getOrInsertComputed(app, () => ({
    computation: new FairShare(oneEach),
    export: new FairShare(oneEach),
    step: new FairShare(oneEach),
  }));

/**
 * Runs a computation after earlier computations in the same environment. Throws `rate_limited` if too many computations are already
 * waiting, or if the computation has to wait too long.
 */
export async function inTurn<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  const { app, environment } = ctx;
  // A computation may take longer than other requests, because at most one computation runs in an environment.
  if (ctx instanceof RequestContext) ctx.waits = null;
  const { computation } = turnsOf(app);
  const busy = (): Error => specificError('rate_limited', 'computation');
  if (computation.waitingOf(environment.id) >= mostWaiting) throw busy();
  return computation.run(environment.id, work, waitMs, busy);
}

/** Reads or writes an export chunk after earlier chunks in the same environment. Chunks are short, so the number of waiting chunks isn't limited. */
export const inExportTurn = <T>({ app, environment }: Context, work: () => Promise<T>): Promise<T> =>
  turnsOf(app).export.run(environment.id, work, 10 * waitMs, () =>
    specificError('rate_limited', 'computation'),
  );

/**
 * Resolves in a later iteration of the event loop, one call per name and iteration. Large amounts of work for one environment, such as big responses,
 * then alternate with requests from other environments.
 */
export const inLaterTurn = (app: App, name: string): Promise<void> =>
  turnsOf(app).step.run(
    name,
    () => setImmediate(),
    10 * waitMs,
    () => specificError('rate_limited', 'computation'),
  );
