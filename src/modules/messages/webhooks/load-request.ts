import { loadExistingRow, loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { deliveredData } from '../events/types.ts';
import { messageOf } from './send.ts';

/** HTTP request to an endpoint: the headers in order, and the body. */
export type SentRequest = {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
};

type Delivered = Pick<
  Row<'WebhookDelivery'>,
  'webhookId' | 'eventId' | 'kind' | 'occurredAt' | 'lastAttemptAt' | 'testData'
>;

/**
 * Returns the message for a delivery, as signed for the last attempt. If there was no attempt yet, returns the message as it would be
 * signed now. `null` if the event is no longer stored.
 */
export async function loadRequest(ctx: Context, delivery: Delivered): Promise<SentRequest | null> {
  const { webhookId, eventId, kind, occurredAt, lastAttemptAt, testData } = delivery;
  const event = testData === null ? await loadRow(ctx, 'Event', eventId) : null;
  if (event === null && testData === null) return null;
  const data = event === null ? (testData ?? {}) : await deliveredData(ctx, event);
  const webhook = await loadExistingRow(ctx, 'Webhook', webhookId);
  const emitted = { id: eventId, kind, occurredAt, data };
  const { headers, body } = messageOf(ctx, webhook, emitted, lastAttemptAt ?? ctx.wall.now());
  return {
    url: webhook.url,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body,
  };
}
