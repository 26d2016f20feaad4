import type { Context } from '../../../request/context.ts';
import { newSigningSecret } from './sign.ts';
import { checkUrl, moveCursorToEnd, rejectRepeated, type WebhookRow, webhookRows } from './store.ts';

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
  const secretKey = newSigningSecret();
  const sealedSecret = ctx.app.secrets.encrypt(secretKey);
  const webhook = await webhookRows.create(
    ctx,
    { ...input, apiVersion: input.apiVersion ?? ctx.version, sealedSecret },
    async (tx, { id }) => {
      await tx.db.webhookCursor.create({ data: { id, position: 0n, leaseOwner: null, leaseUntil: null } });
      // The environment's counter is locked since the endpoint got its sequence number, so no event is committed before the cursor is set.
      await moveCursorToEnd(tx.sql, id);
    },
  );
  return { ...webhook, secretKey };
}
