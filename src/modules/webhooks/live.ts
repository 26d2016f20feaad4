import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { followChanges, latestRow, stoppable } from '../../graphql/live.ts';
import { type DeliveryRow, readChangedDeliveries, readLastVersion, requireWebhook } from './store.ts';
import { WebhookDelivery } from './types.ts';

/** Deliveries changed after a version; those who have come equally far share the statement. */
const changedAfter = (present: Context, after: bigint, limit: number): Promise<DeliveryRow[]> =>
  present.once(`deliveries:${after}`, () => readChangedDeliveries(present.sql, after, limit));

/** The latest delivery, then every one that changes after a version, of one endpoint or of all. */
async function* followDeliveries(
  ctx: Context,
  webhookId: string | null,
  after: bigint,
  stop: AbortSignal,
): AsyncGenerator<DeliveryRow, void> {
  yield* latestRow(ctx, 'WebhookDelivery', { webhookId: webhookId ?? undefined });
  for await (const delivery of followChanges(ctx, changedAfter, after, stop))
    if (webhookId === null || delivery.webhookId === webhookId) yield delivery;
}

builder.subscriptionField('webhookDeliveryChanged', (t) =>
  t.field({
    type: WebhookDelivery,
    description:
      'First the latest delivery to a webhook endpoint, if there is one, then every one that is taken up, attempted, resent or given up, as it is when it is sent; changes that follow each other quickly are sent as one.',
    errors: ['webhook_not_found'],
    access: { scope: 'read' },
    args: {
      webhookId: t.arg.id({
        description: 'Only those to this endpoint; `webhook_not_found` when there is no such endpoint.',
      }),
    },
    subscribe: async (_root, { webhookId }, ctx) => {
      const webhook = webhookId ? await requireWebhook(ctx, webhookId) : null;
      const after = await readLastVersion(ctx.sql);
      return stoppable((stop) => followDeliveries(ctx, webhook?.id ?? null, after, stop));
    },
    resolve: (delivery) => delivery,
  }),
);
