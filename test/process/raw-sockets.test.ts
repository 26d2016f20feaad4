import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { exchange, rawConnection, statusIn } from '../support/raw.ts';
import { type ChildStorage, childStorage } from '../support/storage.ts';

// Whatever bytes a client sends, the process keeps running, serves other clients, and logs nothing.

const key = 'ck_sandbox_raw_sockets_0123456789ab';
const requestTimeoutMs = 1_000;

/** Time limit for other clients' requests, in milliseconds. It's generous because the machine may be busy. */
const promptMs = 10_000;

const upgradeHeaders =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';

/** Builds an upgrade request for a target that may be malformed. */
const upgradeOf = (target: string, headers = upgradeHeaders): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

/** Returns a request with a chunked body of 2 MB, which is twice the limit. */
const tooLong = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(64)}0\r\n\r\n`;

describe('a publicly reachable port', { timeout: 60_000 }, () => {
  let storage: ChildStorage;
  let child: Child;
  let heard = 0;

  beforeAll(async () => {
    const settings = {
      RATE_LIMIT_PER_MINUTE: '0',
      SIGN_INS_PER_MINUTE: '0',
      BOOTSTRAP_API_KEY: key,
      REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
    };
    storage = await childStorage(settings);
    child = await startChild(storage.env);
    heard = (await eventually(child.output, (output) => /Database .*\n( .*\n)*$/.test(output))).length;
  }, 120_000);
  afterAll(async () => {
    expect(await child?.stop()).toBe(0);
    await storage?.remove();
  });

  /** Expects that the process responds to another client in time. */
  async function expectAlive(): Promise<void> {
    const began = performance.now();
    expect((await fetch(`${child.url}/healthz`)).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(promptMs);
  }

  afterEach(async () => {
    await expectAlive();
    const logged = child.output().slice(heard);
    heard += logged.length;
    expect(logged.slice(0, 1_000)).toBe('');
  });

  test.each([
    ['//', 404],
    ['//:99999/', 404],
    ['//graphql', 404],
    ['/', 404],
    ['/graphql/', 404],
    ['/%', 404],
    ['/\\', 404],
    ['/../graphql', 404],
    ['http://[', 400],
    ['http://x:99999/graphql', 400],
    ['http://', 400],
    ['*', 400],
    ['x', 400],
    ['/graphql?%', 101],
    ['/graphql', 101],
  ])('responds to an upgrade of %s with status %i', async (target, status) => {
    const { socket, first, ended } = await rawConnection(child.url, upgradeOf(target));
    expect(statusIn(await first)).toBe(status);
    socket.destroy();
    await ended;
  });

  test.each([
    ['without a key', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n', 400],
    ['of an unsupported version', upgradeHeaders.replace('Version: 13', 'Version: 99'), 400],
    ['with a malformed protocol', `${upgradeHeaders}Sec-WebSocket-Protocol: ,,\r\n`, 400],
  ])('rejects an upgrade %s', async (_what, headers, status) => {
    expect(statusIn(await exchange(child.url, upgradeOf('/graphql', headers)))).toBe(status);
  });

  test('serves HTTP/1.1 to a client that offers HTTP/2', async () => {
    const request =
      'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n';
    expect(await exchange(child.url, request)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\{"status":"ok"\}$/);
  });

  test('tolerates clients that disconnect during an upgrade', async () => {
    const targets = ['/graphql', '/nowhere', '//'];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const { socket, ended } = await rawConnection(
          child.url,
          upgradeOf(targets[index % targets.length] ?? ''),
        );
        socket.resetAndDestroy();
        await ended;
      }),
    );
    await expectAlive();
  });

  test('closes rejected upgrade connections, even if the client keeps its side open', async () => {
    const socket = connect({ port: Number(new URL(child.url).port), host: '127.0.0.1', allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
    const answered = new Promise<void>((resolve) => socket.once('end', resolve));
    socket.resume().write(upgradeOf('/nowhere'));
    await answered;
    // Writes to a closed connection cause a reset. If the connection remained open, the writes would continue forever.
    const writing = setInterval(() => socket.write('x'), 20);
    await closed;
    clearInterval(writing);
    expect(socket.errored).toMatchObject({ code: expect.stringMatching(/^(ECONNRESET|EPIPE)$/) });
  });

  test('tolerates malformed WebSocket frames', async () => {
    const frames = [
      '\xff\xff\xff\xff',
      '\x81\x05hello',
      '\x8f\x80\x00\x00\x00\x00',
      '\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00',
      '\x88\x81\x00\x00\x00\x00x',
    ];
    const handshake = upgradeOf(
      '/graphql',
      `${upgradeHeaders}Sec-WebSocket-Protocol: graphql-transport-ws\r\n`,
    );
    for (const frame of frames) {
      const answer = await exchange(child.url, Buffer.from(handshake + frame, 'latin1'));
      expect(statusIn(answer)).toBe(101);
    }
  });

  test('tolerates 500 sockets that send nothing after their handshake', async () => {
    const handshake = upgradeOf(
      '/graphql',
      `${upgradeHeaders}Sec-WebSocket-Protocol: graphql-transport-ws\r\n`,
    );
    const open = await Promise.all(Array.from({ length: 500 }, () => rawConnection(child.url, handshake)));
    await expectAlive();
    for (const { socket } of open) socket.resetAndDestroy();
    await Promise.all(open.map(({ ended }) => ended));
  });

  test.each<[string, string, number]>([
    ['bytes that are no request', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['an unsupported HTTP version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a request without a host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
    ['an invalid host', 'GET /healthz HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n', 400],
    ['an invalid target', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
    ['a header with a line break in it', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\rc\r\n\r\n', 400],
    [
      'two content lengths',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'a content length with chunks',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['a negative content length', 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'a chunk without a valid size',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
    ['a URL that is too long', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a TRACE request', 'TRACE /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 405],
    ['a chunked body above the GraphQL limit', tooLong('/graphql'), 413],
    ['a chunked body above the sign-in limit', tooLong('/auth/sign-in/email'), 400],
    ['a chunked body above the REST limit', tooLong('/api/v1/provision'), 400],
    ['a chunked body above the page limit', tooLong('/nowhere'), 400],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ])('rejects %s', async (_what, bytes, status) => {
    expect(statusIn(await exchange(child.url, Buffer.from(bytes, 'latin1')))).toBe(status);
  });

  test('closes a connection that requests a tunnel', async () => {
    expect(await exchange(child.url, 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')).toBe('');
  });

  const half: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['half of a request line', 'GET /hea'],
    ['half of the headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nAccept'],
    [
      'headers without the announced body',
      `POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
    ],
    [
      'half of the body',
      `POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a"`,
    ],
    [
      'half of a chunk',
      `POST /api/v1/customers HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{"a"`,
    ],
    [
      'half of a GraphQL request',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"query"',
    ],
    [
      'half of a chunked GraphQL request',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n30\r\n{"query"',
    ],
    [
      'half of a sign-in request',
      'POST /auth/sign-in/email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"email"',
    ],
    [
      'half of a page request',
      'POST /checkout/none HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 30\r\n\r\nnumber=',
    ],
    [
      'half of a Stripe webhook',
      'POST /stripe/none HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{"type"',
    ],
  ];

  test.each(half)('closes a connection within the request timeout if it sends %s', async (_what, bytes) => {
    const began = performance.now();
    const connections = await Promise.all(Array.from({ length: 20 }, () => rawConnection(child.url, bytes)));
    await expectAlive();
    for (const { ended } of connections) expect([408, 401, 404, null]).toContain(statusIn(await ended));
    expect(performance.now() - began).toBeLessThan(requestTimeoutMs + 1_000 + promptMs);
  });

  test.each(half)('tolerates clients that disconnect after sending %s', async (_what, bytes) => {
    for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const connections = await Promise.all(
        Array.from({ length: 10 }, () => rawConnection(child.url, bytes)),
      );
      for (const { socket } of connections) socket[leave]();
      await Promise.all(connections.map(({ ended }) => ended));
    }
    await expectAlive();
  });

  test('closes a connection whose bytes arrive too slowly', async () => {
    const [, request = ''] = half[4] ?? [];
    const began = performance.now();
    const { socket, ended } = await rawConnection(child.url, request.slice(0, 10));
    let sent = 10;
    const trickle = setInterval(() => socket.write(request.slice(sent, ++sent)), 100);
    await ended;
    clearInterval(trickle);
    expect(performance.now() - began).toBeLessThan(requestTimeoutMs + 1_000 + promptMs);
  });

  const streamed = { accept: 'text/event-stream', query: 'subscription { eventStream { position } }' };
  const whole = {
    accept: 'application/graphql-response+json',
    query: '{ customers(first: 100) { edges { node { id } } } }',
  };
  const single = { ...whole, accept: 'text/event-stream, multipart/mixed' };
  test.each([streamed, single, whole])(
    'tolerates clients that disconnect during a response in the format $accept',
    async ({ accept, query }) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key, accept };
      const body = JSON.stringify({ query });
      const leave = async (afterMs: number): Promise<unknown> => {
        const sent = { method: 'POST', headers, body, signal: AbortSignal.timeout(afterMs) };
        return fetch(`${child.url}/graphql`, sent).then(
          async (response) => response.text().catch(({ name }: Error) => name),
          ({ name }: Error) => name,
        );
      };
      const ends = await Promise.all(Array.from({ length: 60 }, (_, index) => leave(index * 4)));
      expect(ends).toContain('TimeoutError');
    },
  );

  test('reports no server errors in the metrics', async () => {
    const metrics = await (await fetch(`${child.url}/metrics`)).text();
    expect(metrics).toContain('surface="rest",status="400"');
    expect(metrics).not.toMatch(/status="5/);
  });
});
