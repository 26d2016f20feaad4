import type { Context } from '../context.ts';
import { countEndings, type Ending } from '../domain/webhooks.ts';
import { lockWebhookRow } from '../infra/locks.ts';
import { cancelPendingDeliveries, recordAttempts } from '../infra/webhook-rows.ts';
import { disabledLetter, failedLetter } from '../mail/webhook-letters.ts';
import { readOrganization } from '../modules/organizations/service.ts';
import type { WebhookRow } from '../modules/webhooks/service.ts';
import { inTransaction } from '../transaction.ts';
import { type Attempt, recordOf } from './webhook-attempt.ts';

/** Sends the letters of deliveries that failed for good, and of the endpoint that was disabled for it, as jobs of the open transaction. */
async function notify(tx: Context, webhook: WebhookRow, failed: readonly Attempt[], isDisabled: boolean): Promise<void> {
  const { notificationEmail: to } = await readOrganization(tx);
  const within = tx.transaction?.query;
  if (to === null || within === undefined) return;
  for (const { delivery, result } of failed) {
    await tx.app.jobs.send('letters', failedLetter(to, webhook.url, { ...delivery, ...result }), { within });
  }
  if (isDisabled) await tx.app.jobs.send('letters', disabledLetter(to, webhook), { within });
}

/**
 * Stores attempts of one endpoint in the order in which they ended, in one transaction: what became of each delivery, the endpoint's count of
 * events that failed for good, and with the third in a row the end of its activity (PLT-45); its other deliveries then are given up. Letters
 * to the notification recipient go with it. Deliveries that were given up meanwhile stay so. Answers whether the endpoint was disabled by it.
 */
export const recordResults = (ctx: Context, webhookId: string, attempts: readonly Attempt[]): Promise<boolean> =>
  inTransaction(
    ctx,
    async (tx) => {
      await lockWebhookRow(tx.sql, webhookId);
      const webhook = await tx.db.webhook.findFirst({ where: { id: webhookId, deletedAt: null } });
      if (webhook === null) return false;
      const now = tx.wall.now();
      const records = attempts.map((attempt) => recordOf(attempt, now));
      const written = await recordAttempts(tx.sql, records);
      const ended = records.filter(({ id, status }) => written.has(id) && status !== 'pending');
      const endings = ended.map(({ status }): Ending => (status === 'succeeded' ? 'succeeded' : 'failed'));
      const { failedInRow, isDisabled } = countEndings(webhook.failedInRow, endings);
      const disables = isDisabled && webhook.isActive;
      if (failedInRow !== webhook.failedInRow || disables) {
        await tx.db.webhook.update({ where: { id: webhookId }, data: { failedInRow, ...(disables ? { isActive: false } : {}) } });
      }
      if (disables) await cancelPendingDeliveries(tx.sql, webhookId, now);
      const failed = new Set(ended.filter(({ status }) => status === 'failed').map(({ id }) => id));
      if (failed.size > 0) {
        await notify(
          tx,
          webhook,
          attempts.filter(({ delivery }) => failed.has(delivery.id)),
          disables,
        );
      }
      return disables;
    },
    { clockLock: 'none' },
  );
