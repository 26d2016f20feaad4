import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPricedPlan, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// All metadata keys are stored and returned, regardless of their name (PLT-20c).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const keys = '"__proto__":"x","constructor":"y","toString":"z","hasOwnProperty":"v","$type":"Json"';
const metadata = `{${keys},"nested":{${keys}},"list":[{"__proto__":{"deep":true}}]}`;
const texts = `{${keys}}`;

/** Returns the metadata as JSON with sorted keys, as in a response. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .map(([name, member]) => [name, sorted(member)])
          .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
      : value;
const parsed = (text: string): unknown => sorted(JSON.parse(text));

async function send(
  method: string,
  path: string,
  body: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${t.url}${path}`, {
    method,
    headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const rest = (method: string, path: string, body = '') => send(method, `/api/v1${path}`, body);
const graphql = async (body: string): Promise<Record<string, { metadata: unknown }>> =>
  (await send('POST', '/graphql', body)).body['data'] as Record<string, { metadata: unknown }>;

const offer = '"name":"Offer","phases":[{"type":"percentage","percentage":100,"durationCycles":1}]';

describe('metadata over REST', () => {
  test.each([
    ['/customers', '"email":"keys@shop.test"', metadata],
    ['/plans', '"name":"Keys","code":"keys"', metadata],
    ['/offers', offer, metadata],
    ['/payments', '"amount":1000,"currency":"usd","description":"Keys"', texts],
  ])('is returned by POST %s', async (path, members, value) => {
    const made = await rest('POST', path, `{${members},"metadata":${value}}`);
    expect([made.status, sorted(made.body['metadata'])]).toEqual([201, parsed(value)]);
    const { body } = await rest('GET', `${path}/${String(made.body['id'])}`);
    expect(sorted(body['metadata'])).toEqual(parsed(value));
    if (path === '/payments') return;
    const changed = await rest(
      'PATCH',
      `${path}/${String(made.body['id'])}`,
      `{${path === '/offers' ? `${offer},` : ''}"metadata":{"__proto__":{"a":1}}}`,
    );
    expect(sorted(changed.body['metadata'])).toEqual(parsed('{"__proto__":{"a":1}}'));
    const read = await rest('GET', `${path}/${String(made.body['id'])}`);
    expect(sorted(read.body['metadata'])).toEqual(parsed('{"__proto__":{"a":1}}'));
  });

  test('is returned for a batch of customers and for a price', async () => {
    const batch = await rest(
      'POST',
      '/customers/batch',
      `{"customers":[{"email":"a@b.test","externalId":"keys","metadata":${metadata}}]}`,
    );
    expect(batch.status).toBe(200);
    expect(sorted((await rest('GET', '/customers/keys')).body['metadata'])).toEqual(parsed(metadata));
    const { id, priceId } = await createPricedPlan(shop);
    const changed = await rest('PATCH', `/plans/${id}/prices/${priceId}`, `{"metadata":${metadata}}`);
    expect(sorted(changed.body['metadata'])).toEqual(parsed(metadata));
  });
});

describe('metadata over GraphQL', () => {
  const literal = metadata
    .replaceAll(/"(\w+)":/g, '$1:')
    .replaceAll('"$type":"Json"', '')
    .replaceAll('"', '\\"');
  const withoutType = metadata.replaceAll(',"$type":"Json"', '');

  test.each([
    [
      'a variable',
      `"mutation($m:Json!){customerUpdate(input:{id:\\"graph\\",metadata:$m}){metadata}}","variables":{"m":${metadata}}`,
      metadata,
    ],
    [
      'an input field',
      `"mutation($i:CustomerUpdateInput!){customerUpdate(input:$i){metadata}}","variables":{"i":{"id":"graph","metadata":${metadata}}}`,
      metadata,
    ],
    [
      'a literal',
      `"mutation{customerUpdate(input:{id:\\"graph\\",metadata:${literal}}){metadata}}"`,
      withoutType,
    ],
  ])('accepts metadata in %s', async (_place, query, value) => {
    await rest('POST', '/customers', '{"email":"graph@shop.test","externalId":"graph"}');
    await rest('PATCH', '/customers/graph', '{"metadata":{}}');
    const answer = await graphql(`{"query":${query}}`);
    expect(sorted(answer['customerUpdate']?.metadata)).toEqual(parsed(value));
    const read = await graphql('{"query":"{ customer(id: \\"graph\\") { metadata } }"}');
    expect(sorted(read['customer']?.metadata)).toEqual(parsed(value));
  });
});
