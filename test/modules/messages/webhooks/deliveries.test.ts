import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import {
  createCustomer,
  createDelivery,
  createWebhook,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';
import { rejection } from '../../../support/refusals.ts';
import { tablesRead } from '../../../support/statements.ts';

const list = `query ($webhookId: ID, $status: WebhookDeliveryStatus, $first: Int, $after: String) {
  webhookDeliveries(webhookId: $webhookId, status: $status, first: $first, after: $after) {
    edges { node { id event status attempts responseStatus nextAttemptAt webhook { id } outboxEvent { id event data } object livemode } }
    pageInfo { hasNextPage endCursor } } }`;
const resend =
  'mutation ($id: ID!) { webhookDeliveryResend(input: { id: $id }) { id status attempts nextAttemptAt finishedAt } }';

type Node = { id: string; status: string; event: string; [field: string]: unknown };
type Listed = {
  webhookDeliveries: { edges: { node: Node }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

describe('a webhook delivery', () => {
  let t: TestApp;
  let shop: Shop;
  let receiver: Receiver;
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await t.close();
  });

  const read = async (variables: Record<string, unknown>): Promise<Listed['webhookDeliveries']> =>
    (await t.graphql<Listed>(list, variables)).webhookDeliveries;
  const nodes = async (variables: Record<string, unknown>): Promise<Node[]> =>
    (await read(variables)).edges.map(({ node }) => node);
  const settled = (webhookId: string, count: number): Promise<Node[]> =>
    eventually(
      () => nodes({ webhookId, status: 'succeeded' }),
      (found) => found.length === count,
    );

  it('is created and sent automatically, and listed from newest to oldest with its event', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    const [first, second] = [await createCustomer(shop), await createCustomer(shop)];
    const found = await settled(id, 2);
    expect(found.map(({ outboxEvent }) => (outboxEvent as { data: { id: string } }).data.id)).toEqual([
      second.id,
      first.id,
    ]);
    expect(found[0]).toMatchObject({
      id: expect.stringMatching(/^whd_/),
      event: 'customer_created',
      status: 'succeeded',
      attempts: 1,
      responseStatus: 200,
      nextAttemptAt: null,
      webhook: { id },
      object: 'webhook_delivery',
      livemode: false,
    });
    const page = await read({ webhookId: id, first: 1 });
    expect(page).toMatchObject({ edges: [{ node: { id: found[0]?.id } }], pageInfo: { hasNextPage: true } });
    expect(await nodes({ webhookId: id, first: 1, after: page.pageInfo.endCursor })).toMatchObject([
      { id: found[1]?.id },
    ]);
    expect(await nodes({ webhookId: id, status: 'failed' })).toEqual([]);
    expect(receiver.messages.map(({ envelope }) => envelope.data['id'])).toEqual([first.id, second.id]);
  });

  it('can be resent manually with a new series of attempts and the same event ID (PLT-45)', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    await createCustomer(shop);
    const [delivery] = await settled(id, 1);
    const before = receiver.messages.length;
    expect(await t.graphql(resend, { id: delivery?.id })).toMatchObject({
      webhookDeliveryResend: { id: delivery?.id, status: 'pending', attempts: 0, finishedAt: null },
    });
    await receiver.received(before + 1);
    expect(receiver.messages.at(-1)?.headers['x-service-event-id']).toBe(
      (delivery as unknown as { outboxEvent: { id: string } }).outboxEvent.id,
    );
    expect(await settled(id, 1)).toMatchObject([{ id: delivery?.id, attempts: 1 }]);
  });

  it("can't be resent if it doesn't exist, is a test delivery, or belongs to a deleted endpoint", async () => {
    const { id, webhookId } = await createDelivery(shop);
    const unknown = { code: 'not_found', status: 404, param: 'id' };
    expect(await rejection(t, resend, { id: 'whd_none' })).toMatchObject(unknown);
    expect(await rejection(t, resend, { id }, { key: t.liveKey })).toMatchObject(unknown);
    const tested = await shop.rest<{ deliveryId: string }>('POST', `/webhooks/${webhookId}/test`);
    expect(await rejection(t, resend, { id: tested.body.deliveryId })).toMatchObject({
      code: 'validation_error',
      param: 'id',
    });
    expect(await rejection(t, list, { webhookId: 'whe_none' })).toMatchObject({ code: 'webhook_not_found' });
    await shop.rest('DELETE', `/webhooks/${webhookId}`);
    expect(await t.graphqlFailure(resend, { id })).toMatchObject({
      errors: [{ extensions: { status: 404 } }],
    });
  });

  it('is read with its endpoint and event with one SQL statement per table, regardless of the page size', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    for (let count = 0; count < 5; count++) await createCustomer(shop);
    await settled(id, 5);
    const page = (first: number) =>
      tablesRead(
        t,
        `{ webhookDeliveries(webhookId: "${id}", first: ${first}) { edges { node { status webhook { url } outboxEvent { event data } } } } }`,
      );
    const [small, large] = [await page(1), await page(5)];
    expect((large.data as Listed).webhookDeliveries.edges).toHaveLength(5);
    expect(large.tables).toEqual(small.tables);
    // The endpoint is read twice: to check that it exists, and for the field of the deliveries.
    expect(new Set(large.tables).size).toBe(large.tables.length - 1);
    expect(large.tables.length).toBeLessThanOrEqual(4);
  });
});
