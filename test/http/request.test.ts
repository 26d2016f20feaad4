import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// Unusual URLs, headers, and bodies that client libraries don't send.

let test: TestApp;

beforeAll(async () => {
  test = await startApp();
});

afterAll(() => test.close());

type Emitted = { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown };

/** Splits the bytes received on a connection into responses by content length. Removes headers that differ between responses. */
function answersIn(text: string): Emitted[] {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return [];
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.toLowerCase().split(': ')));
  const { date: _date, 'x-request-id': requestId, ...kept } = headers;
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  const next = end + 4 + Number(headers['content-length']);
  return [
    { status: Number(first.split(' ')[1]), headers: kept, body: JSON.parse(text.slice(end + 4, next)) },
    ...answersIn(text.slice(next)),
  ];
}

/** Sends bytes on a separate connection. Returns the responses once `count` of them have arrived. */
function send(bytes: string, count = 1): Promise<Emitted[]> {
  const { hostname, port } = new URL(test.url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('error', reject);
    socket.on('close', () => resolve(answersIn(text)));
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.split('HTTP/1.1 ').length > count && answersIn(text).length === count) socket.destroy();
    });
  });
}

const lines = (first: string, headers: readonly string[], body = ''): string =>
  `${first} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;

const host = () => `host: ${new URL(test.url).host}`;
const key = () => `x-api-key: ${test.sandboxKey}`;

const only = async (bytes: string): Promise<Emitted> => {
  const [emitted] = await send(bytes);
  if (emitted === undefined) throw new Error('There was no answer.');
  return emitted;
};

const post = (body: string, ...headers: readonly string[]) =>
  lines('POST /api/v1/customers', [host(), key(), 'content-type: application/json', ...headers], body);

const chunked = (body: string): string =>
  post(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`, 'transfer-encoding: chunked');
const measured = (body: string): string => post(body, `content-length: ${body.length}`);

const customerCount = async (): Promise<number> => (await test.context()).db.customer.count({});

describe('a REST request', () => {
  it.each([
    ['dots in its path', () => lines('GET /api/v1/plans/../customers?limit=1', [host(), key()])],
    ['an absolute URL', () => lines(`GET ${test.url}/api/v1/customers?limit=1`, [host(), key()])],
    ['capitals in its host', () => lines('GET /api/v1/customers?limit=1', ['host: LOCALHOST', key()])],
    [
      'extra spaces and capitals in a header',
      () => lines('GET /api/v1/customers?limit=1', [host(), `X-API-KEY:   ${test.sandboxKey}  `]),
    ],
  ])('returns the same response with %s', async (_what, bytes) => {
    const plain = await only(lines('GET /api/v1/customers?limit=1', [host(), key()]));
    expect(plain.status).toBe(200);
    expect(await only(bytes())).toEqual(plain);
  });

  it.each([
    ['invalid JSON', '{"email":', 'invalid_json'],
    ['an unknown member', '{"surprise":1}', 'validation_error'],
  ])('is rejected for %s, both with a content length and in chunks', async (_what, body, code) => {
    const before = await customerCount();
    const plain = await only(measured(body));
    expect(plain).toMatchObject({ status: 400, body: { error: { code } } });
    expect(await only(chunked(body))).toEqual(plain);
    expect(await customerCount()).toBe(before);
  });

  it('creates the same customer from a body with a content length and from a chunked body', async () => {
    const body = (id: string) => JSON.stringify({ id, email: `${id}@example.com` });
    const shown = async (bytes: string, id: string) => {
      const { status, headers, body } = await only(bytes);
      expect({ status, body }).toMatchObject({
        status: 201,
        body: { externalId: id, email: `${id}@example.com` },
      });
      const { 'content-length': _length, ...rest } = headers;
      return rest;
    };
    const measuredHeaders = await shown(measured(body('asked-a')), 'asked-a');
    expect(await shown(chunked(body('asked-b')), 'asked-b')).toEqual(measuredHeaders);
  });

  it("discards its unread body if it's rejected, so the connection can be used for the next request", async () => {
    const rejected = lines('POST /api/v1/customers', [host(), 'content-length: 12'], '{"email":1}\n');
    const answers = await send(`${rejected}${lines('GET /api/v1/customers?limit=1', [host(), key()])}`, 2);
    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('changes nothing if the client disconnects while sending the body', async () => {
    const before = await customerCount();
    const { hostname, port } = new URL(test.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(post('{"id":"left",', 'content-length: 500'));
        setTimeout(() => socket.destroy(), 100);
      });
      socket.on('close', () => resolve());
    });
    expect((await test.rest('GET', '/customers?limit=1')).status).toBe(200);
    expect(await customerCount()).toBe(before);
  });
});
