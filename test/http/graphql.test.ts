import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

// A repeated operation must return the same response. The document cache must not be observable.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
  await t.rest('POST', '/customers', { email: 'ada@example.com', externalId: 'ada' });
});
afterAll(() => t.close());

type Headers = Readonly<Record<string, string>>;
type Got = { readonly status: number; readonly headers: Headers; readonly body: string };

/** Sends a body unchanged on its own connection. Returns the response without values that differ between requests. */
function send(body: string, headers: Headers = {}, isChunked = false): Promise<Got> {
  const length: Headers = isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const all = { 'content-type': 'application/json', 'x-api-key': t.sandboxKey, ...length, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${t.url}/graphql`, { method: 'POST', headers: all, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const {
          date,
          'x-request-id': requestId,
          'content-length': _length,
          'transfer-encoding': _encoding,
          ...shown
        } = response.headers;
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: { ...(shown as Headers), requestId: String(typeof requestId), date: String(typeof date) },
          body: requestId === undefined ? text : text.replaceAll(String(requestId), 'its id'),
        });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Parses a response body, because the interpreter and the compiler order data and errors differently. */
const read = ({ body, ...got }: Got) => ({ ...got, body: JSON.parse(body) as unknown });

/** Checks that the compiled query and the fast path return the same response as the interpreter. Returns the interpreter's response. */
async function fourTimes(body: unknown, headers: Headers = {}): Promise<Got> {
  const first = await send(JSON.stringify(body), headers);
  for (let time = 2; time <= 4; time++)
    expect(read(await send(JSON.stringify(body), headers)), `time ${time}`).toEqual(read(first));
  return first;
}

const customer = 'query Ada($id: ID!) { customer(id: $id) { externalId email address { line1 } createdAt } }';

describe('a repeated GraphQL request', () => {
  it('returns the same response for a query, with the standard headers', async () => {
    const { status, headers, body } = await fourTimes({
      query: customer,
      variables: { id: 'ada' },
      operationName: 'Ada',
    });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      requestId: 'string',
    });
    expect(JSON.parse(body)).toEqual({
      data: {
        customer: {
          externalId: 'ada',
          email: 'ada@example.com',
          address: null,
          createdAt: expect.any(String),
        },
      },
    });
  });

  it.each([
    [
      'a rejected field',
      { query: customer, variables: { id: 'nobody' } },
      200,
      '"code":"customer_not_found"',
    ],
    [
      'a missing variable',
      { query: customer.replace('email', 'timezone'), variables: {} },
      400,
      '"code":"validation_error"',
    ],
    ['a document that does not parse', { query: '{ customer(' }, 400, '"code":"validation_error"'],
    ['an unknown field', { query: '{ customers { nothing } }' }, 400, '"code":"validation_error"'],
    [
      'an operation that is not in the document',
      { query: customer, operationName: 'Eve', variables: { id: 'ada' } },
      400,
      'errors',
    ],
    ['invalid variables', { query: customer, variables: [1] }, 400, 'errors'],
    ['an unknown member', { query: customer, variables: { id: 'ada' }, more: 1 }, 400, 'errors'],
    ['a list of operations', [{ query: customer, variables: { id: 'ada' } }], 200, '"externalId":"ada"'],
  ])('returns the same response for %s', async (_title, body, status, part) => {
    const got = await fourTimes(body);
    expect(got.status).toBe(status);
    expect(got.body).toContain(part);
  });

  it.each([
    ['no key', { 'x-api-key': '' }, 401],
    ['an unknown key', { 'x-api-key': 'ck_sandbox_unknown' }, 401],
    ['a version that is not a date', { 'service-version': 'new' }, 400],
  ])("returns the error code's status for %s", async (_title, headers, status) => {
    await fourTimes({ query: customer, variables: { id: 'ada' } });
    const got = await fourTimes({ query: customer, variables: { id: 'ada' } }, headers);
    expect(got.status).toBe(status);
    expect(got.body).not.toContain('ada@example.com');
  });

  it('returns the same response for every accepted JSON media type', async () => {
    const query = '{ customers { edges { node { email } } } }';
    const accepting = (accept: string) => fourTimes({ query }, { accept });
    expect((await accepting('application/json')).headers['content-type']).toBe(
      'application/json; charset=utf-8',
    );
    expect((await accepting('application/graphql-response+json')).headers['content-type']).toBe(
      'application/graphql-response+json; charset=utf-8',
    );
  });
});

describe('a GraphQL request outside the fast path', () => {
  it('succeeds without a content length', async () => {
    const body = JSON.stringify({ query: customer, variables: { id: 'ada' } });
    expect(await send(body, {}, true)).toEqual(
      await fourTimes({ query: customer, variables: { id: 'ada' } }),
    );
  });

  it('executes a repeated mutation each time', async () => {
    const query = 'mutation ($email: String!) { customerCreate(input: { email: $email }) { email } }';
    for (let time = 1; time <= 4; time++) {
      const { body } = await send(JSON.stringify({ query, variables: { email: `time${time}@example.com` } }));
      expect(JSON.parse(body)).toEqual({ data: { customerCreate: { email: `time${time}@example.com` } } });
    }
    const { body } = await t.rest<{ data: { email: string }[] }>('GET', '/customers');
    expect(body.data.map(({ email }) => email).filter((email) => email.startsWith('time'))).toHaveLength(4);
  });

  it.each([{}, { id: null }, { id: ['ada', 'eve'] }, { id: { of: 'ada' } }])(
    'is rejected for mistyped variables of a known query: %j',
    async (variables) => {
      expect((await fourTimes({ query: customer, variables: { id: 'ada' } })).status).toBe(200);
      const rejected = await fourTimes({ query: customer, variables });
      expect([rejected.status, rejected.body.includes('"code":"validation_error"')]).toEqual([400, true]);
    },
  );

  it('is rejected if variables of a known query exceed the cost limit', async () => {
    const query = `query ($first: Int) { customers(first: $first) { edges { node {
      invoices(first: $first) { edges { node { subscription { invoices(first: 5) { edges { node { id } } } } } } } } } } }`;
    expect((await fourTimes({ query, variables: { first: 2 } })).status).toBe(200);
    const rejected = await fourTimes({ query, variables: { first: 100 } });
    expect([rejected.status, rejected.body.includes('Up to 50000 are allowed')]).toEqual([400, true]);
  });
});

it('a repeated GraphQL request is rejected as soon as its API key is deleted', async () => {
  const { body: made } = await t.rest<{ id: string; key: string }>('POST', '/api-keys', { name: 'Short' });
  const key = Object.values(made).find((value) => String(value).startsWith('ck_'));
  const headers = { 'x-api-key': String(key) };
  const requested = { query: '{ customers(first: 1) { edges { cursor } } }' };
  expect((await fourTimes(requested, headers)).status).toBe(200);
  await t.rest('DELETE', `/api-keys/${made.id}`);
  expect((await fourTimes(requested, headers)).status).toBe(401);
});
