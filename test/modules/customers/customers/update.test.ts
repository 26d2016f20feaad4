import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import { otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import {
  addressInput,
  type Customer,
  made,
  rejected,
  restRejected,
  run,
  updateText,
  watchEvents,
} from './calls.ts';

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';
const wall = new MovableClock(morning);

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall });
  shop = await otherShop(t);
});
afterAll(() => t.close());

const watched = () => watchChanges(t.app.database.query);

describe('customerUpdate', () => {
  test('changes only the provided fields, and derives the tax ID type from the country (PLT-23)', async () => {
    wall.set(morning);
    const customer = await made(shop, {
      taxDocument: '30-12345678-1',
      address: addressInput,
      metadata: { a: 1, b: 2 },
    });
    expect(customer).toMatchObject({ documentType: 'CUIT', updatedAt: morning });
    wall.set(noon);
    const sent = await watchEvents(shop);
    const { status, body } = await shop.rest('PATCH', `/customers/${customer.externalId}`, {
      email: 'new@shop.test',
      metadata: { c: 3 },
    });
    const first: Customer = { ...customer, email: 'new@shop.test', metadata: { c: 3 }, updatedAt: noon };
    expect([status, body]).toEqual([200, first]);
    const moved = { line1: 'Reforma 1', city: 'Mexico City', postalCode: '06600', country: 'MX' };
    const second: Customer = { ...first, documentType: 'RFC' };
    expect(await run(shop, updateText, { input: { id: customer.id, address: moved } })).toEqual({
      ...second,
      address: { ...moved, line2: null, state: null, region: null },
    });
    const third: Customer = {
      ...second,
      fullName: 'Renamed',
      timezone: 'Europe/Berlin',
      externalId: 'renamed',
    };
    const { id } = customer;
    expect(
      (
        await shop.rest('PATCH', `/customers/${id}`, {
          fullName: 'Renamed',
          timezone: 'Europe/Berlin',
          externalId: 'renamed',
        })
      ).body,
    ).toEqual(third);
    expect(await sent()).toEqual(
      [first, second, third].map(({ object: _object, livemode: _livemode, ...data }) => ({
        event: 'customer.updated',
        data,
      })),
    );
    expect((await shop.rest('GET', '/customers/renamed')).body).toEqual(third);
    expect(await restRejected(shop, 'GET', `/customers/${customer.externalId}`)).toMatchObject({
      code: 'customer_not_found',
    });
  });

  test('writes and sends nothing if no value changes', async () => {
    wall.set(morning);
    const { id, externalId, ...rest } = await made(shop, {
      address: addressInput,
      metadata: { a: [1, { b: 2 }] },
    });
    wall.set(noon);
    const changes = await watched();
    const input = {
      id,
      externalId,
      email: rest['email'],
      address: addressInput,
      metadata: { a: [1, { b: 2 }] },
    };
    expect(await run(shop, updateText, { input })).toMatchObject({ id, externalId, ...rest });
    expect(await run(shop, updateText, { input: { id } })).toMatchObject({ updatedAt: morning });
    expect(await changes()).toEqual([]);
  });

  test("rejects another customer's external ID, and accepts an external ID that has become available", async () => {
    const [one, other] = [await made(shop), await made(shop)];
    expect(
      await rejected(shop, updateText, {
        input: { id: other.id, externalId: one.externalId, fullName: 'New' },
      }),
    ).toEqual({
      code: 'duplicate',
      status: 409,
      message: 'Another customer already has this external ID. Use another external ID.',
      param: 'externalId',
    });
    await shop.rest('PATCH', `/customers/${one.id}`, { externalId: 'moved-on' });
    const { status, body } = await shop.rest('PATCH', `/customers/${other.id}`, {
      externalId: one.externalId,
    });
    expect([status, body['externalId']]).toEqual([200, one.externalId]);
    expect((await shop.rest('GET', `/customers/${one.externalId}`)).body['id']).toBe(other.id);
  });

  test('prefers a matching ID over a matching external ID (GLO-2)', async () => {
    const [one, other] = [await made(shop), await made(shop)];
    await shop.rest('PATCH', `/customers/${other.id}`, { externalId: one.id });
    expect((await shop.rest('PATCH', `/customers/${one.id}`, { fullName: 'By our id' })).body).toMatchObject({
      id: one.id,
      fullName: 'By our id',
    });
    expect((await shop.rest('GET', `/customers/${other.id}`)).body).toMatchObject({
      externalId: one.id,
      fullName: '',
    });
  });

  test('rejects unknown customers, invalid fields, and read-only fields', async () => {
    const { id } = await made(shop);
    expect(await rejected(shop, updateText, { input: { id: 'nobody', email: 'n@shop.test' } })).toEqual({
      code: 'customer_not_found',
      status: 404,
      message: expect.any(String),
      param: 'id',
    });
    const wrong = { email: 'none', externalId: '', timezone: 'UTC+1' };
    const { details, ...answer } = await restRejected(shop, 'PATCH', `/customers/${id}`, wrong);
    expect(answer).toEqual({ status: 400, code: 'validation_error', param: 'email' });
    expect((details as { field: string }[]).map(({ field }) => field)).toEqual([
      'email',
      'externalId',
      'timezone',
    ]);
    for (const name of ['documentType', 'createdAt', 'livemode', 'addressId'])
      expect(await restRejected(shop, 'PATCH', `/customers/${id}`, { [name]: 'x' })).toMatchObject({
        status: 400,
        details: [{ field: name, message: "isn't a supported field" }],
      });
  });

  test('deletion with an API key is rejected (PLT-24)', async () => {
    const { id } = await made(shop);
    expect(await restRejected(shop, 'DELETE', `/customers/${id}`)).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    const remove = 'mutation ($id: ID!) { customerDelete(input: { id: $id }) { deletedId } }';
    const { errors } = await t.graphqlFailure(remove, { id }, { key: shop.key });
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
    expect((await shop.rest('GET', `/customers/${id}`)).status).toBe(200);
  });
});
