import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConnectionError, NotFoundError, Quittance } from '../../../src/packages/sdk/index.ts';

// Sockets that break in ways that a server in the same process can't cause.

/** Socket whose messages the test sends. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static last: FakeSocket;
  readonly sent: { readonly type: string }[] = [];
  readyState = FakeSocket.OPEN;

  constructor() {
    super();
    FakeSocket.last = this;
    queueMicrotask(() => {
      this.dispatchEvent(new Event('open'));
      this.receive({ type: 'connection_ack' });
    });
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  close(): void {
    this.readyState = 3;
  }
}

const clientWith = (send: typeof fetch): Quittance =>
  new Quittance({
    apiKey: 'ck_sandbox_1',
    baseUrl: 'https://billing.example.com',
    maxRetries: 0,
    fetch: send,
    WebSocket: FakeSocket as unknown as typeof WebSocket,
  });

const access = (allowed: boolean) => ({ code: 'sso', allowed });
const page = (...data: object[]): Response =>
  Response.json({ object: 'list', data, hasMore: false, livemode: false });

describe('the heartbeat of a socket', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('opens another socket if the service does not respond to a ping', async () => {
    const stop = new AbortController();
    const client = clientWith(() => Promise.reject(new TypeError('The network is down.')));
    const next = client.events({ after: 7, signal: stop.signal }).next();
    await vi.advanceTimersByTimeAsync(20_000);
    const first = FakeSocket.last;
    expect(first.sent.map(({ type }) => type)).toEqual(['connection_init', 'subscribe', 'ping']);
    first.receive({ type: 'pong' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([FakeSocket.last === first, first.sent.length]).toEqual([true, 4]);
    await vi.advanceTimersByTimeAsync(21_000);
    expect([FakeSocket.last === first, first.readyState]).toEqual([false, 3]);
    expect(FakeSocket.last.sent).toContainEqual(
      expect.objectContaining({ payload: expect.objectContaining({ variables: { after: 7 } }) }),
    );
    stop.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });
});

describe('the entitlements', () => {
  test('keep a live update that arrives while an older response is read', async () => {
    let respond: (response: Response) => void = () => undefined;
    const client = clientWith(
      () =>
        new Promise((resolve) => {
          respond = resolve;
        }),
    );
    const entitlements = client.entitlements('ada');
    const result = entitlements.can('sso');
    await vi.waitFor(() => expect(FakeSocket.last.sent.length).toBe(2));
    FakeSocket.last.receive({ type: 'next', payload: { data: { featureAccessChanged: [access(false)] } } });
    await new Promise((resolve) => setTimeout(resolve, 0));
    respond(page(access(true)));
    expect(await result).toBe(false);
    entitlements.close();
  });

  test('are read again by `refresh` after an older request', async () => {
    const waiting: ((response: Response) => void)[] = [];
    const client = clientWith(() => new Promise((resolve) => waiting.push(resolve)));
    const entitlements = client.entitlements('ada', { live: false });
    const results = [entitlements.can('sso'), entitlements.can('sso')];
    const refreshed = entitlements.refresh();
    expect(waiting.length).toBe(1);
    waiting[0]?.(page(access(true)));
    expect(await Promise.all(results)).toEqual([true, true]);
    await vi.waitFor(() => expect(waiting.length).toBe(2));
    waiting[1]?.(page(access(false)));
    await refreshed;
    expect([await entitlements.can('sso'), waiting.length]).toEqual([false, 2]);
  });

  test('report why the access cannot be read, and why live updates are rejected', async () => {
    const errors: unknown[] = [];
    const client = clientWith(() => Promise.reject(new TypeError('The network is down.')));
    const entitlements = client.entitlements('nobody', { onError: (error) => errors.push(error) });
    expect(await entitlements.can('sso')).toBe(false);
    expect(errors).toEqual([expect.any(ConnectionError)]);
    const extensions = { type: 'not_found_error', code: 'customer_not_found', status: 404 };
    const payload = [{ message: 'The customer does not exist.', extensions }];
    FakeSocket.last.receive({ type: 'error', payload });
    await vi.waitFor(() => expect(errors[1]).toBeInstanceOf(NotFoundError));
    expect(errors[1]).toMatchObject({ code: 'customer_not_found', status: 404 });
    entitlements.close();
  });
});
