import { type Context, currentVersion } from '../../context.ts';
import { type PostResult, post } from '../../platform/http-post.ts';
import { isPublicAddress } from '../../platform/public-address.ts';
import { type Emitted, headersOf } from './sign.ts';
import { allowsPrivateAddresses, type WebhookRow } from './store.ts';

/** True for an answer that counts as a success (PLT-44). */
export const isSuccess = ({ status }: Pick<PostResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** The envelope as the receiver gets it (PLT-42). There is one version, so every pin is shaped by it. */
const envelopeOf = ({ environment }: Context, emitted: Emitted): string =>
  JSON.stringify({
    id: emitted.id,
    event: emitted.kind,
    timestamp: emitted.occurredAt.toISOString(),
    organizationId: environment.organizationId,
    mode: environment.livemode ? 'live' : 'sandbox',
    apiVersion: currentVersion,
    data: emitted.data,
  });

/**
 * Posts an event to an endpoint, signed, and answers what became of it; never throws for what the receiver does. Follows no redirect. Connects
 * to public addresses only, unless the environment may have others, of whose answers only the status is recorded. Never inside a transaction.
 */
export function sendEvent(
  ctx: Context,
  webhook: Pick<WebhookRow, 'url' | 'sealedSecret'>,
  emitted: Emitted,
): Promise<PostResult> {
  const body = envelopeOf(ctx, emitted);
  return post({
    url: webhook.url,
    body,
    headers: headersOf(emitted, body, ctx.app.secrets.decrypt(webhook.sealedSecret), ctx.wall.now()),
    timeoutMs: ctx.app.config.webhookTimeoutMs,
    isPublicOnly: !allowsPrivateAddresses(ctx),
    isAnswerEmitted: isPublicAddress,
  });
}
