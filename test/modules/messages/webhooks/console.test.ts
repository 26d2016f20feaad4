import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import { createCustomer, createWebhook, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { type Message, openReceiver, type Receiver } from '../../../support/receiver.ts';
import { rejection } from '../../../support/refusals.ts';

// Tools for webhook endpoints: messages and attempts, tests, resending, secret rotation, and statistics.

const wall = new MovableClock(new Date().toISOString());
let t: TestApp;
let shop: Shop;
let receiver: Receiver;
beforeAll(async () => {
  t = await startApp({ wall, env: { WORKER_POLL_MS: '100' } });
  receiver = await openReceiver();
});
beforeEach(async () => {
  shop = await otherShop(t);
  receiver.behave(200);
  wall.set(new Date().toISOString());
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});

const ask = <T>(query: string, variables: Record<string, unknown> = {}): Promise<T> =>
  t.graphql<T>(query, variables, { key: shop.key });

type Delivery = {
  readonly id: string;
  readonly status: string;
  readonly attempts: number;
  readonly request: {
    readonly url: string;
    readonly headers: { readonly name: string; readonly value: string }[];
    readonly body: string;
  };
  readonly attemptsLog: {
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
  }[];
};
const deliveries = async (): Promise<Delivery[]> =>
  (
    await ask<{ webhookDeliveries: { nodes: Delivery[] } }>(
      '{ webhookDeliveries { nodes { id status attempts request { url headers { name value } body } attemptsLog { at status durationMs responseBody error } } } }',
    )
  ).webhookDeliveries.nodes;
const settled = (status: string, attempts = 1, count = 1): Promise<Delivery[]> =>
  eventually(
    deliveries,
    (all) => all.length === count && all.every((one) => one.status === status && one.attempts >= attempts),
  );
const verify = (secret: string, { headers, text }: Pick<Message, 'text'> & { headers: object }): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

describe('a webhook delivery', () => {
  test('shows its signed message and each attempt', async () => {
    const { secretKey } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    receiver.behave(500);
    const customer = await createCustomer(shop);
    const [first] = await settled('pending');
    expect(first?.attemptsLog).toEqual([
      {
        at: expect.any(String),
        status: 500,
        durationMs: expect.any(Number),
        responseBody: null,
        error: null,
      },
    ]);
    receiver.behave(200);
    wall.set(new Date(Date.parse(first?.attemptsLog[0]?.at ?? '') + 61_000).toISOString());
    const [second] = await settled('succeeded', 2);
    expect(second?.attemptsLog.map(({ status }) => status)).toEqual([500, 200]);
    const sent = receiver.messages.at(-1);
    expect(second?.request.body).toBe(sent?.text);
    expect(JSON.parse(second?.request.body ?? '').data).toMatchObject({ id: customer.id });
    const headers = Object.fromEntries(
      (second?.request.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
    );
    expect(sent?.headers).toMatchObject(headers);
    wall.set(new Date().toISOString());
    expect(second?.request.url).toBe(receiver.url);
    expect(headers['webhook-signature']).toMatch(/^v1,\S+$/);
    expect(secretKey).toMatch(/^whsec_/);
  });

  test("is resent together with the endpoint's other failed deliveries, except for test deliveries", async () => {
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    await createCustomer(shop);
    await createCustomer(shop);
    await settled('succeeded', 1, 2);
    receiver.behave(500);
    await shop.rest('POST', `/webhooks/${id}/test`);
    receiver.behave(200);
    await t.app.database.query(
      `UPDATE "WebhookDelivery" SET status = 'failed' WHERE "environmentId" = $1 AND kind = 'customer.created'`,
      [shop.environmentId],
    );
    const resend = `mutation ($input: WebhookDeliveriesResendInput!) {
      webhookDeliveriesResend(input: $input) { webhook { id } resentCount isComplete } }`;
    const none = await ask(resend, { input: { webhookId: id, to: '2020-01-01T00:00:00Z' } });
    expect(none).toEqual({ webhookDeliveriesResend: { webhook: { id }, resentCount: 0, isComplete: true } });
    const before = receiver.messages.length;
    const some = await ask(resend, { input: { webhookId: id } });
    expect(some).toEqual({ webhookDeliveriesResend: { webhook: { id }, resentCount: 2, isComplete: true } });
    await receiver.received(before + 2);
    const statuses = await eventually(
      async () => (await deliveries()).map(({ status }) => status).toSorted(),
      (all) => !all.includes('pending'),
    );
    expect(statuses).toEqual(['failed', 'succeeded', 'succeeded']);
    const stranger = await otherShop(t);
    expect(await rejection(t, resend, { input: { webhookId: id } }, { key: stranger.key })).toMatchObject({
      code: 'webhook_not_found',
    });
  });
});

describe('a webhook endpoint', () => {
  test("can be tested with any event type, using the latest event's data or empty data", async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    const customer = await createCustomer(shop);
    const send = async (event: string): Promise<Message | undefined> => {
      const count = receiver.messages.length + 1;
      await shop.rest('POST', `/webhooks/${id}/test`, { event });
      return (await receiver.received(count)).at(-1);
    };
    const example = await send('customer.created');
    expect(example?.envelope).toMatchObject({ event: 'customer.created', data: { id: customer.id } });
    expect((await send('payout.paid'))?.envelope).toMatchObject({ event: 'payout.paid', data: {} });
    const [latest, first] = await deliveries();
    expect(JSON.parse(latest?.request.body ?? '').data).toEqual({});
    expect(JSON.parse(first?.request.body ?? '').data).toMatchObject({ id: customer.id });
    expect((await shop.rest('POST', `/webhooks/${id}/test`, { event: 'nothing.known' })).status).toBe(400);
  });

  test('gets a new secret, and its messages are signed with both secrets until the overlap ends', async () => {
    const { id, secretKey: before } = await createWebhook(shop, { url: receiver.url });
    const rotate = (overlapHours: number) =>
      shop.rest<{ id: string; secretKey: string }>('POST', `/webhooks/${id}/rotate-secret`, { overlapHours });
    const message = async (): Promise<Message> => {
      const count = receiver.messages.length + 1;
      await shop.rest('POST', `/webhooks/${id}/test`);
      const arrived = (await receiver.received(count)).at(-1);
      if (arrived === undefined) throw new Error('Nothing arrived.');
      return arrived;
    };
    const { status, body } = await rotate(2);
    expect([status, body.id]).toEqual([200, id]);
    expect(body.secretKey).not.toBe(before);
    const both = await message();
    for (const secret of [before, body.secretKey]) expect(verify(secret, both)).toEqual(both.envelope);
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2);
    const { body: last } = await rotate(0);
    const one = await message();
    expect(verify(last.secretKey, one)).toEqual(one.envelope);
    for (const secret of [before, body.secretKey]) expect(() => verify(secret, one)).toThrow();
    await rotate(1);
    wall.set(new Date(Date.now() + 3_600_001).toISOString());
    expect(String((await message()).headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect((await rotate(169)).status).toBe(400);
    expect((await shop.rest('POST', '/webhooks/whe_none/rotate-secret', {})).status).toBe(404);
  });

  test('shows statistics about its deliveries', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    await createCustomer(shop);
    await createCustomer(shop);
    await settled('succeeded', 1, 2);
    receiver.behave(500);
    await shop.rest('POST', `/webhooks/${id}/test`);
    const query =
      'query ($id: ID!, $hours: Int) { webhook(id: $id) { health(hours: $hours) { delivered failed queued medianMs series { at delivered failed } } } }';
    type Health = { webhook: { health: { medianMs: number; series: { at: string }[] } } };
    const { webhook } = await ask<Health>(query, { id });
    expect(webhook.health).toMatchObject({
      delivered: 2,
      failed: 1,
      queued: 0,
      medianMs: expect.any(Number),
    });
    expect(webhook.health.series.length).toBeGreaterThan(0);
    expect(webhook.health.series[0]?.at).toMatch(/:00:00\.000Z$/);
    wall.set(new Date(Date.now() + 2 * 3_600_000).toISOString());
    expect((await ask<Health>(query, { id, hours: 1 })).webhook.health).toEqual({
      delivered: 0,
      failed: 0,
      queued: 0,
      medianMs: null,
      series: [],
    });
    expect(await rejection(t, query, { id, hours: 0 }, { key: shop.key })).toMatchObject({
      code: 'validation_error',
      param: 'hours',
    });
  });
});
