import { Client, fetchExchange } from '@urql/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createActiveSubscription, createCustomer, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openInitialised } from '../support/socket.ts';

// Queries with `@defer`, whose deferred parts arrive after the first part of the response.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const multipart = 'multipart/mixed;deferSpec=20220824, application/json';

const send = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> =>
  fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: multipart, 'x-api-key': t.sandboxKey, ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

type Part = {
  readonly data?: unknown;
  readonly hasNext?: boolean;
  readonly extensions?: { readonly cost: { readonly requested: number } };
  readonly incremental?: readonly {
    data: unknown;
    path: unknown;
    errors?: { message: string; extensions: object }[];
  }[];
};

/** Sends a query and returns the response's parts in order. */
async function partsOf(query: string, variables = {}, headers = {}): Promise<Part[]> {
  const response = await send({ query, variables }, headers);
  expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed; boundary="-"/);
  const texts = (await response.text()).split(/\r\n---(?:--)?(?:\r\n)?/);
  return texts.flatMap((text) =>
    text.includes('{') ? [JSON.parse(text.slice(text.indexOf('{'))) as Part] : [],
  );
}

const rejectedWith = async (response: Response): Promise<unknown> => {
  const { errors } = (await response.json()) as {
    errors: { message: string; extensions: { code: string } }[];
  };
  return [response.status, errors.map(({ message, extensions }) => [extensions.code, message])];
};

const page = (directive: string) => `query ($id: ID!) { subscription(id: $id) { id
  ... ${directive} { customer { email } invoices(first: 2) { nodes { total } } } } }`;

describe('a deferred part', () => {
  test('arrives after the first part, and the combined parts equal the response without @defer', async () => {
    const { id } = await createActiveSubscription(shop);
    const [first, ...later] = await partsOf(page('@defer(label: "more")'), { id });
    expect(first).toEqual({ data: { subscription: { id } }, hasNext: true });
    const [part] = later.flatMap(({ incremental = [] }) => incremental);
    const whole = await t.graphql<{ subscription: object }>(page(''), { id });
    expect(part).toMatchObject({ path: ['subscription'], label: 'more' });
    expect({ id, ...(part?.data as object) }).toEqual(whole.subscription);
    expect(later.at(-1)?.hasNext).toBe(false);
  });

  test('is merged into the result by urql', async () => {
    const { id } = await createActiveSubscription(shop);
    const client = new Client({
      url: `${t.url}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers: { 'x-api-key': t.sandboxKey } },
      exchanges: [fetchExchange],
    });
    const results: { data: unknown; hasNext: boolean }[] = [];
    await new Promise<void>((resolve) => {
      client.query(page('@defer'), { id }).subscribe(({ data, hasNext, error }) => {
        expect(error).toBeUndefined();
        results.push({ data: structuredClone(data), hasNext });
        if (!hasNext) resolve();
      });
    });
    expect(results[0]).toEqual({ data: { subscription: { id } }, hasNext: true });
    expect(results.at(-1)).toEqual({ data: await t.graphql(page(''), { id }), hasNext: false });
  });

  test('can arrive as server-sent events', async () => {
    const { id } = await createActiveSubscription(shop);
    const response = await send(
      { query: page('@defer'), variables: { id } },
      { accept: 'text/event-stream' },
    );
    const events = [...(await response.text()).matchAll(/^data: (\{.*\})$/gm)].map(
      ([, text = '']) => JSON.parse(text) as Part,
    );
    expect(events[0]).toEqual({ data: { subscription: { id } }, hasNext: true });
    expect(events.at(-1)?.hasNext).toBe(false);
  });

  test('returns errors with a code and request ID, and hides unexpected errors', async () => {
    const query = '{ __typename ... @defer { subscription(id: "sub_none") { id } } }';
    const [first, second] = await partsOf(query);
    expect(first).toEqual({ data: { __typename: 'Query' }, hasNext: true });
    expect(second?.incremental?.[0]).toMatchObject({
      data: { subscription: null },
      errors: [
        { extensions: { code: 'subscription_not_found', status: 404, requestId: expect.any(String) } },
      ],
    });
    const { query: read } = t.app.database;
    const failing = vi.spyOn(t.app.database, 'query').mockImplementation((text, ...rest) => {
      if (text.includes('FROM "Customer" t')) throw new Error(`secret: ${text}`);
      return read(text, ...rest);
    });
    const later = await partsOf('{ __typename ... @defer { customers { nodes { id } } } }').finally(() =>
      failing.mockRestore(),
    );
    expect(JSON.stringify(later)).not.toContain('secret');
    expect(later[1]?.incremental?.[0]?.errors?.[0]?.extensions).toMatchObject({
      code: 'internal_error',
      status: 500,
    });
  });

  test('costs the same as without the directive, and the whole document is rejected if it costs too much', async () => {
    const headers = { 'x-quittance-cost': '1' };
    const { id } = await createActiveSubscription(shop);
    const [first] = await partsOf(page('@defer'), { id }, headers);
    const plain = await send(
      { query: page(''), variables: { id } },
      { ...headers, accept: 'application/json' },
    );
    const { extensions } = (await plain.json()) as Part;
    expect(first?.extensions?.cost.requested).toBe(extensions?.cost.requested);
    const much = `{ __typename ... @defer { customers(first: 100) { nodes { invoices(first: 100) { nodes { id total status number: invoiceNumber currency } } } } } }`;
    expect(await rejectedWith(await send({ query: much }))).toEqual([
      400,
      [['validation_error', expect.stringMatching(/^The operation costs \d+\. Up to 50000 are allowed/)]],
    ]);
    const repeated = Array.from({ length: 20 }, (_, at) => `...Few @defer(label: "${at}")`).join(' ');
    const fragments = `{ ${repeated} } fragment Few on Query { customers(first: 100) { nodes { id email fullName } } }`;
    const [counted] = await partsOf(fragments, {}, headers);
    expect(counted?.extensions?.cost.requested).toBeGreaterThan(20 * 300);
  });

  test('stops reading rows after the client disconnects', async () => {
    await createCustomer(shop);
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const { query } = t.app.database;
    const statements: string[] = [];
    const watched = vi.spyOn(t.app.database, 'query').mockImplementation(async (text, ...rest) => {
      statements.push(text);
      if (text.includes('FROM "Customer" t')) {
        reached.resolve();
        await gate.promise;
      }
      return query(text, ...rest);
    });
    const leaving = new AbortController();
    const nested = '{ __typename ... @defer { customers { nodes { invoices { nodes { id } } } } } }';
    const response = await send({ query: nested }, {}, leaving.signal);
    const reader = response.body?.getReader();
    await reader?.read();
    await reached.promise;
    leaving.abort();
    await reader?.read().catch(() => undefined);
    // A later response shows that the service has processed the disconnect.
    await t.graphql('{ __typename }');
    gate.resolve();
    await t.graphql('{ __typename }');
    const afterLeaving = [...statements];
    statements.length = 0;
    await partsOf(nested);
    watched.mockRestore();
    const invoices = (texts: readonly string[]) => texts.filter((text) => text.includes('FROM "Invoice" t'));
    expect(invoices(statements).length).toBeGreaterThan(0);
    expect(invoices(afterLeaving)).toEqual([]);
  });
});

describe('@defer', () => {
  const query = '{ __typename ... @defer { organization { name } } }';

  test('is rejected if the client accepts only a single response', async () => {
    const message = '@defer requires the header Accept: multipart/mixed or text/event-stream.';
    for (const accept of ['application/json', '*/*', 'application/graphql-response+json'])
      expect(await rejectedWith(await send({ query }, { accept }))).toEqual([
        400,
        [['validation_error', message]],
      ]);
    const other =
      "@defer responses use the format deferSpec=20220824. The format incrementalSpec isn't supported.";
    const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json';
    expect(await rejectedWith(await send({ query }, { accept }))).toEqual([
      400,
      [['validation_error', other]],
    ]);
    expect((await send({ query }, { accept: `${accept}, text/event-stream` })).status).toBe(200);
    const { send: post, next, socket } = await openInitialised(t);
    post({ type: 'subscribe', id: '1', payload: { query } });
    expect(JSON.stringify(await next())).toContain(message);
    socket.close();
  });

  test('is rejected in a document with more than 20 deferred parts', async () => {
    const text = (count: number) =>
      `{ ${Array.from({ length: count }, () => '... @defer { __typename }').join(' ')} }`;
    expect(await rejectedWith(await send({ query: text(21) }))).toEqual([
      400,
      [['validation_error', 'A document can defer up to 20 parts.']],
    ]);
    expect((await partsOf(text(20))).flatMap(({ incremental = [] }) => incremental)).toHaveLength(20);
  });

  test('is rejected in a batch', async () => {
    const response = await send([{ query }, { query: '{ __typename }' }]);
    expect(await response.json()).toMatchObject([
      { errors: [{ message: "@defer can't be used in a batch." }] },
      { data: { __typename: 'Query' } },
    ]);
  });

  test.each([
    ['below a list', '{ customers { nodes { id ... @defer { email } } } }'],
    [
      'below a list',
      '{ customers { nodes { ...Outer } } } fragment Outer on Customer { ...Inner @defer } fragment Inner on Customer { email }',
    ],
    ['in a mutation', 'mutation { ... @defer { customerCreate(input: { email: "a@b.test" }) { id } } }'],
    ['in a subscription', 'subscription { eventStream { ... @defer { position } } }'],
  ])('is rejected %s: %s', async (problem, text) => {
    expect(await rejectedWith(await send({ query: text }))).toEqual([
      400,
      [['validation_error', `@defer can't be used ${problem}.`]],
    ]);
    expect(JSON.stringify(await t.graphql('{ customers { nodes { email } } }'))).not.toContain('a@b.test');
  });
});
