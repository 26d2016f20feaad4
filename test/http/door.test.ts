import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { rawConnection } from '../support/raw.ts';

// Exact responses for each method and type of path, with variable values masked. Header order and capitalization are ignored because they
// have no meaning.

let plain: TestApp;
let shared: TestApp;
beforeAll(async () => {
  const env = { PUBLIC_URL: 'http://bill.test', BODY_LIMIT_BYTES: '4096' };
  plain = await startApp({ env });
  shared = await startApp({ env: { ...env, CORS_ORIGINS: 'https://shop.test' } });
});
afterAll(async () => {
  await plain.close();
  await shared.close();
});

/** Decodes a body with chunked transfer encoding. */
function unchunked(body: string): string {
  const end = body.indexOf('\r\n');
  const size = Number.parseInt(body.slice(0, end), 16);
  return size > 0 ? body.slice(end + 2, end + 2 + size) + unchunked(body.slice(end + 4 + size)) : '';
}

const documents = /text\/html|text\/css|text\/javascript|openapi|text\/markdown|version=0\.0\.4/;

/** Replaces values that differ between runs and releases with placeholders. */
const masked = (text: string, t: TestApp): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/\b[a-z]{2,4}_[0-9A-Za-z]{16,}/g, 'an id')
    .replaceAll(/sha256-[\w+/=]+/g, 'a hash')
    .replaceAll(/nonce-[\w+/=]+/g, 'a nonce')
    .replaceAll(new URL(t.url).host, 'its host')
    .replaceAll(/(retry-after|ratelimit-reset): (?!1$)\d+/gm, '$1: some seconds')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time');

/** Headers that most responses contain, apart from the request ID. */
const usual = [
  'connection: close',
  'date: now',
  'referrer-policy: no-referrer',
  'x-content-type-options: nosniff',
  'x-frame-options: DENY',
];

/** Returns a response's status, headers, and body as lines of text. */
function shown(received: string, t: TestApp): string {
  const answer = received.replace('HTTP/1.1 100 Continue\r\n\r\n', '');
  const end = answer.indexOf('\r\n\r\n');
  if (end === -1) return answer === '' ? 'no answer' : answer;
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const rest = answer.slice(end + 4);
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(': ');
      return [name.toLowerCase(), value.join(': ')] as const;
    }),
  );
  const isChunked = headers.get('transfer-encoding') === 'chunked' && rest !== '';
  const body = isChunked ? unchunked(rest) : rest;
  if (headers.get('content-length') === String(body.length)) headers.set('content-length', 'its length');
  if (headers.has('date')) headers.set('date', 'now');
  if (headers.has('etag')) headers.set('etag', 'a tag');
  const isLong = Number(headers.get('content-length')) > 10_000;
  const isDocument = documents.test(headers.get('content-type') ?? '') || body.startsWith('{"openapi"');
  if (isLong || (isDocument && headers.has('content-length'))) headers.set('content-length', 'its length');
  const text = isDocument && body !== '' ? 'a document' : body;
  const sorted = [...headers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}: ${value}`);
  const isUsual = usual.every((line) => sorted.includes(line)) && headers.has('x-request-id');
  const kept = isUsual
    ? sorted.filter((line) => !usual.includes(line) && !/^x-request-id/.test(line))
    : sorted;
  return masked([`${first}${isUsual ? ', as usual' : ''}`, ...kept, '', text].join('\n'), t);
}

type Sent = { readonly headers?: readonly string[]; readonly body?: string; readonly host?: string };

/** Sends a request on its own connection. Returns the bytes received until the server closes the connection. */
async function ask(t: TestApp, line: string, { headers = [], body = '', host }: Sent = {}): Promise<string> {
  const all = [`host: ${host ?? new URL(t.url).host}`, 'connection: close', ...headers];
  const bytes = `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
  const { socket, ended } = await rawConnection(t.url, bytes);
  // Closes the connection at the end of a stream, because the server would keep it open.
  socket.on('data', (chunk: Buffer) => {
    if (chunk.toString('latin1').endsWith('0\r\n\r\n')) socket.destroy();
  });
  return shown(await ended, t);
}

/** Combines named responses into one text. Identical responses are listed once, with the names of all their requests. */
function together(answers: readonly (readonly [string, string])[]): string {
  const names = Map.groupBy(answers, ([, answer]) => answer);
  return [...names]
    .map(([answer, same]) => `[${same.map(([name]) => name).join(', ')}]\n${answer}\n`)
    .join('\n');
}

const measured = (body: string, type = 'application/json'): Sent => ({
  headers: [`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`],
  body,
});
const chunked = (body: string, type = 'application/json'): Sent => ({
  headers: [`content-type: ${type}`, 'transfer-encoding: chunked'],
  body: `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
});
const withHeaders = (sent: Sent, ...headers: readonly string[]): Sent => ({
  ...sent,
  headers: [...(sent.headers ?? []), ...headers],
});
const key = (t: TestApp): string => `x-api-key: ${t.sandboxKey}`;

/** Responses to requests without a key, with a key, and with a key if other origins are allowed. */
const everyone = async (line: string, sent: Sent): Promise<string> =>
  together([
    ['nobody', await ask(plain, line, sent)],
    ['a key', await ask(plain, line, withHeaders(sent, key(plain)))],
    ['shared', await ask(shared, line, withHeaders(sent, key(shared)))],
  ]);

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

const paths = [
  '/healthz',
  '/healthz/',
  '/healthz?deep=1',
  '/%68ealthz',
  '/x/../healthz',
  '/readyz',
  '/metrics',
  '/graphql',
  '/graphql/',
  '/graphql?query=%7B__typename%7D',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/nothing',
  '/docs/api-reference/2026-08-27/errors/duplicate.md',
  '/api/v1/customers?limit=1',
  '/api/v1/nothing',
  '/api/v1/%63ustomers',
  '/api/v1',
  '/api/v1/',
  '/api/v2/customers',
  '/auth',
  '/auth/nothing',
  '/auth/get-session',
  '/auth/sign-in/email',
  '/checkout/token',
  '/checkout/token/',
  '/checkout',
  '/embed.js',
  '/assets/nothing.css',
  '/documents/invoices/token',
  '/manage/token',
  '/webhooks/stripe/env/connection',
  '/webhooks/stripe',
  '/',
  '//healthz',
  '/nothing%',
  '/nothing%20here',
];

it.each(paths)('the path %s has the same responses as in the snapshot', async (path) => {
  const answers: [string, string][] = [];
  for (const method of methods) answers.push([method, await ask(plain, `${method} ${path}`)]);
  expect(together(answers)).toMatchSnapshot();
});

const json = JSON.stringify;
const customer = json({ email: 'ada@example.com', id: 'ada' });
const query = json({ query: '{ organization { name } }' });
const long = json({ query: `{ organization { name } } # ${'long '.repeat(1_000)}` });

describe('the response to a request body', () => {
  const addresses = [
    '/graphql',
    '/api/v1/customers',
    '/api/v1/nothing',
    '/auth/sign-in/email',
    '/webhooks/stripe/env/connection',
    '/nothing',
    '/checkout/token',
  ];
  const bodies: readonly (readonly [string, Sent])[] = [
    ['in chunks', chunked('{}')],
    ['with zero chunks', chunked('').body === '' ? {} : { ...chunked(''), body: '0\r\n\r\n' }],
    ['that is empty', measured('')],
    ['that is invalid JSON', measured('{"email":')],
    ['that is a list', measured('[]')],
    ['that is text', measured('hello', 'text/plain')],
    ['above the size limit', measured(long)],
    ['above the size limit in chunks', chunked(long)],
    ['that was announced but not sent', { headers: ['content-length: 99999999'] }],
    ['with a content encoding', withHeaders(measured('{}'), 'content-encoding: gzip')],
    ['sent after 100 Continue', withHeaders(measured('{}'), 'expect: 100-continue')],
  ];
  it.each(addresses.flatMap((address) => bodies.map(([what, sent]) => [what, address, sent] as const)))(
    '%s, sent to %s, matches the snapshot',
    async (_what, address, sent) => {
      expect(await everyone(`POST ${address}`, sent)).toMatchSnapshot();
    },
  );

  it.each(addresses)('matches the snapshot if the request body ends early: %s', async (address) => {
    const bytes = `POST ${address} HTTP/1.1\r\nhost: its\r\n${key(plain)}\r\ncontent-length: 500\r\n\r\n{"id":`;
    const { socket, ended } = await rawConnection(plain.url, bytes);
    setTimeout(() => socket.end(), 50);
    expect(shown(await ended, plain)).toMatchSnapshot();
    expect((await fetch(`${plain.url}/healthz`)).status).toBe(200);
  });

  it('ignores the body of a GET request', async () => {
    for (const path of ['/healthz', '/api/v1/customers', '/graphql', '/nothing'])
      expect(await ask(plain, `GET ${path}`, withHeaders(measured(query), key(plain)))).toMatchSnapshot(path);
  });
});

describe('the REST endpoint', () => {
  const cases: readonly (readonly [string, string, (t: TestApp) => Sent])[] = [
    ['a list', 'GET /api/v1/customers?limit=1', (t) => ({ headers: [key(t)] })],
    ['a list asked for by HEAD', 'HEAD /api/v1/customers?limit=1', (t) => ({ headers: [key(t)] })],
    ['a rejected query', 'GET /api/v1/customers?limit=many', (t) => ({ headers: [key(t)] })],
    ['an unknown key', 'GET /api/v1/customers', () => ({ headers: ['x-api-key: ck_sandbox_x'] })],
    ['two keys', 'GET /api/v1/customers', (t) => ({ headers: [key(t), key(t)] })],
    ['another version', 'GET /api/v1/features', (t) => ({ headers: [key(t), 'service-version: new'] })],
    ['a method nobody offers', 'PUT /api/v1/customers', (t) => withHeaders(measured('{}'), key(t))],
    ['a creation', 'POST /api/v1/features', (t) => withHeaders(measured('{"name":"A"}'), key(t))],
    ['dots', 'GET /api/v1/plans/../customers?limit=1', (t) => ({ headers: [key(t)] })],
    ['capitals in its host', 'GET /api/v1/features', (t) => ({ headers: [key(t)], host: 'LOCALHOST' })],
    ['a host that is none', 'GET /api/v1/features', (t) => ({ headers: [key(t)], host: 'a b' })],
    ['an encoded parameter', 'GET /api/v1/customers/a%20b', (t) => ({ headers: [key(t)] })],
    ['a broken parameter', 'GET /api/v1/customers/%zz', (t) => ({ headers: [key(t)] })],
    ['quotes in its address', `GET /api/v1/customers/"a"`, (t) => ({ headers: [key(t)] })],
    ['a backslash', 'GET /api/v1\\customers', (t) => ({ headers: [key(t)] })],
    ['a fragment', 'GET /api/v1/features#x', (t) => ({ headers: [key(t)] })],
  ];
  it.each(cases)('responds to %s', async (_what, line, sent) => {
    const [own, other] = [await ask(plain, line, sent(plain)), await ask(shared, line, sent(shared))];
    expect(
      together([
        ['plain', own],
        ['shared', other],
      ]),
    ).toMatchSnapshot();
  });

  it('responds to an absolute URL', async () => {
    expect(await ask(plain, `GET ${plain.url}/api/v1/features`, { headers: [key(plain)] })).toMatchSnapshot();
    expect(await ask(plain, `GET ftp://its/api/v1/features`, { headers: [key(plain)] })).toMatchSnapshot();
    expect(await ask(plain, 'OPTIONS *')).toMatchSnapshot();
  });

  it('creates an object from a body with a length and from a chunked body', async () => {
    for (const [index, made] of [measured, chunked].entries()) {
      const sent = withHeaders(made(customer.replaceAll('ada', `ada${index}`)), key(plain));
      expect(await ask(plain, 'POST /api/v1/customers', sent)).toMatchSnapshot();
    }
  });
});

describe('the GraphQL endpoint', () => {
  const accepting = (accept: string, sent: Sent): Sent => withHeaders(sent, `accept: ${accept}`);
  const form = 'application/x-www-form-urlencoded';
  const cases: readonly (readonly [string, string, Sent])[] = [
    ['a query', 'POST /graphql', measured(query)],
    ['a query in chunks', 'POST /graphql', chunked(query)],
    ['a query with another parameter', 'POST /graphql?a=1', measured(query)],
    ['a query of a charset', 'POST /graphql', measured(query, 'application/json; charset=utf-8')],
    ['a query of another charset', 'POST /graphql', measured(query, 'application/json; charset=latin1')],
    ['a query as text', 'POST /graphql', measured(query, 'text/plain')],
    [
      'a query without a type',
      'POST /graphql',
      { headers: [`content-length: ${query.length}`], body: query },
    ],
    ['a query of GraphQL', 'POST /graphql', measured('{ organization { name } }', 'application/graphql')],
    ['a form', 'POST /graphql', measured('query={organization{name}}', form)],
    ['several parts', 'POST /graphql', measured('--x--', 'multipart/form-data; boundary=x')],
    ['a query in the address', 'GET /graphql?query=%7Borganization%7Bname%7D%7D', {}],
    ['a head', 'HEAD /graphql?query=%7Borganization%7Bname%7D%7D', {}],
    ['a mutation in the address', 'GET /graphql?query=mutation%7BapiKeyDelete(id:%22a%22)%7Bid%7D%7D', {}],
    ['the editor', 'GET /graphql', { headers: ['accept: text/html'] }],
    ['graphql-response', 'POST /graphql', accepting('application/graphql-response+json', measured(query))],
    ['a stream', 'POST /graphql', accepting('text/event-stream', measured(query))],
    ['parts', 'POST /graphql', accepting('multipart/mixed', measured(query))],
    ['nothing it knows', 'POST /graphql', accepting('image/png', measured(query))],
    ['what browsers accept', 'POST /graphql', accepting('application/json, */*', measured(query))],
    ['a batch', 'POST /graphql', measured(`[${query},${query}]`)],
    ['an empty batch', 'POST /graphql', measured('[]')],
    ['a long batch', 'POST /graphql', measured(`[${Array(11).fill(query).join(',')}]`)],
    ['no query', 'POST /graphql', measured('{}')],
    ['a query that is none', 'POST /graphql', measured(json({ query: 7 }))],
    ['a document that is none', 'POST /graphql', measured(json({ query: '{ a(' }))],
    ['an unknown field', 'POST /graphql', measured(json({ query: '{ nothing }' }))],
    [
      'an unknown operation',
      'POST /graphql',
      measured(json({ query: '{ __typename }', operationName: 'A' })),
    ],
    ['variables that are none', 'POST /graphql', measured(json({ query: '{ __typename }', variables: [] }))],
    ['another member', 'POST /graphql', measured(json({ query: '{ __typename }', more: 1 }))],
    ['extensions', 'POST /graphql', measured(json({ query: '{ __typename }', extensions: { a: 1 } }))],
    ['a rejection', 'POST /graphql', measured(json({ query: '{ customer(id: "nobody") { id } }' }))],
    [
      'a value and a rejection',
      'POST /graphql',
      measured(json({ query: '{ organization { name } customer(id: "nobody") { id } }' })),
    ],
    [
      'a mutation',
      'POST /graphql',
      measured(json({ query: 'mutation { apiKeyDelete(id: "nothing") { deletedId } }' })),
    ],
    [
      'a mutation of two fields',
      'POST /graphql',
      measured(
        json({
          query: 'mutation { a: apiKeyDelete(id: "x") { deletedId } b: apiKeyDelete(id: "y") { deletedId } }',
        }),
      ),
    ],
    [
      'a mutation with a key',
      'POST /graphql',
      withHeaders(
        measured(json({ query: 'mutation { apiKeyDelete(id: "nothing") { deletedId } }' })),
        'idempotency-key: door',
      ),
    ],
    [
      'a subscription without a stream',
      'POST /graphql',
      measured(json({ query: 'subscription { eventAdded { id } }' })),
    ],
    ['a byte order mark', 'POST /graphql', measured(`\ufeff${query}`)],
  ];
  // Each request is sent four times: the document cache must not change the response.
  it.each(cases)('returns the same response to %s each time', async (_what, line, sent) => {
    const first = await ask(plain, line, withHeaders(sent, key(plain)));
    const third = await ask(shared, line, withHeaders(sent, key(shared)));
    expect(
      together([
        ['a key', first],
        ['nobody', await ask(plain, line, sent)],
        ['shared', third],
      ]),
    ).toMatchSnapshot();
    const parsed = (text: string) => {
      const [head = '', ...body] = text.split('\n\n');
      const rest = body.join('\n\n');
      return [head, rest.startsWith('{') ? JSON.parse(rest) : rest];
    };
    for (let time = 2; time <= 4; time++)
      expect(parsed(await ask(plain, line, withHeaders(sent, key(plain))))).toEqual(parsed(first));
  });
});

describe('cross-origin access', () => {
  const shop = 'origin: https://shop.test';
  const preflight = [
    shop,
    'access-control-request-method: POST',
    'access-control-request-headers: x-api-key, content-type',
  ];
  const lines = ['/api/v1/customers', '/api/v1', '/graphql', '/healthz', '/nothing', '/auth/get-session'];
  it.each(lines)('is allowed for %s according to the settings', async (path) => {
    for (const [name, t] of [
      ['plain', plain],
      ['shared', shared],
    ] as const) {
      const answers: [string, string][] = [];
      const say = async (what: string, line: string, sent: Sent) =>
        answers.push([what, await ask(t, `${line} ${path}`, sent)]);
      await say('a preflight', 'OPTIONS', { headers: preflight });
      await say('a preflight of another', 'OPTIONS', { headers: ['origin: https://other.test'] });
      await say('no preflight', 'OPTIONS', {});
      await say('a request', 'GET', { headers: [shop, key(t)] });
      await say('a head', 'HEAD', { headers: [shop, key(t)] });
      await say('a request of another', 'GET', { headers: ['origin: https://other.test', key(t)] });
      await say('a request of nobody', 'GET', { headers: [shop] });
      await say('a body', 'POST', withHeaders(measured(query), shop, key(t)));
      await say('a long body', 'POST', withHeaders(measured(long), shop, key(t)));
      expect(together(answers)).toMatchSnapshot(name);
    }
  });
});
