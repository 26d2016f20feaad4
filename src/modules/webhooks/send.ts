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

/** What the log of a delivery says about an attempt that began at an instant. */
export const logOf = (
  begunAt: Date,
  { status, durationMs, answer, error }: PostResult,
): Stored.WebhookAttempts => [{ at: begunAt.toISOString(), status, durationMs, responseBody: answer, error }];

/** The columns of an endpoint that messages are signed with. */
export type SecretColumn = 'sealedSecret' | 'previousSecret' | 'previousSecretUntil';

/** The message of an event as it is sent at an instant, signed with the secret and, for a while after it was rotated, with the one before. */
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
 * Posts an event to an endpoint, signed, and answers what became of it; never throws for what the receiver does. Follows no redirect. Connects
 * to public addresses only, unless the environment may have others, of whose answers only the status is recorded. Never inside a transaction.
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
