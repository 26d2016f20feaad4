import { AsyncLocalStorage } from 'node:async_hooks';

// Database work of an environment, and the connections that the work uses.

/** Connection that can be closed while a statement runs. The statement then fails with `reason`. */
type Closable = { readonly cut: (reason: Error) => void };

/** Work in progress. `place` is the part of the database that contains the environment's rows and that can fail on its own. */
export type Work = {
  readonly environmentId: string;
  readonly place: string;
  /** Time at which the work began to use connections, in milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Time at which the work is stopped, in milliseconds of the monotonic clock. */
  readonly endsAt: number;
  readonly connections: Set<Closable>;
  /** Reason why the work was stopped. `null` if the work wasn't stopped. */
  stopped: Error | null;
};

/** Work of the current asynchronous call chain. */
export const works = new AsyncLocalStorage<Work>();

/** Stops work by closing its connections. The database rolls back the work's open transaction. */
export function stopWork(work: Work, reason: Error): void {
  work.stopped ??= reason;
  for (const connection of work.connections) connection.cut(reason);
}
