import type { Context } from '../../context.ts';
import { eventTopic, takeNumbers } from '../../outbox/write.ts';
import { hintChange, inTransaction } from '../../transaction.ts';
import { beginAgain, type ResendFilter, requireLockedWebhook, type WebhookRow } from './store.ts';

/** Deliveries that one call sends again at most. */
const mostResent = 1_000;

/** What was sent again: how many deliveries, and whether that were all. */
export type Resent = {
  readonly webhook: WebhookRow;
  readonly resentCount: number;
  readonly isComplete: boolean;
};

type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Sends finished deliveries of an endpoint again, at most `mostResent` in one call. Throws `webhook_not_found`. */
export const resendDeliveries = (
  ctx: Context,
  input: { readonly webhookId: string } & Optional<ResendFilter>,
): Promise<Resent> =>
  inTransaction(
    ctx,
    async (tx) => {
      const { webhookId, status, events, from, to } = input;
      const webhook = await requireLockedWebhook(tx, webhookId);
      const filter = {
        status: status ?? 'failed',
        events: events ?? null,
        from: from ?? null,
        to: to ?? null,
      };
      const { transaction, environment, app } = tx;
      const { seq: version } = await takeNumbers(transaction.query, environment.id, { seq: mostResent });
      const sent = { now: tx.wall.now(), version, limit: mostResent };
      const resentCount = await beginAgain(tx.sql, webhookId, filter, sent);
      hintChange(tx);
      transaction.afterCommit(() => app.pubsub.hint(eventTopic(environment.id)));
      return { webhook, resentCount, isComplete: resentCount < mostResent };
    },
    { clockLock: 'none' },
  );
