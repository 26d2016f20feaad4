import type { Context } from '../../../context.ts';
import { countEndings, type Ending } from '../../../domain/webhooks.ts';
import { inTransaction } from '../../../transaction.ts';
import { emailOrganization } from '../../emails/send-to-organization.ts';
import { disabledEmail, failedEmail } from '../../emails/templates/webhook-failures.ts';
import { readOrganization } from '../../organizations/store.ts';
import type { WebhookRow } from '../store.ts';
import { cancelPendingDeliveries, findLockedWebhook, recordAttempts } from '../store.ts';
import { type Attempt, recordOf } from './attempt.ts';

/** Tells the notification recipient of deliveries that failed permanently, and of the endpoint that was disabled for it. */
async function notify(
  tx: Context,
  webhook: WebhookRow,
  failed: readonly Attempt[],
  isDisabled: boolean,
): Promise<void> {
  const { notificationEmail: to } = await readOrganization(tx);
  if (to === null) return;
  const failures = failed.map(({ delivery, result }) =>
    failedEmail(to, webhook.url, { ...delivery, ...result }),
  );
  await emailOrganization(tx, isDisabled ? [...failures, disabledEmail(to, webhook)] : failures);
}

/**
 * Stores attempts of one endpoint in the order in which they ended, in one transaction: what became of each delivery, the endpoint's count of
 * events that failed permanently, and with the third in a row the end of its activity (PLT-45); its other deliveries then are given up. Emails
 * to the notification recipient go with it. Deliveries that were given up meanwhile stay so. Answers whether the endpoint was disabled by it.
 */
export const recordResults = (
  ctx: Context,
  webhookId: string,
  attempts: readonly Attempt[],
): Promise<boolean> =>
  inTransaction(
    ctx,
    async (tx) => {
      const webhook = await findLockedWebhook(tx, webhookId);
      if (webhook === null) return false;
      const now = tx.wall.now();
      const records = attempts.map((attempt) => recordOf(attempt, now));
      const written = await recordAttempts(tx, records);
      const ended = records.filter(({ id, status }) => written.has(id) && status !== 'pending');
      const endings = ended.map(({ status }): Ending => (status === 'succeeded' ? 'succeeded' : 'failed'));
      const { failedInRow, isDisabled } = countEndings(webhook.failedInRow, endings);
      const disables = isDisabled && webhook.isActive;
      if (failedInRow !== webhook.failedInRow || disables) {
        await tx.db.webhook.update({
          where: { id: webhookId },
          data: { failedInRow, ...(disables ? { isActive: false } : {}) },
        });
      }
      if (disables) await cancelPendingDeliveries(tx, webhookId);
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
