import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { newSigningSecret } from './sign.ts';
import { requireLockedWebhook, type WebhookRow } from './store.ts';

const hourMs = 3_600_000;

/**
 * Gives an endpoint a new signing secret; messages are signed with the one before too for some hours of operational time. Answers the endpoint with the new secret.
 * Throws `webhook_not_found`.
 */
export const setNewSecret = (
  ctx: Context,
  { id, overlapHours }: { readonly id: string; readonly overlapHours?: number | null | undefined },
): Promise<WebhookRow & { readonly secretKey: string }> =>
  inTransaction(ctx, async (tx) => {
    const { sealedSecret } = await requireLockedWebhook(tx, id);
    const secretKey = newSigningSecret();
    const hours = overlapHours ?? 24;
    const [webhook] = await tx.db.webhook.update({
      where: { id },
      data: {
        sealedSecret: tx.app.secrets.encrypt(secretKey),
        previousSecret: hours === 0 ? null : sealedSecret,
        previousSecretUntil: hours === 0 ? null : new Date(tx.wall.now().getTime() + hours * hourMs),
        updatedAt: tx.clock.now(),
      },
    });
    if (webhook === undefined) throw new Error(`The endpoint ${id} went away under its lock.`);
    return { ...webhook, secretKey };
  });
