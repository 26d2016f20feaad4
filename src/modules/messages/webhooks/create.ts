import { validationError } from '../../../domain/errors/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { newSigningSecret } from './sign.ts';
import { checkUrl, countEndpoints, moveCursorToEnd, rejectRepeated, type WebhookRow } from './store.ts';

/** Maximum number of webhook endpoints in an environment (PLT-40). */
const maxEndpoints = 20;

export type NewWebhookInput = {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | null | undefined;
  /** API version of the endpoint's messages. Defaults to the version of the request. */
  readonly apiVersion?: string | null | undefined;
};

/**
 * Creates an endpoint that receives only events committed after its creation. Only this result contains the signing secret (PLT-40). Throws
 * `validation_error` if the URL isn't allowed, an event type is repeated, or the environment already has 20 endpoints.
 */
export async function createWebhook(
  ctx: Context,
  input: NewWebhookInput,
): Promise<WebhookRow & { readonly secretKey: string }> {
  rejectRepeated(input.events);
  await checkUrl(ctx, input.url);
  return inTransaction(ctx, async (tx) => {
    // Taking a sequence number locks the environment's counter. Concurrent requests therefore can't exceed the limit, and no event is
    // committed before the endpoint's cursor is set.
    const seq = await nextSeq(tx);
    const count = await countEndpoints(tx);
    if (count >= maxEndpoints) {
      throw validationError([
        {
          field: 'url',
          message: `An environment can have up to ${maxEndpoints} webhook endpoints. Delete an endpoint first.`,
        },
      ]);
    }
    const secretKey = newSigningSecret();
    const now = tx.clock.now();
    const webhook = await tx.db.webhook.create({
      data: {
        id: newId('whe'),
        seq,
        url: input.url,
        events: [...input.events],
        description: input.description ?? null,
        isActive: true,
        apiVersion: input.apiVersion ?? tx.version,
        sealedSecret: tx.app.secrets.encrypt(secretKey),
        previousSecret: null,
        previousSecretUntil: null,
        failedInRow: 0,
        createdAt: now,
        updatedAt: now,
        deletedAt: null,
      },
    });
    await tx.db.webhookCursor.create({
      data: { id: webhook.id, position: 0n, leaseOwner: null, leaseUntil: null },
    });
    await moveCursorToEnd(tx.sql, webhook.id);
    return { ...webhook, secretKey };
  });
}
