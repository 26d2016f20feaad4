import { lastEventPosition } from '../../outbox/read.ts';
import type { Context } from '../../request/context.ts';
import { followEvents } from './live.ts';

/** Minimum time between two evaluations of a value, in milliseconds. */
const minIntervalMs = 1_000;
/**
 * Maximum time between two evaluations of a value, in milliseconds. The maximum is needed because emails, webhook deliveries, and the
 * passage of time don't create events.
 */
const maxIntervalMs = 30_000;

const rest = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });

const textOf = (answer: unknown): string =>
  JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/**
 * Yields the current value, then each changed value. Evaluates the value after events, at most once per second, and at least every 30
 * seconds. Ends when `stop` is aborted.
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
      const received: IteratorResult<unknown, void> | null = await Promise.race([next, rest(maxIntervalMs)]);
      if (received?.done === true) return;
      if (received === null) continue;
      next = pages.next();
      await rest(minIntervalMs);
      if (stop.aborted) return;
    }
  } finally {
    await pages.return();
  }
}
