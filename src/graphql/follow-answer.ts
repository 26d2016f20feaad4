import type { Context } from '../context.ts';
import { lastEventPosition } from '../outbox/read.ts';
import { followEvents } from './live.ts';

/** The least time between two looks at an answer. */
const paceMs = 1_000;
/** How long nothing may happen until it is looked at again: emails, deliveries and the passing of time make no events. */
const patienceMs = 30_000;

/** Resolves after so many milliseconds. */
const rest = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });

const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/**
 * An answer as it is now, and again whenever it is something else. It is looked at after events, at most once a second, and every 30 seconds. `stop`
 * ends it.
 */
export async function* followAnswer<T>(
  ctx: Context,
  stop: AbortSignal,
  look: () => Promise<T>,
): AsyncGenerator<T, void> {
  const pages = followEvents(ctx, {}, await lastEventPosition(ctx.sql), stop);
  try {
    let sent: string | null = null;
    for (let next = pages.next(); ; ) {
      const answer = await look();
      if (textOf(answer) !== sent) yield answer;
      sent = textOf(answer);
      const received: IteratorResult<unknown, void> | null = await Promise.race([next, rest(patienceMs)]);
      if (received?.done === true) return;
      if (received === null) continue;
      next = pages.next();
      await rest(paceMs);
      if (stop.aborted) return;
    }
  } finally {
    await pages.return();
  }
}
