import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { newSigningSecret } from './sign.ts';
import { checkUrl, countEndpoints, moveCursorToEnd, rejectRepeated, type WebhookRow } from './store.ts';

/** How many endpoints an environment may have (PLT-40). */
const maxEndpoints = 20;

/** What a creating call says of an endpoint. */
export type NewWebhookInput = {
  readonly url: string;
  readonly events: readonly string[];
  readonly description?: string | null | undefined;
  /** The version of the request by default. */
  readonly apiVersion?: string | null | undefined;
};

/**
 * Registers an endpoint and answers it with its signing secret, this one time (PLT-40). It receives what is committed from now on.
 * Throws `validation_error` for an address that may not be called, a kind named twice, and the 21st endpoint.
 */
export async function createWebhook(
  ctx: Context,
  input: NewWebhookInput,
): Promise<WebhookRow & { readonly secretKey: string }> {
  rejectRepeated(input.events);
  await checkUrl(ctx, input.url);
  return inTransaction(ctx, async (tx) => {
    // The number comes first: it holds the environment's counter, so that rivals count one after another, and no event slips in between.
    const seq = await nextSeq(tx);
    const count = await countEndpoints(tx);
    if (count >= maxEndpoints) {
      throw validationError([
        { field: 'url', message: `An environment has at most ${maxEndpoints} endpoints.` },
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
