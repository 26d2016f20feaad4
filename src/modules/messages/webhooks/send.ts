import { type PostResult, post } from '../../../platform/http-post.ts';
import { isPublicAddress } from '../../../platform/public-address.ts';
import { type Context, currentVersion } from '../../../request/context.ts';
import { type Emitted, headersOf } from './sign.ts';
import { allowsPrivateAddresses, type WebhookRow } from './store.ts';

/** True if the endpoint responded with a 2xx status (PLT-44). */
export const isSuccess = ({ status }: Pick<PostResult, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** Builds an event's envelope (PLT-42). All pinned API versions use the same envelope. */
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

/** Returns the log entry of a delivery attempt that started at the given time. */
export const logOf = (
  begunAt: Date,
  { status, durationMs, answer, error }: PostResult,
): Stored.WebhookAttempts => [{ at: begunAt.toISOString(), status, durationMs, responseBody: answer, error }];

/** Endpoint columns that are required to sign messages. */
export type SecretColumn = 'sealedSecret' | 'previousSecret' | 'previousSecretUntil';

/**
 * Builds the message for an event as sent at the given time. The message is signed with the secret and, during the overlap after a
 * rotation, also with the previous secret.
 */
export function messageOf(
  ctx: Context,
  { sealedSecret, previousSecret, previousSecretUntil }: Pick<WebhookRow, SecretColumn>,
  emitted: Emitted,
  sentAt: Date,
): { readonly headers: Record<string, string>; readonly body: string } {
  const body = envelopeOf(ctx, emitted);
  const { secrets } = ctx.app;
  const previous =
    previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > sentAt
      ? [secrets.decrypt(previousSecret)]
      : [];
  return { headers: headersOf(emitted, body, [secrets.decrypt(sealedSecret), ...previous], sentAt), body };
}

/**
 * Posts a signed event to an endpoint and returns the result. Returns errors from the receiver instead of throwing them. Doesn't follow
 * redirects. Connects only to public addresses, unless the environment allows private addresses; for private addresses, records only the
 * response status. Must not run inside a transaction.
 */
export function sendEvent(
  ctx: Context,
  webhook: Pick<WebhookRow, 'url' | SecretColumn>,
  emitted: Emitted,
): Promise<PostResult> {
  const { headers, body } = messageOf(ctx, webhook, emitted, ctx.wall.now());
  return post({
    url: webhook.url,
    body,
    headers,
    timeoutMs: ctx.app.config.webhookTimeoutMs,
    isPublicOnly: !allowsPrivateAddresses(ctx),
    isAnswerEmitted: isPublicAddress,
  });
}
