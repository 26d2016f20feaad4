import { hourMs } from '../../../domain/time/period.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { newSigningSecret } from './sign.ts';
import { requireLockedWebhook, type WebhookRow } from './store.ts';

/**
 * Replaces the signing secret of an endpoint and returns the endpoint with the new secret. During the overlap (a number of hours in real
 * time), messages are also signed with the previous secret. Throws `webhook_not_found`.
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
    if (webhook === undefined) throw new Error(`The endpoint ${id} disappeared while it was locked.`);
    return { ...webhook, secretKey };
  });
