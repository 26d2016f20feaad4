import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  advanceDays,
  createCustomer,
  createWebhook,
  firstShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectedSignature, type Message, openReceiver, type Receiver } from '../../../support/receiver.ts';

// Messages are verified with the public Standard Webhooks library, which uses the system clock.

const wall = new MovableClock(new Date().toISOString());
let t: TestApp;
let shop: Shop;
let receiver: Receiver;
beforeAll(async () => {
  t = await startApp({ wall, env: { WORKER_POLL_MS: '100' } });
  shop = firstShop(t);
  receiver = await openReceiver();
});
beforeEach(() => {
  receiver.behave(200);
  wall.set(new Date().toISOString());
});
afterAll(async () => {
  await receiver.close();
  await t.close();
});

const headersOf = (message: Message): Record<string, string> =>
  Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));

const verify = (secret: string, message: Message, text = message.text): unknown =>
  new Webhook(secret).verify(text, headersOf(message));

/** Sends a test message to an endpoint and returns the received message. */
async function testMessage(id: string): Promise<Message> {
  const count = receiver.messages.length + 1;
  await shop.rest('POST', `/webhooks/${id}/test`);
  const message = (await receiver.received(count)).at(-1);
  if (message === undefined) throw new Error('Nothing arrived.');
  return message;
}

type Check = (body: string, headers: Message['headers'], secretKey: string) => boolean;

/** Returns the function `isGenuine` from the documentation for receivers. */
async function documentedCheck(): Promise<Check> {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/webhooks.md'), 'utf8');
  const code = [...text.matchAll(/```js\n(.*?)```/gs)].find(([, block]) => block?.includes('isGenuine'))?.[1];
  const module = `${code}\nexport { isGenuine };`;
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  return isGenuine as Check;
}

describe('a webhook message', () => {
  test("can be verified with the returned secret, and also has the service's own headers", async () => {
    const { id, secretKey } = await createWebhook(shop, { url: receiver.url });
    const message = await testMessage(id);
    expect(verify(secretKey, message)).toEqual(message.envelope);
    expect(message.headers).toMatchObject({
      'webhook-id': message.envelope.id,
      'webhook-timestamp': String(Math.floor(wall.now().getTime() / 1_000)),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'x-service-event-id': message.envelope.id,
      'x-service-signature': expectedSignature(message.text, secretKey),
    });
    expect(Buffer.from(secretKey.slice('whsec_'.length), 'base64')).toHaveLength(32);
  });

  test('can be verified without a library, using the documented code', async () => {
    const { id, secretKey } = await createWebhook(shop, { url: receiver.url });
    const isGenuine = await documentedCheck();
    const message = await testMessage(id);
    expect(isGenuine(message.text, message.headers, secretKey)).toBe(true);
    expect(isGenuine(`${message.text} `, message.headers, secretKey)).toBe(false);
    wall.set(new Date(Date.now() - 600_000).toISOString());
    const old = await testMessage(id);
    expect(isGenuine(old.text, old.headers, secretKey)).toBe(false);
  });

  test('is rejected if its text, ID, time, or secret is different', async () => {
    const { id, secretKey } = await createWebhook(shop, { url: receiver.url });
    const { secretKey: another } = await createWebhook(shop, { url: receiver.url });
    const message = await testMessage(id);
    const withHeader = (name: string, value: string): Message => ({
      ...message,
      headers: { ...message.headers, [name]: value },
    });
    const noMatch = 'No matching signature found';
    expect(() => verify(secretKey, message, `${message.text} `)).toThrow(noMatch);
    expect(() => verify(another, message)).toThrow(noMatch);
    expect(() => verify(secretKey, withHeader('webhook-id', 'whev_other'))).toThrow(noMatch);
    const later = String(Number(message.headers['webhook-timestamp']) + 1);
    expect(() => verify(secretKey, withHeader('webhook-timestamp', later))).toThrow(noMatch);
    wall.set(new Date(Date.now() - 600_000).toISOString());
    const old = await testMessage(id);
    expect(() => verify(secretKey, old)).toThrow('Message timestamp too old');
  });

  test("contains the real time, even if the event has the test clock's time", async () => {
    const { id, secretKey } = await createWebhook(shop, { url: receiver.url });
    expect(await advanceDays(shop, 40)).toBe('completed');
    const message = await testMessage(id);
    expect(verify(secretKey, message)).toEqual(message.envelope);
    const [event, sent] = [
      Date.parse(String(message.headers['x-service-timestamp'])),
      Number(message.headers['webhook-timestamp']) * 1_000,
    ];
    expect(event - sent).toBeGreaterThan(39 * 86_400_000);
  });

  test('has the same ID and a new timestamp in every attempt', async () => {
    const { id, secretKey } = await createWebhook(shop, { url: receiver.url, events: ['customer.created'] });
    const before = receiver.messages.length;
    receiver.behave(500);
    await createCustomer(shop);
    await receiver.received(before + 1);
    receiver.behave(200);
    wall.set(new Date(wall.now().getTime() + 61_000).toISOString());
    const [first, second] = (await receiver.received(before + 2)).slice(before);
    if (first === undefined || second === undefined) throw new Error(`${id} received too little.`);
    expect(verify(secretKey, first)).toEqual(first.envelope);
    expect(verify(secretKey, second)).toEqual(second.envelope);
    expect(second.text).toBe(first.text);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    const elapsed = Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp']);
    expect(elapsed).toBe(61);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
    expect(second.headers['x-service-signature']).toBe(first.headers['x-service-signature']);
  });

  test('can be verified with a URL-safe Base64 secret that is converted as documented', async () => {
    const { id } = await createWebhook(shop, { url: receiver.url });
    // Bytes whose Base64 encoding contains the two characters that differ between the standard and URL-safe alphabets.
    const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, (_, index) => 240 + (index % 16))).toString('base64url')}`;
    expect(secret.slice('whsec_'.length)).toMatch(/^(?=.*-)(?=.*_).{43}$/);
    await t.app.database.query('UPDATE "Webhook" SET "sealedSecret" = $1 WHERE id = $2', [
      t.app.secrets.encrypt(secret),
      id,
    ]);
    const message = await testMessage(id);
    const text = secret.slice('whsec_'.length).replaceAll('-', '+').replaceAll('_', '/');
    expect(verify(`whsec_${text.padEnd(Math.ceil(text.length / 4) * 4, '=')}`, message)).toEqual(
      message.envelope,
    );
    expect(message.headers['x-service-signature']).toBe(expectedSignature(message.text, secret));
  });
});
