import type { LeaseKey } from '../platform/queue/lease-table.ts';
import { type LeasedLoop, type LeasedLoopOptions, startLeasedLoop } from '../platform/queue/leased-loop.ts';
import type { App } from './context.ts';

/** Background loop that processes leased rows. `src/worker/loops.ts` lists all loops. */
export type Loop = {
  /** Name in the process metrics. */
  readonly name: string;
  /** Starts the loop in a process. */
  readonly start: (app: App) => LeasedLoop;
};

/** Options of a loop. The process provides the log, the clock, and, by default, the database. */
type LoopOptions<K extends LeaseKey> = Omit<LeasedLoopOptions<K>, 'log' | 'now' | 'database' | 'note'> &
  Partial<Pick<LeasedLoopOptions<K>, 'database'>> & {
    /** Prefix of the topics whose notifications start a search in an environment. Without a prefix, the loop only searches regularly. */
    readonly wakesOn?: string | null;
  };

/** Declares a loop. `options` receives the process's state. */
export const declareLoop = <K extends LeaseKey>(
  name: string,
  options: (app: App) => LoopOptions<K>,
): Loop => ({
  name,
  start: (app) => {
    const { wakesOn = null, ...own } = options(app);
    const { log, wall, database, visits, pubsub } = app;
    const loop = startLeasedLoop<K>({
      database,
      ...own,
      log,
      now: () => wall.now(),
      note: (seconds, hasFailed) => visits.note(name, seconds, hasFailed),
    });
    const stopListening =
      wakesOn === null
        ? () => undefined
        : pubsub.onHintsBelow(wakesOn, (environmentId) => loop.wake(environmentId));
    const stopStirring = pubsub.onHintsBelow('', () => loop.stir());
    visits.backlogs.set(name, loop.backlog);
    return {
      ...loop,
      stop: async () => {
        visits.backlogs.delete(name);
        stopListening();
        stopStirring();
        await loop.stop();
      },
    };
  },
});
