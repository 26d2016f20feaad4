import { hash } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentOperations } from '../../src/web/documents-plugin.ts';
import { createCustomer, firstShop, openPortal } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openSocket } from '../support/socket.ts';

// Persisted documents, and the setting that rejects other documents from pages.

type Failure = { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> };
type Result = { readonly data?: unknown; readonly errors?: readonly Failure[] };

let open: TestApp;
let strict: TestApp;
beforeAll(async () => {
  open = await startApp({ env: { RATE_LIMIT_PER_MINUTE: '600' } });
  strict = await startApp({ env: { TRUSTED_DOCUMENTS: 'only' } });
  // The documents of the hosted pages are registered when one of the pages is first shown.
  for (const t of [open, strict]) await (await fetch(`${t.url}/portal/nobody`)).text();
  const operations = await sentOperations(path.resolve('src/pages/login/page.graphql'));
  login = operations.find(({ kind }) => kind === 'query')?.text ?? '';
});
afterAll(async () => {
  await open.close();
  await strict.close();
});

async function post(t: TestApp, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Result };
}

async function get(t: TestApp, parameters: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${t.url}/graphql?${new URLSearchParams(parameters)}`, { headers });
  return { status: response.status, body: (await response.json()) as Result };
}

const byHash = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: hash('sha256', text) } });
const variables = { slug: 'nobody' };
/** Text of the query that the portal sign-in page sends. */
let login = '';
const typename = '{ __typename }';

/** Error that Apollo's and urql's links expect before sending the document. */
const notSupported = [
  expect.objectContaining({
    message: 'PersistedQueryNotSupported',
    extensions: expect.objectContaining({ code: 'PERSISTED_QUERY_NOT_SUPPORTED' }),
  }),
];

describe('a client with automatic persisted queries', () => {
  it('receives PersistedQueryNotSupported for a hash without a document, with POST and GET', async () => {
    const extensions = byHash(typename);
    const answers = [
      await post(open, { extensions }),
      await post(open, { operationName: 'Any', variables: { a: 1 }, extensions }),
      await post(open, { extensions }, { accept: 'application/graphql-response+json, application/json' }),
      await get(open, { extensions: JSON.stringify(extensions) }),
      await get(open, { operationName: 'Any', extensions: JSON.stringify(extensions), variables: '{}' }),
    ];
    for (const answer of answers) expect(answer).toEqual({ status: 200, body: { errors: notSupported } });
  });

  it('receives PersistedQueryNotSupported for each such operation in a batch, along with other results', async () => {
    const { status, body } = await post(open, [{ query: typename }, { extensions: byHash(typename) }]);
    expect([status, body]).toEqual([200, [{ data: { __typename: 'Query' } }, { errors: notSupported }]]);
  });

  it('receives the result after sending the document, with or without the hash', async () => {
    const answered = { status: 200, body: { data: { __typename: 'Query' } } };
    expect(await post(open, { query: typename, extensions: byHash(typename) })).toEqual(answered);
    expect(await post(open, { query: typename })).toEqual(answered);
    expect(await get(open, { query: typename, extensions: JSON.stringify(byHash(typename)) })).toEqual(
      answered,
    );
  });
});

describe('a document of the hosted pages', () => {
  it('can be requested by hash', async () => {
    const { body: expected } = await post(open, { query: login, variables });
    const id = `sha256:${hash('sha256', login)}`;
    for (const t of [open, strict])
      for (const answer of [
        await post(t, { extensions: byHash(login), variables }),
        await post(t, { documentId: id, variables }),
        await post(
          t,
          { documentId: id, operationName: 'LoginPage', variables },
          { accept: 'application/graphql-response+json' },
        ),
        await get(t, { documentId: id, variables: JSON.stringify(variables) }),
        await get(t, { extensions: JSON.stringify(byHash(login)), variables: JSON.stringify(variables) }),
      ])
        expect(answer.body).toEqual(expected);
    expect(expected).toEqual({ data: { portalLogin: null } });
  });

  it("can't be requested by an unknown documentId", async () => {
    const { status, body } = await post(open, { documentId: 'sha256:00' });
    expect([status, body.errors?.[0]?.extensions['code']]).toEqual([400, 'validation_error']);
  });
});

describe('the setting TRUSTED_DOCUMENTS=only', () => {
  it("allows a hosted page's own documents", async () => {
    const shop = firstShop(strict);
    const { id: customerId } = await createCustomer(shop);
    const token = await openPortal(shop, customerId);
    const authorization = `Bearer ${token}`;
    const [portal] = await sentOperations(path.resolve('src/pages/portal/standing.graphql'));
    const answer = await post(strict, { query: portal?.text, variables: { token } });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data).toMatchObject({ portal: { customer: { email: expect.any(String) } } });
    const other = await post(strict, { query: '{ portal { customer { email } } }' }, { authorization });
    expect([other.status, other.body.errors?.[0]?.extensions['code'], other.body.data]).toEqual([
      403,
      'forbidden',
      undefined,
    ]);
  });

  it('rejects other documents without an API key in every format', async () => {
    const forbidden = { status: 403, code: 'forbidden' };
    const seen = ({ status, body }: { status: number; body: Result }) => ({
      status,
      code: body.errors?.[0]?.extensions['code'],
    });
    expect(seen(await post(strict, { query: typename }))).toEqual(forbidden);
    expect(seen(await post(strict, { query: typename, extensions: byHash(login) }))).toEqual(forbidden);
    expect(seen(await get(strict, { query: typename }))).toEqual(forbidden);
    expect(seen(await post(strict, { query: `${login} ` }))).toEqual(forbidden);
    const { body } = await post(strict, [{ query: typename }]);
    expect((body as unknown as Result[])[0]?.errors?.[0]?.extensions['code']).toBe('forbidden');
    const raw = await openSocket(strict);
    raw.send({ type: 'connection_init' });
    expect(await raw.next()).toEqual({ type: 'connection_ack' });
    raw.send({ type: 'subscribe', id: '1', payload: { query: typename } });
    expect(await raw.next()).toMatchObject({
      type: 'error',
      payload: [{ extensions: { code: 'forbidden' } }],
    });
    raw.socket.close();
  });

  it('allows any document with an API key', async () => {
    const headers = { 'x-api-key': strict.sandboxKey };
    for (const answer of [
      await post(strict, { query: typename }, headers),
      await get(strict, { query: typename }, headers),
    ])
      expect(answer).toEqual({ status: 200, body: { data: { __typename: 'Query' } } });
  });
});

describe('extensions.cost', () => {
  const query = '{ customers(first: 7) { edges { node { id email } } } }';
  const asking = (t: TestApp) => ({ 'x-api-key': t.sandboxKey, 'x-quittance-cost': '1' });
  const costIn = (result: unknown) => (result as { extensions?: { cost?: unknown } }).extensions?.cost;

  it('reports the same cost for every request format, but only on request', async () => {
    // Uses a new tenant, because a rate limit window starts with the first request of an API key.
    const tenant = { ...open, ...(await open.otherTenant()) };
    const [plain, throughServer, inAddress] = [
      await post(open, { query }, asking(tenant)),
      await post(open, { query }, { ...asking(tenant), accept: 'application/graphql-response+json' }),
      await get(open, { query }, asking(tenant)),
    ].map(({ body }) => costIn(body) as { requested: number; window: { remaining: number } });
    expect(plain).toEqual({
      requested: expect.any(Number),
      limit: 50_000,
      window: { limit: 600, remaining: expect.any(Number), resetSeconds: expect.any(Number) },
    });
    expect(plain?.requested).toBeGreaterThan(7 * 2);
    expect([throughServer?.requested, inAddress?.requested]).toEqual([plain?.requested, plain?.requested]);
    expect(throughServer?.window.remaining).toBe((plain?.window.remaining ?? 0) - 1);
    expect(costIn((await post(open, { query }, { 'x-api-key': open.sandboxKey })).body)).toBeUndefined();
  });

  it('reports the cost of each operation in a batch, and of an operation with failed fields', async () => {
    const failing = '{ customer(id: "nobody") { id } }';
    const { body } = await post(open, [{ query }, { query: failing }], asking(open));
    const [first, second] = body as unknown as Result[];
    expect(costIn(first)).toMatchObject({ limit: 50_000 });
    expect(second?.errors).toHaveLength(1);
    expect(costIn(second)).toMatchObject({ requested: 2 });
    expect(costIn((await post(open, { query: failing }, asking(open))).body)).toMatchObject({ requested: 2 });
  });
});
