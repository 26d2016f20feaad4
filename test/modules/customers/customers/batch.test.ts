import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { type Body, watchEvents } from './calls.ts';

// Batch creation of customers: items succeed or fail independently, and the response contains one result per
// item (PLT-22).

type Success = { readonly id: string; readonly externalId: string | null; readonly email: string };
type Batch = {
  readonly successful: readonly Success[];
  readonly failed: readonly { readonly index: number; readonly error: string; readonly data: Body }[];
};

const batchMutation = `mutation ($input: CustomerCreateBatchInput!) {
  customerCreateBatch(input: $input) { successful { id: customerId externalId email } failed { index error data } object livemode } }`;

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
});
afterAll(() => t.close());

const batch = (customers: readonly Body[], headers?: Record<string, string>) =>
  shop.rest<Batch>('POST', '/customers/batch', { customers }, headers === undefined ? {} : { headers });
const overGraphql = async (customers: readonly Body[], key = shop.key): Promise<Batch> =>
  (await t.graphql<{ customerCreateBatch: Batch }>(batchMutation, { input: { customers } }, { key }))
    .customerCreateBatch;
const watched = () => watchChanges(t.app.database.query);
/** Returns the type and email address of each event sent since the last call. */
const watch = async () => {
  const sent = await watchEvents(shop);
  return async () => (await sent()).map(({ event, data }) => [event, data['email']]);
};
const customersAt = async (path = '/customers?limit=100') =>
  (await shop.rest<{ data: readonly Success[] }>('GET', path)).body.data;

/** Returns batch items with unique email addresses and without identifiers. */
const anonymous = (count: number): Body[] =>
  Array.from({ length: count }, (_, index) => ({ email: `${shop.next('anonymous')}.${index}@shop.test` }));

const ours = expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/);

describe('customerCreateBatch with valid and invalid items', () => {
  const address = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'DE' };
  const bad = [
    [{ email: 'none' }, 'email: '],
    [{ email: 'b@shop.test', externalId: '' }, 'externalId: must have at least 1 character.'],
    [{ email: 'b@shop.test', id: 'one', externalId: 'two' }, 'externalId: must match `id`.'],
    [{ email: 'b@shop.test', fullName: 'x'.repeat(301) }, 'fullName: must have at most 300 characters.'],
    [{ email: 'b@shop.test', timezone: 'Mars/Olympus' }, 'timezone: '],
    [
      { email: 'b@shop.test', address: { ...address, city: '', country: 'XX' } },
      'address.city: must have at least 1 character; address.country: ',
    ],
  ] as const satisfies readonly (readonly [Body, string])[];

  test('creates the valid items, returns the invalid items with their input, and keeps the order of both lists', async () => {
    const [before, sent] = [await customersAt(), await watch()];
    const good = [
      { email: 'g1@shop.test', externalId: 'good-1', fullName: 'First', taxDocument: 'DE1', address },
      { email: 'g2@shop.test', id: 'good-2', timezone: 'Europe/Berlin', metadata: { tier: 2 } },
      { email: 'g3@shop.test' },
    ];
    const items: Body[] = [good[0], ...bad.slice(0, 3), good[1], ...bad.slice(3), good[2]].map((item) =>
      Array.isArray(item) ? item[0] : item,
    ) as Body[];
    const { status, body } = await batch(items);
    expect([status, body]).toEqual([
      200,
      {
        object: 'customer_batch',
        livemode: false,
        successful: [
          { id: ours, externalId: 'good-1', email: 'g1@shop.test' },
          { id: ours, externalId: 'good-2', email: 'g2@shop.test' },
          { id: ours, externalId: null, email: 'g3@shop.test' },
        ],
        failed: bad.map(([data, error], index) => ({
          index: [1, 2, 3, 5, 6, 7][index],
          error: expect.stringContaining(error),
          data,
        })),
      },
    ]);
    const [first, second, third] = body.successful;
    expect((await shop.rest('GET', '/customers/good-1')).body).toMatchObject({
      id: first?.id,
      fullName: 'First',
      taxDocument: 'DE1',
      documentType: 'VAT',
      timezone: 'UTC',
      metadata: {},
    });
    expect((await shop.rest('GET', '/customers/good-2')).body).toMatchObject({
      id: second?.id,
      fullName: '',
      timezone: 'Europe/Berlin',
      metadata: { tier: 2 },
    });
    // The list starts with the newest customer, which was the batch's last item.
    const ids = (await customersAt()).map(({ id }) => id);
    expect(ids).toEqual([third, second, first].map((made) => made?.id).concat(before.map(({ id }) => id)));
    expect(await sent()).toEqual([
      ['customer.created', 'g1@shop.test'],
      ['customer.created', 'g2@shop.test'],
      ['customer.created', 'g3@shop.test'],
    ]);
  });

  test('succeeds without changes if all items fail', async () => {
    const changes = await watched();
    const answer = await overGraphql(bad.map(([data]) => data));
    expect(answer).toEqual({
      object: 'customer_batch',
      livemode: false,
      successful: [],
      failed: bad.map(([data, error], index) => ({ index, error: expect.stringContaining(error), data })),
    });
    expect(await changes()).toEqual([]);
  });
});

describe('customerCreateBatch with identifiers', () => {
  test('returns existing customers unchanged and without an event (PLT-21)', async () => {
    const { body: stored } = await shop.rest<Success>('POST', '/customers', {
      email: 'stored@shop.test',
      externalId: 'stored',
      fullName: 'Stored',
    });
    const known = { id: stored.id, externalId: 'stored', email: 'stored@shop.test' };
    const changes = await watched();
    const other = { email: 'other@shop.test', fullName: 'Other' };
    const answer = await overGraphql([
      { ...other, externalId: 'stored' },
      { ...other, id: 'stored' },
      { ...other, id: stored.id },
      { ...other, id: 'stored', externalId: 'stored' },
    ]);
    expect(answer).toMatchObject({ successful: [known, known, known, known], failed: [] });
    expect(await changes()).toEqual([]);
  });

  test('creates one customer from the first item if an identifier is repeated in the batch', async () => {
    const sent = await watch();
    const { body } = await batch([
      { email: 'first@shop.test', externalId: 'repeated' },
      { email: 'second@shop.test', id: 'repeated' },
      { email: 'between@shop.test' },
      { email: 'third@shop.test', externalId: 'repeated' },
    ]);
    const [first, , between] = body.successful;
    expect(first).toEqual({ id: ours, externalId: 'repeated', email: 'first@shop.test' });
    expect(body).toMatchObject({ successful: [first, first, between, first], failed: [] });
    expect(between?.id).not.toBe(first?.id);
    expect(await sent()).toEqual([
      ['customer.created', 'first@shop.test'],
      ['customer.created', 'between@shop.test'],
    ]);
    expect(await customersAt('/customers?externalId=repeated')).toMatchObject([first]);
  });

  test("accepts a failed item's identifier in a later item", async () => {
    const { body } = await batch([
      { email: 'none', externalId: 'second-try' },
      { email: 'good@shop.test', externalId: 'second-try' },
    ]);
    expect(body).toMatchObject({
      successful: [{ externalId: 'second-try', email: 'good@shop.test' }],
      failed: [{ index: 0 }],
    });
  });

  test('prefers a matching ID over a matching external ID (GLO-2)', async () => {
    const { body } = await batch(anonymous(2));
    const [one, other] = body.successful;
    await shop.rest('PATCH', `/customers/${other?.id}`, { externalId: one?.id });
    expect((await batch([{ email: 'x@shop.test', externalId: one?.id }])).body.successful).toEqual([one]);
  });

  test('creates one customer per identifier for concurrent batches', async () => {
    const sent = await watch();
    const items = ['p', 'q', 'r'].map((name) => ({
      email: `${name}@shop.test`,
      externalId: `together-${name}`,
    }));
    const answers = await Promise.all([batch(items), batch(items.toReversed()), overGraphql(items)]);
    const [first, second, third] = [answers[0].body, answers[1].body, answers[2]];
    expect(first.successful.map(({ email }) => email)).toEqual(items.map(({ email }) => email));
    expect(second.successful.toReversed()).toEqual(first.successful);
    expect(third.successful).toEqual(first.successful);
    expect((await sent()).map(([, email]) => email).toSorted()).toEqual(items.map(({ email }) => email));
  });

  test("doesn't find customers in another environment", async () => {
    const items = [{ email: 'apart@shop.test', externalId: 'apart' }];
    const [here, live] = [await overGraphql(items), await overGraphql(items, t.liveKey)];
    expect(live).toMatchObject({ livemode: true, successful: [{ externalId: 'apart' }] });
    expect(live.successful[0]?.id).not.toBe(here.successful[0]?.id);
  });
});

describe('the size limit for customerCreateBatch', () => {
  test.each([
    [0, 'must have at least 1 item'],
    [101, 'must have at most 100 items'],
  ])('rejects %i items', async (count, message) => {
    const customers = anonymous(count);
    const expected = {
      code: 'validation_error',
      param: 'customers',
      details: [{ field: 'customers', message }],
    };
    expect(await rejection(t, batchMutation, { input: { customers } }, { key: shop.key })).toMatchObject({
      ...expected,
      status: 400,
    });
    const changes = await watched();
    const { status, body } = await shop.rest<{ error: Body }>('POST', '/customers/batch', { customers });
    expect([status, body.error]).toEqual([400, expect.objectContaining(expected)]);
    expect(await changes()).toEqual([]);
  });

  test('accepts a batch of 100 items, some valid and some invalid', async () => {
    const [before, sent] = [(await shop.rest('GET', '/customers?limit=1')).body, await watch()];
    expect(before['hasMore']).toBe(true);
    const items = anonymous(100).map((item, index) => (index % 4 === 3 ? { email: 'none' } : item));
    const { body } = await batch(items);
    expect([body.successful.length, body.failed.map(({ index }) => index)]).toEqual([
      75,
      Array.from({ length: 25 }, (_, index) => 4 * index + 3),
    ]);
    expect((await customersAt()).slice(0, 75).map(({ id }) => id)).toEqual(
      body.successful.map(({ id }) => id).toReversed(),
    );
    expect(await sent()).toEqual(body.successful.map(({ email }) => ['customer.created', email]));
  });
});

describe('customerCreateBatch with an idempotency key', () => {
  test('returns the same result, including failures, and creates no customer twice', async () => {
    const items = [...anonymous(2), { email: 'none' }];
    const headers = { 'idempotency-key': 'batch-1' };
    const first = await batch(items, headers);
    expect([first.status, first.body.successful.length, first.body.failed.length]).toEqual([200, 2, 1]);
    const changes = await watched();
    const again = await batch(items, headers);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await batch(items.slice(0, 1), headers);
    expect([other.status, other.body]).toMatchObject([409, { error: { code: 'idempotency_key_mismatch' } }]);
    expect(await changes()).toEqual([]);
  });

  test('creates customers without identifiers again if the idempotency key differs', async () => {
    const items = anonymous(2);
    const [first, second] = [(await batch(items)).body.successful, (await batch(items)).body.successful];
    expect(second.map(({ email }) => email)).toEqual(first.map(({ email }) => email));
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(4);
  });
});
