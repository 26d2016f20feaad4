import type { App } from '../context.ts';
import { releaseLease, workTopic } from '../infra/lease.ts';
import { nextVisit, readWork } from './due.ts';

/** How long a lease lasts unless it is extended; a process that dies holds its environment up for that long. */
export const leaseMs = 15_000;

/** How long an environment waits after an error of the worker itself. */
export const troubleMs = 5_000;

/** When a lease that is taken or extended now ends. */
export const leaseEnd = (app: App): Date => new Date(app.wall.now().getTime() + leaseMs);

/** Gives an environment back and notes when it needs the worker next, in `pauseMs` at the earliest. */
export async function giveBack(app: App, name: string, environmentId: string, pauseMs: number): Promise<void> {
  const now = app.wall.now().getTime();
  let isDue = false;
  await releaseLease(app.database, environmentId, name, async (query) => {
    const next = nextVisit(await readWork((text, params = []) => query(text, [environmentId, ...params])), new Date(now));
    if (next === null) return null;
    const at = Math.max(next.getTime(), pauseMs === 0 ? 0 : now + pauseMs);
    isDue = at <= now;
    return new Date(at);
  });
  if (isDue) app.pubsub.hint(workTopic);
}
