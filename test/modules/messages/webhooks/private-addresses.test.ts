import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../../../src/platform/config.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { openReceiver, type Receiver } from '../../../support/receiver.ts';

// Webhook access to private addresses (PLT-40).

let receiver: Receiver;
const opened: TestApp[] = [];
const open = async (env: Record<string, string> = {}): Promise<TestApp> => {
  const t = await startApp({ env: { PROVISIONING_PER_MINUTE: '0', ...env } });
  opened.push(t);
  return t;
};
beforeAll(async () => {
  receiver = await openReceiver();
  receiver.behave((_message, response) => void response.writeHead(200).end('INSIDE-SECRET'));
});
afterAll(async () => {
  for (const t of opened) await t.close();
  await receiver.close();
});

const provisionedKey = async (t: TestApp): Promise<string> => {
  const headers = { 'idempotency-key': randomUUID() };
  const wish = { name: 'Anybody', country: 'US', businessType: 'company' };
  return (await t.rest<{ sandboxApiKey: string }>('POST', '/provision', wish, { key: null, headers })).body
    .sandboxApiKey;
};

const hosts = [
  '127.0.0.1',
  'localhost',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '１２７.0.0.1',
];

type Failed = { error: { code: string; message: string; param: string; details: unknown } };

/** Asserts that an API key can't create an endpoint with a private address, change an endpoint's URL to one, or cause requests to one. */
async function expectClosed(t: TestApp, key: string): Promise<void> {
  const { port } = new URL(receiver.url);
  const unreachable = 'must point to a public address';
  const problem = `${unreachable}; to receive events on your computer, run \`quittance listen\``;
  const rejected = {
    status: 400,
    body: {
      error: {
        code: 'validation_error',
        message: `url: ${problem}.`,
        param: 'url',
        details: [{ field: 'url', message: problem }],
      },
    },
  };
  const events = ['customer.created'];
  for (const host of hosts)
    expect([
      host,
      await t.rest<Failed>('POST', '/webhooks', { url: `http://${host}:${port}/`, events }, { key }),
    ]).toMatchObject([host, rejected]);
  expect((await t.rest<{ data: unknown[] }>('GET', '/webhooks', undefined, { key })).body.data).toEqual([]);

  const made = await t.rest<{ id: string }>(
    'POST',
    '/webhooks',
    { url: 'http://1.1.1.1/hook', events },
    { key },
  );
  expect(made.status).toBe(201);
  const { id } = made.body;
  expect(await t.rest('PATCH', `/webhooks/${id}`, { url: `${receiver.url}/` }, { key })).toMatchObject(
    rejected,
  );
  expect((await t.rest<{ url: string }>('GET', `/webhooks/${id}`, undefined, { key })).body.url).toBe(
    'http://1.1.1.1/hook',
  );

  // Simulates a host name that later resolves to a private address.
  const before = receiver.messages.length;
  for (const host of ['localhost', '127.0.0.1']) {
    await t.app.database.query('UPDATE "Webhook" SET url = $1 WHERE id = $2', [
      `http://${host}:${port}/`,
      id,
    ]);
    expect((await t.rest('POST', `/webhooks/${id}/test`, undefined, { key })).body).toMatchObject({
      success: false,
    });
  }
  const { webhookDeliveries } = await t.graphql<{ webhookDeliveries: { edges: { node: unknown }[] } }>(
    '{ webhookDeliveries(first: 10) { edges { node { responseStatus responseBody error } } } }',
    {},
    { key },
  );
  const unreached = { node: { responseStatus: null, responseBody: null, error: unreachable } };
  expect(webhookDeliveries.edges).toEqual([unreached, unreached]);
  expect(receiver.messages.length).toBe(before);
}

describe('a private webhook address', () => {
  test("is blocked for sandboxes if the settings don't allow it", async () => {
    const t = await open({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' });
    await expectClosed(t, t.sandboxKey);
  });

  test('is blocked for self-registered organizations, regardless of the settings', async () => {
    const t = await open({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
    await expectClosed(t, await provisionedKey(t));
  });

  test("is allowed for other sandboxes if the settings allow it, and response bodies aren't stored", async () => {
    const t = await open({ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' });
    const { body } = await t.rest<{ id: string }>('POST', '/webhooks', {
      url: receiver.url,
      events: ['customer.created'],
    });
    expect((await t.rest('POST', `/webhooks/${body.id}/test`)).body).toMatchObject({ success: true });
    expect(
      await t.graphql(
        '{ webhookDeliveries(first: 10) { edges { node { responseStatus responseBody error } } } }',
      ),
    ).toEqual({
      webhookDeliveries: { edges: [{ node: { responseStatus: 200, responseBody: null, error: null } }] },
    });
  });
});

test.each<[Record<string, string>, boolean]>([
  [{}, true],
  [{ HOST: '0.0.0.0' }, true],
  [{ DATABASE_URL: 'postgres://db/q' }, true],
  [{ DATABASE_URL: 'postgres://db/q', HOST: '::1' }, true],
  [{ DATABASE_URL: 'postgres://db/q', HOST: '0.0.0.0' }, false],
  [{ DATABASE_URL: 'postgres://db/q', HOST: '0.0.0.0', WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on' }, true],
  [{ WEBHOOKS_TO_PRIVATE_ADDRESSES: 'off' }, false],
])('the webhook settings %j allow sandboxes to call private addresses: %j', (env, isAllowed) => {
  expect(parseConfig(env).webhooksToPrivateAddresses).toBe(isAllowed);
});
