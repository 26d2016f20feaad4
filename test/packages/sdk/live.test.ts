import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  Quittance,
  type WebhookEvent,
  WebhookSignatureError,
  webhooks,
} from '../../../src/packages/sdk/index.ts';
import { eventually } from '../../support/eventually.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

let app: TestApp;
let q: Quittance;
let planId: string;
beforeAll(async () => {
  app = await startApp();
  q = new Quittance({ apiKey: app.sandboxKey, baseUrl: app.url });
  const feature = await q.features.create({ code: 'sso', name: 'Single sign-on', type: 'boolean' });
  const plan = await q.plans.create({
    name: 'Free',
    code: 'free',
    consumptionModel: 'metered',
    isFree: true,
  });
  await q.plans.featureAdd(plan.id, { featureId: feature.id, enabled: true });
  planId = plan.id;
});
afterAll(() => app.close());

const customerOf = async (externalId: string): Promise<string> => {
  await q.customers.create({ email: `${externalId}@example.com`, externalId });
  return externalId;
};

/** Sockets that the test can break. */
class BreakableSocket extends WebSocket {
  static readonly open: BreakableSocket[] = [];

  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    BreakableSocket.open.push(this);
  }
}

describe('the event stream', () => {
  test('returns events in order, and continues after the last position if the socket breaks', async () => {
    const live = new Quittance({ apiKey: app.sandboxKey, baseUrl: app.url, WebSocket: BreakableSocket });
    const stop = new AbortController();
    const received: string[] = [];
    const reading = (async () => {
      for await (const event of live.events({ types: ['customer.created'], signal: stop.signal })) {
        received.push(event.data.externalId ?? '');
        if (received.length === 2) BreakableSocket.open.at(-1)?.close();
        if (received.length === 5) stop.abort();
      }
    })();
    await eventually(() => BreakableSocket.open.length > 0);
    for (const name of ['e1', 'e2', 'e3', 'e4', 'e5']) await customerOf(name);
    await reading;
    expect(received).toEqual(['e1', 'e2', 'e3', 'e4', 'e5']);
    expect(BreakableSocket.open.length).toBeGreaterThan(1);
  });

  test('throws if the key is not valid', async () => {
    const wrong = new Quittance({ apiKey: 'ck_sandbox_wrong', baseUrl: app.url });
    await expect(wrong.events({ after: 0 }).next()).rejects.toThrow();
  });
});

describe('the entitlements', () => {
  test('are read once, and updated when the access changes', async () => {
    const customerId = await customerOf('live');
    const access = q.entitlements(customerId);
    expect(await access.can('sso')).toBe(false);
    await q.subscriptions.create({ customerId, planId });
    await eventually(() => access.can('sso'));
    access.close();
  });

  test('are denied after the subscription ends, even if the last known access is requested', async () => {
    const customerId = await customerOf('ended');
    const { id } = await q.subscriptions.create({ customerId, planId });
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const access = q.entitlements(customerId, { live: false, maxAgeMs: 0, offline: 'lastKnown', onError });
    expect(await access.can('sso')).toBe(true);
    await q.subscriptions.cancel(id, { immediate: true });
    expect([await access.can('sso'), errors]).toEqual([false, []]);
    const nobody = q.entitlements('nobody', { live: false, offline: 'lastKnown', onError });
    expect(await nobody.can('sso')).toBe(false);
    expect(errors).toEqual([expect.objectContaining({ code: 'customer_not_found' })]);
  });

  test('are denied if they are stale and cannot be read, unless the last known access is requested', async () => {
    const customerId = await customerOf('offline');
    await q.subscriptions.create({ customerId, planId });
    let isDown = false;
    const send: typeof fetch = (url, init) =>
      isDown ? Promise.reject(new TypeError('The network is down.')) : fetch(url, init);
    const client = new Quittance({ apiKey: app.sandboxKey, baseUrl: app.url, fetch: send, maxRetries: 0 });
    const strict = client.entitlements(customerId, { live: false, maxAgeMs: 0 });
    const lenient = client.entitlements(customerId, { live: false, maxAgeMs: 0, offline: 'lastKnown' });
    expect([await strict.can('sso'), await lenient.can('sso')]).toEqual([true, true]);
    isDown = true;
    expect([await strict.can('sso'), await lenient.can('sso'), await lenient.can('other')]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;

/** Returns the headers of a message, as the service signs it. */
function signed(body: string, at = Date.now(), key = secret): Record<string, string> {
  const timestamp = String(Math.floor(at / 1_000));
  const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', bytes).update(`whev_1.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': 'whev_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const message = JSON.stringify({ id: 'whev_1', event: 'invoice.created', data: { invoiceId: 'inv_1' } });

const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookSignatureError ? error.reason : String(error)),
  );

describe('webhooks.verify', () => {
  test('returns the event of a genuine message, with a second secret during a rotation', async () => {
    const event = await webhooks.verify(message, signed(message), ['whsec_AAAA', secret]);
    if (event.event !== 'invoice.created') throw new Error('The event has another type.');
    expect(event.data.invoiceId).toBe('inv_1');
    const bytes = new TextEncoder().encode(message);
    expect((await webhooks.verify(bytes, new Headers(signed(message)), secret)).id).toBe('whev_1');
    const old = secret.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    expect((await webhooks.verify(message, signed(message), old)).id).toBe('whev_1');
  });

  test('rejects other messages with the reason', async () => {
    const verify = (body: unknown, headers: Record<string, string>, key = secret) =>
      reasonOf(webhooks.verify(body as string, headers, key));
    expect(await verify(message.replace('inv_1', 'inv_2'), signed(message))).toBe('signature');
    expect(await verify(message, signed(message, Date.now() - 301_000))).toBe('timestamp');
    expect(await verify(message, signed(message, Date.now() + 302_000))).toBe('timestamp');
    expect(await verify(JSON.parse(message), signed(message))).toBe('body_parsed');
    expect(await verify(message, {})).toBe('missing_header');
    expect(await verify(message, { ...signed(message), 'webhook-timestamp': 'x' })).toBe('timestamp');
    expect(await verify(message, { ...signed(message), 'webhook-signature': 'v1,§' })).toBe('signature');
    expect(await verify(message, signed(message), 'whsec_§')).toBe('secret');
  });
});

describe('webhooks.handler', () => {
  test('handles each event once, for Fetch and Hono', async () => {
    const handled: string[] = [];
    const seen = new Set<string>();
    const receive = webhooks.handler(
      { 'invoice.created': ({ data }) => handled.push(data.invoiceId) },
      { secret, seen },
    );
    const request = (headers: Record<string, string>): Request =>
      new Request('https://app.example.com', { method: 'POST', body: message, headers });
    expect((await receive(request(signed(message)))).status).toBe(204);
    expect((await receive({ req: { raw: request(signed(message)) } })).status).toBe(204);
    expect((await receive(request({ ...signed(message), 'webhook-id': 'whev_2' }))).status).toBe(400);
    expect(handled).toEqual(['inv_1']);
  });

  test('ignores further arguments of Next.js, Hono, and workers', async () => {
    const receive = webhooks.handler({}, { secret });
    const request = () =>
      new Request('https://app.example.com', { method: 'POST', body: message, headers: signed(message) });
    const next = async (): Promise<void> => undefined;
    expect((await receive(request(), { params: Promise.resolve({}) })).status).toBe(204);
    expect((await receive({ req: { raw: request() } }, next)).status).toBe(204);
    expect((await receive(request(), { KEY: 'value' }, { waitUntil: next })).status).toBe(204);
  });

  test('responds with 500 if the handler fails, and handles the next attempt', async () => {
    let attempts = 0;
    const receive = webhooks.handler(
      {
        'invoice.created': () => {
          attempts += 1;
          if (attempts === 1) throw new Error('The database is down.');
        },
      },
      { secret, seen: new Set<string>() },
    );
    const send = async (): Promise<number> =>
      (
        await receive(
          new Request('https://app.example.com', { method: 'POST', body: message, headers: signed(message) }),
        )
      ).status;
    expect([await send(), await send(), await send(), attempts]).toEqual([500, 204, 204, 2]);
  });

  test('reports a message that is not genuine, and a request whose body breaks', async () => {
    const errors: unknown[] = [];
    const receive = webhooks.handler({}, { secret, onError: (error) => errors.push(error) });
    const forged = new Request('https://app.example.com', { method: 'POST', body: message });
    expect((await receive(forged)).status).toBe(400);
    const broken = {
      headers: signed(message),
      async *[Symbol.asyncIterator]() {
        yield new Uint8Array([123]);
        throw new Error('The client disconnected.');
      },
    };
    const response = { statusCode: 200, end: () => undefined };
    await receive(broken, response);
    expect(response.statusCode).toBe(500);
    expect(errors.map(String)).toEqual([
      'WebhookSignatureError: The message has no header webhook-id.',
      'Error: The client disconnected.',
    ]);
  });

  test('accepts the bytes that Express has read, and rejects a parsed body', async () => {
    const handled: string[] = [];
    const receive = webhooks.handler(
      { 'invoice.created': ({ data }) => handled.push(data.invoiceId) },
      { secret },
    );
    const statusOf = async (body: unknown): Promise<number> => {
      const response = { statusCode: 200, end: () => undefined };
      await receive({ headers: signed(message), body, async *[Symbol.asyncIterator]() {} }, response);
      return response.statusCode;
    };
    expect(await statusOf(Buffer.from(message))).toBe(204);
    expect(await statusOf(JSON.parse(message))).toBe(400);
    expect(handled).toEqual(['inv_1']);
  });

  test('verifies the deliveries of the service on a server of Node.js', async () => {
    const received: WebhookEvent[] = [];
    let receive: ReturnType<typeof webhooks.handler> | null = null;
    const server = createServer((request, response) => void receive?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { secretKey } = await q.webhooks.create({
      url: `http://127.0.0.1:${port}/hook`,
      events: ['customer.created'],
    });
    receive = webhooks.handler(
      { 'customer.created': (event) => received.push(event) },
      { secret: secretKey ?? '' },
    );
    await customerOf('delivered');
    await eventually(() => received.length === 1);
    expect(received[0]?.data).toMatchObject({ externalId: 'delivered', email: 'delivered@example.com' });
    server.close();
  });
});
