import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  createBalanceConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import { advanceDays, cards, createCreditPack, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

type Row = Readonly<Record<string, unknown>>;

const path = ({ customerId }: Consumer, asset = '') =>
  `/customers/${customerId}/auto-top-up${asset === '' ? '' : `?asset=${asset}`}`;

const terms = {
  threshold: 50_000,
  refill: { amount: 2_000 },
  maxAmountPerMonth: 20_000,
  consentReference: 'contract-7',
};

const set = (consumer: Consumer, changes: Row = {}) =>
  shop.rest<Row>('PUT', path(consumer), { ...terms, ...changes });
const get = async (consumer: Consumer) => (await shop.rest<Row>('GET', path(consumer))).body;
/** Records usage at 0.005 per unit. */
const use = (consumer: Consumer, value: number) =>
  shop.rest<Row>('POST', '/usage/events', { ...of(consumer), value });

const attempts = async ({ customerId }: Consumer) =>
  (
    await t.graphql<{ autoTopUp: { attempts: { nodes: Row[] } } }>(
      'query ($id: ID!) { autoTopUp(customerId: $id) { attempts { nodes { status reason amount invoice { total } } } } }',
      { id: customerId },
    )
  ).autoTopUp.attempts.nodes;

/** Removes the payment methods of a customer. */
async function removeMethods({ customerId }: Consumer): Promise<void> {
  await t.app.database.query(
    'UPDATE "Subscription" SET "paymentMethodId" = NULL WHERE "environmentId" = $1 AND "customerId" = $2',
    [t.sandboxId, customerId],
  );
  await t.app.database.query(
    'UPDATE "PaymentMethod" SET "removedAt" = now() WHERE "environmentId" = $1 AND "customerId" = $2',
    [t.sandboxId, customerId],
  );
}

const purchased = (consumer: Consumer, count: number) =>
  eventually(
    () => attempts(consumer),
    (all) => all.filter(({ status }) => status === 'succeeded').length === count,
  );

describe('an automatic top-up of a balance', () => {
  test('is set over REST, and buys within the worker after usage', async () => {
    const consumer = await createBalanceConsumer(shop);
    const { status, body } = await set(consumer);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        asset: 'usd',
        status: 'on',
        pausedReason: null,
        pausedUntil: null,
        threshold: 50_000,
        refill: { creditPackId: null, quantity: null, amount: 2_000, target: null },
        maxPerMonth: 5,
        maxAmountPerMonth: 20_000,
        minPause: 1,
        consent: { statement: null, reference: 'contract-7' },
        reason: null,
        nextAt: null,
        available: 420_000,
        usedThisMonth: { count: 0, amount: 0 },
        object: 'auto_topup',
      },
    });
    expect(body['id']).toMatch(/^atu_/);
    expect((await use(consumer, 7_400)).status).toBe(200);
    expect(await purchased(consumer, 1)).toEqual([
      {
        status: 'succeeded',
        reason: null,
        amount: 2_000,
        invoice: { total: 2_000 },
      },
    ]);
    expect(await get(consumer)).toMatchObject({
      available: 250_000,
      usedThisMonth: { count: 1, amount: 2_000 },
    });
  });

  test('purchases between clock runs, and in a clock run', async () => {
    const consumer = await createBalanceConsumer(shop);
    await advanceDays(shop, 1);
    await set(consumer, { maxPerMonth: 1, minPause: 0 });
    await use(consumer, 7_400);
    await purchased(consumer, 1);
    await use(consumer, 4_100);
    const [skipped] = await eventually(
      () => attempts(consumer),
      (all) => all.length === 2,
    );
    expect(skipped).toEqual({ status: 'skipped', reason: 'monthly_count', amount: 0, invoice: null });
    expect(await get(consumer)).toMatchObject({ status: 'on', reason: 'monthly_count' });
    await advanceDays(shop, 32);
    expect(
      (await attempts(consumer)).filter(({ status }) => status === 'succeeded').length,
    ).toBeGreaterThanOrEqual(1);
  });

  test('states its status and reason in rejected usage', async () => {
    const consumer = await createBalanceConsumer(shop, 420_000, true, cards.declinesLater);
    await set(consumer);
    expect((await use(consumer, 8_400)).status).toBe(200);
    await eventually(
      () => attempts(consumer),
      (all) => all.length === 1,
    );
    const { status, body } = await use(consumer, 1);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        error: { code: 'insufficient_balance', details: { autoTopUp: { status: 'on', reason: 'declined' } } },
      },
    });
    const plain = await createBalanceConsumer(shop);
    await use(plain, 8_400);
    expect((await use(plain, 1)).body['error']).not.toHaveProperty('details');
  });

  test('buys nothing if the payment method cannot be charged without the customer, until another one is stored (ALR-58)', async () => {
    const consumer = await createBalanceConsumer(shop);
    const { customerId } = consumer;
    expect((await set(consumer)).status).toBe(200);
    const store = (instrument: string) =>
      t.app.database.query(
        'UPDATE "PaymentMethod" SET instrument = $3 WHERE "environmentId" = $1 AND "customerId" = $2',
        [t.sandboxId, customerId, instrument],
      );
    await store('pix');
    const { length } = (await shop.rest<{ data: object[] }>('GET', `/invoices?customerId=${customerId}`)).body
      .data;
    expect((await use(consumer, 8_399)).status).toBe(200);
    const found = await eventually(
      () => get(consumer),
      ({ reason }) => reason !== null,
    );
    expect(found).toMatchObject({ status: 'on', reason: 'not_off_session', usedThisMonth: { count: 0 } });
    expect(await attempts(consumer)).toMatchObject([
      { status: 'skipped', reason: 'not_off_session', invoice: null },
    ]);
    const after = (await shop.rest<{ data: object[] }>('GET', `/invoices?customerId=${customerId}`)).body
      .data;
    expect(after).toHaveLength(length);
    await store('card');
    expect((await shop.rest('POST', `${path(consumer)}/resume`)).status).toBe(200);
    expect(
      await eventually(
        () => get(consumer),
        ({ reason }) => reason === null,
      ),
    ).toMatchObject({ status: 'on', reason: null });
  });

  test('buys nothing without a payment method, and states the reason', async () => {
    const consumer = await createBalanceConsumer(shop);
    const other = await createBalanceConsumer(shop);
    const { customerId } = consumer;
    expect((await set(consumer)).status).toBe(200);
    await removeMethods(consumer);
    await removeMethods(other);
    expect(await set(other)).toMatchObject({ status: 409, body: { error: { code: 'no_payment_method' } } });
    expect((await shop.rest('GET', path(other))).status).toBe(404);
    const bought = () =>
      t.app.database.query(
        `SELECT (SELECT count(*)::int FROM "Invoice" WHERE "environmentId" = $1 AND "customerId" = $2) AS invoices,
           (SELECT count(*)::int FROM "Transaction" WHERE "environmentId" = $1 AND "customerId" = $2) AS transactions`,
        [t.sandboxId, customerId],
      );
    const before = await bought();
    expect((await use(consumer, 8_399)).status).toBe(200);
    const found = await eventually(
      () => get(consumer),
      ({ reason }) => reason !== null,
    );
    expect(found).toMatchObject({
      status: 'on',
      reason: 'no_payment_method',
      available: 50,
      usedThisMonth: { count: 0, amount: 0 },
    });
    expect(await attempts(consumer)).toMatchObject([
      { status: 'skipped', reason: 'no_payment_method', invoice: null },
    ]);
    expect(await bought()).toEqual(before);
  });

  test('states in rejected usage that the account is above the threshold', async () => {
    const consumer = await createBalanceConsumer(shop);
    await set(consumer);
    await use(consumer, 6_400);
    const { status, body } = await use(consumer, 10_000);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'insufficient_balance',
          details: { autoTopUp: { status: 'on', reason: 'above_threshold' } },
        },
      },
    });
    expect(await get(consumer)).toMatchObject({ available: 100_000, reason: null, nextAt: null });
    expect(await attempts(consumer)).toEqual([]);
  });

  test.each([
    ['drawn', { window: { kind: 'day' }, amount: 100_000 }, { used: '0', asked: '250000' }],
    ['remaining', { window: { kind: 'lifetime' }, amount: 200_000 }, { used: '420000', asked: '250000' }],
  ])('states its status in usage that a limit on %s rejects', async (measure, bounds, shown) => {
    const consumer = await createBalanceConsumer(shop);
    expect((await set(consumer)).status).toBe(200);
    const limit = await shop.rest<Row>('POST', '/limits', {
      scope: { customer: consumer.customerId },
      measure,
      asset: 'usd',
      action: 'block',
      ...bounds,
    });
    expect(limit.status).toBe(201);
    const before = await get(consumer);
    const { status, body } = await use(consumer, 5_000);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'insufficient_balance',
          details: {
            reason: 'limit_reached',
            limits: [{ limitId: limit.body['id'], measure, ...shown }],
            autoTopUp: { status: 'on', reason: 'above_threshold' },
          },
        },
      },
    });
    expect(await get(consumer)).toEqual(before);
  });

  test('is removed, and reported as missing', async () => {
    const consumer = await createBalanceConsumer(shop);
    expect(await shop.rest('GET', path(consumer))).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    });
    const { body } = await set(consumer);
    expect(await shop.rest('POST', `${path(consumer)}/resume`)).toMatchObject({
      status: 200,
      body: { status: 'on' },
    });
    expect(await shop.rest('DELETE', path(consumer))).toMatchObject({
      status: 200,
      body: { id: body['id'], deleted: true, object: 'auto_topup' },
    });
    expect((await shop.rest('GET', path(consumer))).status).toBe(404);
    expect((await shop.rest('DELETE', path(consumer))).status).toBe(404);
    await use(consumer, 8_400);
    expect((await set(consumer)).body['id']).toBe(body['id']);
    await purchased(consumer, 1);
  });

  test.each<[Row, string, string]>([
    [{ threshold: -1 }, 'validation_error', 'threshold'],
    [{ threshold: 200_000 }, 'validation_error', 'refill'],
    [{ refill: {} }, 'validation_error', 'refill'],
    [{ refill: { amount: 2_000, target: 5 } }, 'validation_error', 'refill'],
    [{ refill: { amount: 2_000, quantity: 1 } }, 'validation_error', 'refill.quantity'],
    [{ refill: { creditPackId: 'cpk_none' } }, 'validation_error', 'refill'],
    [{ maxPerMonth: 0 }, 'validation_error', 'maxPerMonth'],
    [{ maxPerMonth: 101 }, 'validation_error', 'maxPerMonth'],
    [{ maxAmountPerMonth: 1_999 }, 'validation_error', 'maxAmountPerMonth'],
    [{ minPause: 1_441 }, 'validation_error', 'minPause'],
    [{ consentReference: undefined }, 'validation_error', 'consent'],
    [{ consentReference: '' }, 'validation_error', 'consentReference'],
    [{ consent: { statement: 'Yes.' } }, 'validation_error', 'consentReference'],
    [
      { consentReference: undefined, consent: { statement: 'Yes.', acceptedAt: '2126-01-01T00:00:00Z' } },
      'validation_error',
      'consent.acceptedAt',
    ],
  ])('rejects %o with %s on %s', async (changes, code, param) => {
    const consumer = await createBalanceConsumer(shop);
    expect(await set(consumer, changes)).toMatchObject({ status: 400, body: { error: { code, param } } });
    expect((await shop.rest('GET', path(consumer))).status).toBe(404);
  });

  test('is previewed by a dry run', async () => {
    const consumer = await createBalanceConsumer(shop);
    const { status, body } = await shop.rest<Row>('PUT', path(consumer), terms, {
      headers: { 'x-quittance-dry-run': '1' },
    });
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'on', threshold: 50_000 } });
    expect((await shop.rest('GET', path(consumer))).status).toBe(404);
  });
});

test('tops up credits by packs, selected by the asset', async () => {
  const consumer = await createCreditsConsumer(shop, 140, 7);
  const { id } = await createCreditPack(shop);
  const refill = { creditPackId: id, quantity: 2 };
  const body = { ...terms, threshold: 20, refill };
  expect(await shop.rest('PUT', path(consumer, 'usd'), body)).toMatchObject({
    status: 400,
    body: { error: { code: 'validation_error', param: 'asset' } },
  });
  expect(await shop.rest('PUT', path(consumer, 'credits'), body)).toMatchObject({
    status: 200,
    body: { asset: 'credits', refill: { creditPackId: id, quantity: 2, amount: null, target: null } },
  });
  await use(consumer, 18);
  expect(await purchased(consumer, 1)).toMatchObject([{ amount: 5_000 }]);
  expect(await get(consumer)).toMatchObject({ available: 2_014 });
  expect(
    (await shop.rest('POST', `/customers/${consumer.customerId}/auto-top-up/resume?asset=usd`)).status,
  ).toBe(404);
  expect((await shop.rest('DELETE', path(consumer, 'usd'))).status).toBe(404);
  expect((await shop.rest('DELETE', path(consumer, 'credits'))).status).toBe(200);
});
