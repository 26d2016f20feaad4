import { eventTopic, takeNumbers } from '../../../outbox/write.ts';
import type { Context } from '../../../request/context.ts';
import { hintChange, inTransaction } from '../../../request/transaction.ts';
import { type ResendFilter, restartDeliveries, type WebhookRow, webhookRows } from './store.ts';

/** Maximum number of deliveries that one request resends. */
const maxResent = 1_000;

/** Result of resending deliveries: the number of resent deliveries, and whether all matching deliveries were resent. */
export type Resent = {
  readonly webhook: WebhookRow;
  readonly resentCount: number;
  readonly isComplete: boolean;
};

type Optional<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Resends an endpoint's finished deliveries, up to `maxResent` per request. Throws `webhook_not_found`. */
export const resendDeliveries = (
  ctx: Context,
  input: { readonly webhookId: string } & Optional<ResendFilter>,
): Promise<Resent> =>
  inTransaction(
    ctx,
    async (tx) => {
      const { webhookId, status, events, from, to } = input;
      const webhook = await webhookRows.lock(tx, webhookId);
      const filter = {
        status: status ?? 'failed',
        events: events ?? null,
        from: from ?? null,
        to: to ?? null,
      };
      const { transaction, environment, app } = tx;
      const { seq: version } = await takeNumbers(transaction.query, environment.id, { seq: maxResent });
      const sent = { now: tx.wall.now(), version, limit: maxResent };
      const resentCount = await restartDeliveries(tx.sql, webhookId, filter, sent);
      hintChange(tx);
      transaction.afterCommit(() => app.pubsub.hint(eventTopic(environment.id)));
      return { webhook, resentCount, isComplete: resentCount < maxResent };
    },
    { clockLock: 'none' },
  );
