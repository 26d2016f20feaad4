import { createHmac } from 'node:crypto';
import { type Context, currentVersion } from '../../context.ts';
import { type PostResult, post } from '../../infra/http-post.ts';
import type { WebhookRow } from './service.ts';

/** The event a message tells of. */
export type Told = { readonly id: string; readonly kind: string; readonly occurredAt: Date; readonly data: object };

/** True for an answer that counts as a success (PLT-44). */
export const isSuccess = ({ status }: Pick<PostResult, 'status'>): boolean => status !== null && status >= 200 && status < 300;

/** The signature of a body: lower-case hex HMAC-SHA-256 of its exact bytes, under the whole secret (PLT-43). */
export const signatureOf = (body: string, secret: string): string => createHmac('sha256', secret).update(body, 'utf8').digest('hex');

/** The envelope as the receiver gets it (PLT-42). There is one version, so every pin is shaped by it. */
const envelopeOf = ({ environment }: Context, told: Told): string =>
  JSON.stringify({
    id: told.id,
    event: told.kind,
    timestamp: told.occurredAt.toISOString(),
    organizationId: environment.organizationId,
    mode: environment.livemode ? 'live' : 'sandbox',
    apiVersion: currentVersion,
    data: told.data,
  });

/**
 * Posts an event to an endpoint, signed, and answers what became of it; never throws for what the receiver does. Follows no redirect. In live
 * mode it connects to public addresses only. Never inside a transaction.
 */
export function sendEvent(context: Context, webhook: Pick<WebhookRow, 'url' | 'sealedSecret'>, told: Told): Promise<PostResult> {
  const body = envelopeOf(context, told);
  return post({
    url: webhook.url,
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Quittance',
      'X-Service-Signature': signatureOf(body, context.app.secrets.decrypt(webhook.sealedSecret)),
      'X-Service-Event': told.kind,
      'X-Service-Event-Id': told.id,
      'X-Service-Timestamp': told.occurredAt.toISOString(),
    },
    timeoutMs: context.app.config.webhookTimeoutMs,
    isPublicOnly: context.livemode,
  });
}
