import { countEndings, type Ending } from '../../../../domain/events/webhooks.ts';
import type { Context } from '../../../../request/context.ts';
import { inTransaction } from '../../../../request/transaction.ts';
import { readOrganization } from '../../../organization/organizations/store.ts';
import { emailOrganization } from '../../emails/send-to-organization.ts';
import { disabledEmail, failedEmail } from '../../emails/templates/webhook-failures.ts';
import type { WebhookRow } from '../store.ts';
import { cancelPendingDeliveries, recordAttempts, webhookRows } from '../store.ts';
import { type Attempt, recordOf } from './attempt.ts';

/** Emails the notification recipient about permanently failed deliveries, and about the endpoint if it was disabled. */
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
 * Records the results of an endpoint's attempts in one transaction and in the order that the attempts ended. Also
 * updates the endpoint's count of consecutive permanent failures. The third consecutive failure disables the endpoint
 * and cancels its other deliveries (PLT-45). Emails to the notification recipient are stored in the same transaction.
 * Deliveries that were canceled during an attempt stay canceled. Returns `true` if the endpoint was disabled.
 */
export const recordResults = (
  ctx: Context,
  webhookId: string,
  attempts: readonly Attempt[],
): Promise<boolean> =>
  inTransaction(
    ctx,
    async (tx) => {
      const webhook = await webhookRows.findLocked(tx, webhookId);
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
