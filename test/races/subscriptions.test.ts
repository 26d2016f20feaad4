import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  cards,
  createActiveSubscription,
  createCustomer,
  createOffer,
  createPricedPlan,
  createSubscription,
  firstShop,
  off,
  payment,
  type Shop,
} from '../support/factories.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { memberOf } from '../support/people.ts';

// Concurrent requests for the same object. The embedded database executes transactions one after another, so only their order varies. On a server,
// transactions overlap.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Failed = { readonly error?: { readonly code: string } };
type Subscription = Failed & { readonly id: string; readonly status: string };

const count = async (table: string, where: string, ...params: unknown[]): Promise<number> => {
  const text = `SELECT count(*)::int AS n FROM "${table}" WHERE "environmentId" = $1 AND ${where}`;
  const [row] = await t.app.database.query<{ n: number }>(text, [shop.environmentId, ...params]);
  return row?.n ?? -1;
};

const payOnce = async (token: string | null, number: string = cards.pays): Promise<string> => {
  const query = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input: payment(token, number) } }),
  });
  const { data, errors } = (await response.json()) as {
    data?: { checkoutPay: { status: string } } | null;
    errors?: { extensions: { code: string } }[];
  };
  return errors?.[0]?.extensions.code ?? data?.checkoutPay.status ?? 'nothing';
};

async function expectLedgerWhole(): Promise<void> {
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: unknown }>(
    '{ ledgerVerify { ok mismatches { account } } }',
  );
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
}

describe('an idempotency key', () => {
  test('creates one customer for ten identical concurrent requests, all of which return it', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { email: 'once@shop.test', fullName: 'Once' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.rest<{ id: string }>('POST', '/customers', body, { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await count('Customer', 'email = $2', 'once@shop.test')).toBe(1);
    expect(await count('Event', "kind = 'customer.created' AND data->>'email' = $2", 'once@shop.test')).toBe(
      1,
    );
  });

  test('creates one subscription for two identical concurrent requests', async () => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const headers = { 'idempotency-key': randomUUID() };
    const create = () =>
      shop.rest<Subscription>(
        'POST',
        '/subscriptions',
        { customerId: customer.id, planId: plan.id },
        { headers },
      );
    const [first, second] = await Promise.all([create(), create()]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await count('Subscription', '"customerId" = $2', customer.id)).toBe(1);
  });

  test('rejects the second of two different concurrent requests', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const create = (email: string) => shop.rest<Failed>('POST', '/customers', { email }, { headers });
    const answers = await Promise.all([create('this@shop.test'), create('that@shop.test')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.map(({ body }) => body.error?.code ?? 'made').sort()).toEqual([
      'idempotency_key_mismatch',
      'made',
    ]);
    expect(await count('Customer', "email IN ('this@shop.test', 'that@shop.test')")).toBe(1);
  });
});

describe('a customer', () => {
  test('is created once by concurrent requests with the same external ID', async () => {
    const body = { email: 'same@shop.test', externalId: 'same' };
    const create = () => shop.rest<{ id: string }>('POST', '/customers', body);
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await count('Customer', '"externalId" = $2', 'same')).toBe(1);
  });

  test('gets one open checkout for two concurrent subscription requests for the same paid plan', async () => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const create = () =>
      shop.rest<Subscription>('POST', '/subscriptions', { customerId: customer.id, planId: plan.id });
    const [first, second] = await Promise.all([create(), create()]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    expect(await count('Subscription', '"customerId" = $2', customer.id)).toBe(1);
  });

  test('gets one subscription for two concurrent subscription requests for a free plan', async () => {
    const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
      name: 'Free',
      code: shop.next('free'),
      isFree: true,
    });
    const customer = await createCustomer(shop);
    const create = () =>
      shop.rest<Subscription>('POST', '/subscriptions', { customerId: customer.id, planId: plan.id });
    const answers = await Promise.all([create(), create()]);
    expect(answers.map(({ body }) => body.error?.code ?? body.status).sort()).toEqual([
      'active',
      'already_has_active_subscription',
    ]);
    expect(await count('Subscription', '"customerId" = $2', customer.id)).toBe(1);
  });
});

describe('an open checkout', () => {
  test('is charged once by five concurrent payments', async () => {
    const { id, token } = await createSubscription(shop);
    const emitted = await Promise.all(Array.from({ length: 5 }, () => payOnce(token)));
    expect(emitted.filter((word) => word === 'paid')).toHaveLength(1);
    expect(
      emitted.filter(
        (word) => word !== 'paid' && word !== 'invalid_subscription_status' && word !== 'charge_in_progress',
      ),
    ).toEqual([]);
    expect(await count('Transaction', `"subscriptionId" = $2 AND status = 'succeeded'`, id)).toBe(1);
    expect(await count('Invoice', '"subscriptionId" = $2', id)).toBe(1);
    await expectLedgerWhole();
  });

  test('is canceled after a concurrent payment and cancellation, and the invoice is either charged in full or not charged', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, token } = await createSubscription(shop);
      const cancel = shop.rest<Subscription>('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      const [emitted, canceled]: [string, Answer<Subscription>] = await Promise.all([payOnce(token), cancel]);
      expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
      const charged = await count('Transaction', `"subscriptionId" = $2 AND status = 'succeeded'`, id);
      const paid = await count('Invoice', `"subscriptionId" = $2 AND status = 'paid'`, id);
      expect([emitted, charged, paid]).toEqual(
        emitted === 'paid' ? ['paid', 1, 1] : ['invalid_subscription_status', 0, 0],
      );
      expect((await shop.rest<Subscription>('GET', `/subscriptions/${id}`)).body.status).toBe('canceled');
    }
    await expectLedgerWhole();
  });
});

test('an offer applied during a checkout payment discounts either the first or the next charge, never both', async () => {
  const offer = await createOffer(shop, [off.percent(5_000, 1)]);
  for (let round = 0; round < 3; round++) {
    const { id, token } = await createSubscription(shop);
    const put = shop.rest<Failed>('PUT', `/subscriptions/${id}/offer`, { offerId: offer.id });
    const [emitted, applied] = await Promise.all([payOnce(token), put]);
    expect([emitted, applied.status]).toEqual(['paid', 200]);
    const phases = `SELECT (phases->0->>'startsAt')::timestamptz = "periodEnd" AS "isNext" FROM "OfferApplication" a
      JOIN "Subscription" s ON s."environmentId" = a."environmentId" AND s.id = a."subscriptionId" WHERE s.id = $1 AND a.status = 'applied'`;
    const [application] = await t.app.database.query<{ isNext: boolean }>(phases, [id]);
    const lowered = await count('Invoice', `"subscriptionId" = $2 AND status = 'paid' AND total = 2450`, id);
    expect(lowered).toBe(application?.isNext === true ? 0 : 1);
    expect(await count('Transaction', `"subscriptionId" = $2 AND status = 'succeeded'`, id)).toBe(1);
  }
  await expectLedgerWhole();
});

test('a subscription is canceled once by three concurrent cancellations', async () => {
  const { id } = await createActiveSubscription(shop);
  const cancel = () => shop.rest<Subscription>('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  const answers = await Promise.all([cancel(), cancel(), cancel()]);
  expect(answers.map(({ body }) => body.error?.code ?? body.status).sort()).toEqual([
    'canceled',
    'subscription_already_canceled',
    'subscription_already_canceled',
  ]);
  expect(await count('Event', `kind = 'subscription.canceled' AND "subscriptionId" = $2`, id)).toBe(1);
});

test('a customer who is deleted while a subscription is created has no active subscription', async () => {
  const { headers } = await memberOf(t, t.organizationId, 'member');
  const caller = { key: null, headers: { ...headers, 'x-environment': 'sandbox' } };
  const remove = (id: string) =>
    t.graphql(
      'mutation ($input: CustomerDeleteInput!) { customerDelete(input: $input) { deletedId } }',
      { input: { id } },
      caller,
    );
  const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
    name: 'Free',
    code: shop.next('free'),
    isFree: true,
  });
  const emitted = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const { id } = await createCustomer(shop);
    const create = () =>
      shop.rest<Subscription>('POST', '/subscriptions', { customerId: id, planId: plan.id });
    const [, made] = await Promise.all(
      round % 2 === 0 ? [remove(id), create()] : [create(), remove(id)].toReversed(),
    );
    const { status, body } = made as Answer<Subscription>;
    emitted.add(body.error?.code ?? body.status);
    expect([201, 404]).toContain(status);
    // The subscription was created first and canceled with the customer, or its creation was rejected.
    expect(await count('Subscription', `"customerId" = $2 AND status <> 'canceled'`, id)).toBe(0);
    expect(await count('Subscription', '"customerId" = $2', id)).toBe(status === 201 ? 1 : 0);
    expect(await count('Event', `kind = 'customer.deleted' AND "customerId" = $2`, id)).toBe(1);
  }
  expect([...emitted].every((word) => ['active', 'customer_not_found'].includes(word))).toBe(true);
});

test('a customer is deleted once by three concurrent deletions', async () => {
  const { headers } = await memberOf(t, t.organizationId, 'member');
  const caller = { key: null, headers: { ...headers, 'x-environment': 'sandbox' } };
  const { customerId, id } = await createActiveSubscription(shop);
  const text = 'mutation ($input: CustomerDeleteInput!) { customerDelete(input: $input) { deletedId } }';
  const remove = () => t.graphql(text, { input: { id: customerId } }, caller);
  const all = await Promise.allSettled([remove(), remove(), remove()]);
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await count('Event', `kind = 'subscription.canceled' AND "subscriptionId" = $2`, id)).toBe(1);
  expect(await count('Event', `kind = 'customer.deleted' AND "customerId" = $2`, customerId)).toBe(1);
});

test('event positions and invoice numbers have no gaps after all concurrent requests', async () => {
  const sql = (text: string) =>
    t.app.database.query<{ n: number; first: number; last: number }>(text, [shop.environmentId]);
  const [events] = await sql(
    'SELECT count(*)::int AS n, min(position)::int AS first, max(position)::int AS last FROM "Event" WHERE "environmentId" = $1',
  );
  expect(events).toEqual({ n: events?.n, first: 1, last: events?.n });
  const invoices = await t.app.database.query<{ number: string }>(
    'SELECT number FROM "Invoice" WHERE "environmentId" = $1 ORDER BY number',
    [shop.environmentId],
  );
  const numbers = invoices.map(({ number }) => Number(/(\d+)$/.exec(number)?.[1]));
  expect(numbers.length).toBeGreaterThan(2);
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
});
