import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import {
  addressAnswer,
  addressInput,
  type Body,
  createText,
  getText,
  made,
  rejected,
  restRejected,
  run,
  watchEvents,
} from './calls.ts';

// Customer creation over REST and GraphQL: responses, events, and rejections (PLT-20, PLT-21).

const morning = '2026-03-01T08:00:00.000Z';
const wall = new MovableClock(morning);

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall });
  shop = await otherShop(t);
});
afterAll(() => t.close());

const watched = () => watchChanges(t.app.database.query);

describe('customerCreate', () => {
  test('returns all customer fields over REST, finds the customer by both IDs, and sends one event (PLT-20, PLT-23)', async () => {
    const sent = await watchEvents(shop);
    const texts = {
      email: 'ada@shop.test',
      externalId: 'ada',
      fullName: 'Ada Lovelace',
      taxDocument: '30-12345678-1',
      timezone: 'America/Buenos_Aires',
      metadata: { tier: 1, tags: ['a', 'b'] },
    };
    const { status, body } = await shop.rest('POST', '/customers', { ...texts, address: addressInput });
    const customer = {
      ...texts,
      id: expect.stringMatching(/^cus_[0-9A-Za-z]{22}$/),
      documentType: 'CUIT',
      createdAt: morning,
      updatedAt: morning,
      object: 'customer',
      livemode: false,
    };
    expect([status, body]).toEqual([201, customer]);
    expect((await shop.rest('GET', '/customers/ada')).body).toEqual(body);
    expect((await shop.rest('GET', `/customers/${body['id']}`)).body).toEqual(body);
    expect(await run(shop, getText, { id: 'ada' })).toEqual({ ...body, address: addressAnswer });
    const { object: _object, livemode: _livemode, ...data } = body;
    expect(await sent()).toEqual([{ event: 'customer.created', data }]);
  });

  test('requires only an email address', async () => {
    const customer = await run(shop, createText, { input: { email: 'only@shop.test' } });
    expect(customer).toEqual({
      id: expect.stringMatching(/^cus_/),
      externalId: null,
      fullName: '',
      email: 'only@shop.test',
      taxDocument: null,
      documentType: null,
      timezone: 'UTC',
      metadata: {},
      address: null,
      createdAt: morning,
      updatedAt: morning,
      object: 'customer',
      livemode: false,
    });
  });

  test('returns the existing customer unchanged and without an event if the identifier exists (PLT-21)', async () => {
    const { id, externalId, ...rest } = await made(shop, { fullName: 'First' });
    const changes = await watched();
    const other = { email: 'second@shop.test', fullName: 'Second', metadata: { b: 2 } };
    for (const identifier of [
      { externalId },
      { id: externalId },
      { id },
      { externalId: id },
      { id, externalId: id },
    ]) {
      // Sent without an idempotency key, because a repeated key would return the stored response.
      const answer = await fetch(`${t.url}/api/v1/customers`, {
        method: 'POST',
        headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
        body: JSON.stringify({ ...other, ...identifier }),
      });
      expect([answer.status, await answer.json()]).toEqual([200, { id, externalId, ...rest }]);
      expect(await run(shop, createText, { input: { ...other, ...identifier } })).toMatchObject({
        id,
        email: rest['email'],
      });
    }
    expect(await changes()).toEqual([]);
  });

  test('keeps identifiers in the sandbox, the live environment, and other organizations separate', async () => {
    const externalId = 'everywhere';
    const other = await otherShop(t, 'A third organization');
    const answers = [];
    for (const key of [shop.key, t.liveKey, other.key])
      answers.push(
        await shop.rest<Body>('POST', '/customers', { email: 'e@shop.test', externalId }, { key }),
      );
    expect(answers.map(({ status, body }) => [status, body['livemode']])).toEqual([
      [201, false],
      [201, true],
      [201, false],
    ]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(3);
    const foreign = `/customers/${answers[2]?.body['id']}`;
    expect(await restRejected(shop, 'GET', foreign)).toEqual({
      status: 404,
      code: 'customer_not_found',
      param: 'id',
      details: undefined,
    });
    expect(await restRejected(shop, 'PATCH', foreign, { fullName: 'Mine' })).toMatchObject({ status: 404 });
  });

  test('rejects an ID that differs from the external ID, and rejects an address ID', async () => {
    const message = 'must match `id`';
    const both = { email: 'two@shop.test', id: 'one', externalId: 'two' };
    expect(await rejected(shop, createText, { input: both })).toEqual({
      code: 'validation_error',
      status: 400,
      message: expect.stringContaining(message),
      param: 'externalId',
      details: [{ field: 'externalId', message }],
    });
    expect(await restRejected(shop, 'POST', '/customers', both)).toMatchObject({
      status: 400,
      param: 'externalId',
    });
    expect(
      await restRejected(shop, 'POST', '/customers', { email: 'two@shop.test', addressId: 'adr_1' }),
    ).toEqual({
      status: 400,
      code: 'validation_error',
      param: 'addressId',
      details: [{ field: 'addressId', message: 'must not be set, because addresses have no IDs' }],
    });
  });

  test.each([
    ['email', { email: 'no address' }],
    ['email', { email: `${'a'.repeat(320)}@shop.test` }],
    ['externalId', { externalId: 'x'.repeat(201) }],
    ['fullName', { fullName: 'x'.repeat(301) }],
    ['taxDocument', { taxDocument: '' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['address.city', { address: { ...addressInput, city: '' } }],
  ])('rejects an invalid %s: %j', async (field, more) => {
    const answer = await restRejected(shop, 'POST', '/customers', { email: 'good@shop.test', ...more });
    expect(answer).toMatchObject({ status: 400, code: 'validation_error', param: field });
    expect(answer['details']).toHaveLength(1);
  });

  test.each(['.', '..'])(
    "rejects an identifier that isn't a valid path segment: %s (GLO-2a)",
    async (identifier) => {
      for (const name of ['id', 'externalId'])
        expect(
          await restRejected(shop, 'POST', '/customers', { email: 'dots@shop.test', [name]: identifier }),
        ).toMatchObject({ status: 400, code: 'validation_error', param: name });
      const { id } = (await shop.rest<Body>('POST', '/customers', { email: 'dots@shop.test' })).body;
      expect(
        await restRejected(shop, 'PATCH', `/customers/${String(id)}`, { externalId: identifier }),
      ).toMatchObject({
        code: 'validation_error',
        details: [{ field: 'externalId', message: 'must not be . or ..' }],
      });
      const { body } = await shop.rest<{ failed: unknown }>('POST', '/customers/batch', {
        customers: [{ email: 'dots@shop.test', externalId: identifier }],
      });
      expect(body.failed).toMatchObject([{ index: 0, error: 'externalId: must not be . or ...' }]);
      expect(await restRejected(shop, 'POST', '/plans', { name: 'Dots', code: identifier })).toMatchObject({
        status: 400,
        code: 'validation_error',
        param: 'code',
      });
    },
  );

  test.each(['...', '.a', 'a/b', 'a%2Fb', 'a?b#c', 'a b', '%2E', '李雷', '\\\\'])(
    'finds a customer with the identifier %s by path',
    async (externalId) => {
      const made = await shop.rest<Body>('POST', '/customers', { email: 'path@shop.test', externalId });
      const found = await shop.rest<Body>('GET', `/customers/${encodeURIComponent(externalId)}`);
      expect([made.status, found.status, found.body['id']]).toEqual([201, 200, made.body['id']]);
    },
  );

  test('creates one customer for concurrent requests', async () => {
    const sent = await watchEvents(shop);
    const answers = await Promise.all(
      [1, 2, 3].map((n) =>
        shop.rest<Body>('POST', '/customers', { email: `race${n}@shop.test`, externalId: 'race' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect((await sent()).map(({ event }) => event)).toEqual(['customer.created']);
  });
});
