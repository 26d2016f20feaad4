import { hourMs } from '../../../domain/time/period.ts';
import type { Context } from '../../../request/context.ts';
import { newSigningSecret } from './sign.ts';
import { type WebhookRow, webhookRows } from './store.ts';

/**
 * Replaces the signing secret of an endpoint and returns the endpoint with the new secret. During the overlap (a number of hours in real
 * time), messages are also signed with the previous secret. Throws `webhook_not_found`.
 */
export async function setNewSecret(
  ctx: Context,
  { id, overlapHours }: { readonly id: string; readonly overlapHours?: number | null | undefined },
): Promise<WebhookRow & { readonly secretKey: string }> {
  const secretKey = newSigningSecret();
  const hours = overlapHours ?? 24;
  const webhook = await webhookRows.update(ctx, id, async (tx, { sealedSecret }) => ({
    sealedSecret: tx.app.secrets.encrypt(secretKey),
    previousSecret: hours === 0 ? null : sealedSecret,
    previousSecretUntil: hours === 0 ? null : new Date(tx.wall.now().getTime() + hours * hourMs),
  }));
  return { ...webhook, secretKey };
}
