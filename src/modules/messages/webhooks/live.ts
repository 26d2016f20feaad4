import { followChanges, latestRow, stoppable } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { Context } from '../../../request/context.ts';
import { type DeliveryRow, readChangedDeliveries, readLastVersion, webhookRows } from './store.ts';
import { WebhookDelivery } from './types.ts';

/** Returns the deliveries that changed after a version. Subscribers at the same version share the SQL statement. */
const changedAfter = (present: Context, after: bigint, limit: number): Promise<DeliveryRow[]> =>
  present.once(`deliveries:${after}`, () => readChangedDeliveries(present.sql, after, limit));

/** Yields the latest delivery, then every delivery that changes after a version. Covers one endpoint or all endpoints. */
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
      "Emits the latest delivery to a webhook endpoint immediately, and then every delivery that is created, attempted, resent, or canceled. Each result shows the delivery's current state. Changes in quick succession are combined.",
    errors: [['webhook_not_found', "`webhookId` doesn't exist"]],
    access: { scope: 'read' },
    args: {
      webhookId: t.arg.id({
        description: 'ID of the endpoint whose deliveries to include. Defaults to all endpoints.',
      }),
    },
    subscribe: async (_root, { webhookId }, ctx) => {
      const webhook = webhookId ? await webhookRows.require(ctx, webhookId) : null;
      const after = await readLastVersion(ctx.sql);
      return stoppable((stop) => followDeliveries(ctx, webhook?.id ?? null, after, stop));
    },
    resolve: (delivery) => delivery,
  }),
);
