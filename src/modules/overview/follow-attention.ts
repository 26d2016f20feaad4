import type { Context } from '../../context.ts';
import { followEvents } from '../../graphql/live.ts';
import { lastEventPosition } from '../../outbox/read.ts';
import { type AttentionItem, computeAttention } from './compute-attention.ts';

/** The least time between two looks at what needs attention. */
const paceMs = 1_000;
/** How long nothing may happen until it is looked at again: emails, deliveries and the passing of time make no events. */
const patienceMs = 30_000;

/** Resolves after so many milliseconds. */
const rest = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });

const textOf = (items: readonly AttentionItem[]): string =>
  JSON.stringify(items, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** What needs attention: as it is now, and again whenever it is something else. */
export async function* followAttention(
  ctx: Context,
  stop: AbortSignal,
): AsyncGenerator<readonly AttentionItem[], void> {
  const pages = followEvents(ctx, {}, await lastEventPosition(ctx.sql), stop);
  try {
    let sent: string | null = null;
    for (let next = pages.next(); ; ) {
      const items = await computeAttention(ctx);
      if (textOf(items) !== sent) yield items;
      sent = textOf(items);
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
