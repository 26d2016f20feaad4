import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signatureOf } from '../../../../src/modules/messages/webhooks/sign.ts';
import { createWebhook, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectedSignature, openReceiver, type Receiver } from '../../../support/receiver.ts';

type Tested = {
  success: boolean;
  deliveryId: string;
  deliveredAt: string;
  object: string;
  livemode: boolean;
};

it('the webhook signature matches the worked example in the docs (PLT-E2)', () => {
  const body = '{"id":"whev_demo","event":"customer.created"}';
  expect(Buffer.byteLength(body)).toBe(45);
  expect(signatureOf(body, 'whsec_demo')).toBe(
    '558f9202c6d0bd825533f63d8d52c0593c939fd629cb43fb6114eb992c20e148',
  );
});

describe('a webhook endpoint test', () => {
  let t: TestApp;
  let shop: Shop;
  let receiver: Receiver;
  beforeAll(async () => {
    t = await startApp({ env: { WEBHOOK_TIMEOUT_MS: '300' } });
    shop = firstShop(t);
    receiver = await openReceiver();
  });
  beforeEach(() => receiver.behave(200));
  afterAll(async () => {
    await receiver.close();
    await t.close();
  });

  const test = async (id: string): Promise<Tested> => {
    const { status, body } = await shop.rest<Tested>('POST', `/webhooks/${id}/test`);
    expect(status).toBe(200);
    return body;
  };
  const deliveryOf = async (tested: Tested) => {
    const [row] = await t.app.database.query<Record<string, unknown>>(
      'SELECT * FROM "WebhookDelivery" WHERE id = $1',
      [tested.deliveryId],
    );
    return row;
  };

  it('sends a signed envelope with empty data (PLT-42, PLT-43, PLT-46)', async () => {
    const { id, secretKey } = await createWebhook(shop, {
      url: `${receiver.url}/hook?a=1`,
      events: ['usage.recorded'],
    });
    const before = receiver.messages.length;
    const tested = await test(id);
    expect(tested).toEqual({
      success: true,
      deliveryId: expect.stringMatching(/^whd_[0-9A-Za-z]{22}$/),
      deliveredAt: expect.stringMatching(/^\d{4}-.*Z$/),
      object: 'webhook_delivery',
      livemode: false,
    });
    const [message, ...more] = receiver.messages.slice(before);
    expect(more).toEqual([]);
    if (message === undefined) throw new Error('Nothing arrived.');
    const { headers, envelope, text } = message;
    expect(message).toMatchObject({ method: 'POST', path: '/hook?a=1' });
    expect(envelope).toEqual({
      id: expect.stringMatching(/^whev_[0-9A-Za-z]{22}$/),
      event: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      organizationId: t.organizationId,
      mode: 'sandbox',
      apiVersion: '2026-08-27',
      data: {},
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'webhook.test',
      'x-service-event-id': envelope.id,
      'x-service-timestamp': envelope['timestamp'],
      'x-service-signature': expectedSignature(text, secretKey),
    });
    expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(await deliveryOf(tested)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      responseStatus: 200,
      error: null,
      kind: 'webhook.test',
    });
  });

  it.each([301, 302, 307, 400, 404, 410, 500, 503])(
    "fails if the receiver returns %i, and isn't retried",
    async (status) => {
      const { id } = await createWebhook(shop, { url: receiver.url });
      receiver.behave(
        (_message, response) =>
          void response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end('no\u0000pe'),
      );
      const before = receiver.messages.length;
      const tested = await test(id);
      expect(tested.success).toBe(false);
      expect(await deliveryOf(tested)).toMatchObject({
        status: 'failed',
        responseStatus: status,
        responseBody: null,
        nextAttemptAt: null,
      });
      expect(receiver.messages.length).toBe(before + 1);
      await shop.rest('DELETE', `/webhooks/${id}`);
    },
  );

  it.each([200, 201, 204, 299])('succeeds if the receiver returns %i', async (status) => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    receiver.behave(status);
    expect((await test(id)).success).toBe(true);
    await shop.rest('DELETE', `/webhooks/${id}`);
  });

  it("times out if the receiver doesn't respond within the configured time", async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    receiver.behave(() => undefined);
    const tested = await test(id);
    expect(tested.success).toBe(false);
    expect(await deliveryOf(tested)).toMatchObject({
      status: 'failed',
      responseStatus: null,
      error: 'No answer within 300 ms.',
    });
  });

  it('succeeds when the response headers arrive, and stores only the status code if the address is private', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    receiver.behave((_message, response) => {
      response.writeHead(200);
      response.write('inside');
    });
    const tested = await test(id);
    expect(tested.success).toBe(true);
    expect(await deliveryOf(tested)).toMatchObject({ responseStatus: 200, responseBody: null, error: null });
    receiver.behave((_message, response) => void response.end('x'.repeat(1_000_000)));
    expect(await deliveryOf(await test(id))).toMatchObject({ status: 'succeeded', responseBody: null });
  });

  it("fails if the connection is lost or rejected, or if the response isn't HTTP", async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    receiver.behave((_message, response) => void response.destroy());
    expect(await deliveryOf(await test(id))).toMatchObject({
      status: 'failed',
      responseStatus: null,
      error: 'socket hang up',
    });
    const babble: Server = createServer((socket) => void socket.resume().end('220 mail.test ESMTP\r\n'));
    await new Promise<void>((resolve) => babble.listen(0, '127.0.0.1', resolve));
    const { port } = babble.address() as AddressInfo;
    const spoken = await createWebhook(shop, { url: `http://127.0.0.1:${port}/` });
    expect(await deliveryOf(await test(spoken.id))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Parse Error'),
    });
    await new Promise<void>((resolve) => babble.close(() => resolve()));
    expect(await deliveryOf(await test(spoken.id))).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it("reaches a disabled endpoint and doesn't change its state (PLT-46)", async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    await shop.rest('PATCH', `/webhooks/${id}`, { isActive: false });
    expect((await test(id)).success).toBe(true);
    receiver.behave(500);
    for (let count = 0; count < 4; count++) expect((await test(id)).success).toBe(false);
    const [row] = await t.app.database.query(
      'SELECT "isActive", "failedInRow" FROM "Webhook" WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ isActive: false, failedInRow: 0 });
  });

  it('is sent once per idempotency key, and keeps no database transaction open while it waits for the response', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    const headers = { 'idempotency-key': `test-${id}` };
    receiver.behave(async (_message, response) => {
      // The receiver calls the API before it responds. On the embedded database, a transaction that remained open during the delivery would
      // block both requests forever.
      const { status } = await shop.rest('GET', `/webhooks/${id}`);
      response.writeHead(status).end();
    });
    const before = receiver.messages.length;
    const first = await shop.rest<Tested>('POST', `/webhooks/${id}/test`, undefined, { headers });
    const second = await shop.rest<Tested>('POST', `/webhooks/${id}/test`, undefined, { headers });
    expect(first.body.success).toBe(true);
    expect(second.body).toEqual(first.body);
    expect(receiver.messages.length).toBe(before + 1);
  });

  it("doesn't connect in the live environment to a hostname that now resolves to a private address (DNS rebinding)", async () => {
    const { body } = await t.rest<{ id: string }>(
      'POST',
      '/webhooks',
      { url: 'https://1.1.1.1/hook', events: ['payout.failed'] },
      { key: t.liveKey },
    );
    const { port } = new URL(receiver.url);
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://localhost:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
    ]) {
      await t.app.database.query('UPDATE "Webhook" SET url = $1 WHERE id = $2', [url, body.id]);
      const before = receiver.messages.length;
      const answer = await t.rest<Tested>('POST', `/webhooks/${body.id}/test`, undefined, { key: t.liveKey });
      expect(answer.body).toMatchObject({ success: false, livemode: true });
      expect(await deliveryOf(answer.body)).toMatchObject({
        status: 'failed',
        error: 'must point to a public address',
      });
      expect(receiver.messages.length).toBe(before);
    }
  });
});
