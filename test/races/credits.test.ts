import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createCredit,
  createCustomer,
  createPricedPlan,
  createSubscription,
  firstShop,
  latestInvoice,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Concurrent use, revocation, and return of a customer credit. The parts always add up to the granted amount.

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

type Credit = {
  readonly amount: number;
  readonly appliedAmount: number;
  readonly reversedAmount: number;
  readonly revokedAmount: number;
};

const revoke = async (customerId: string, creditId: string): Promise<number> =>
  (await shop.rest<{ revokedAmount: number }>('POST', `/customers/${customerId}/credits/${creditId}/revoke`))
    .body.revokedAmount;

const only = async (customerId: string): Promise<Credit | undefined> =>
  (await shop.rest<{ data: Credit[] }>('GET', `/customers/${customerId}/credits`)).body.data[0];

const creditApplied = async (invoiceId: string): Promise<unknown> =>
  (
    await t.graphql<{ invoice: { creditApplied: number } }>(
      'query ($id: ID!) { invoice(id: $id) { creditApplied } }',
      { id: invoiceId },
    )
  ).invoice.creditApplied;

test('concurrent revocations of a customer credit return the revoked amount once, and 0 otherwise', async () => {
  const { id } = await createCustomer(shop);
  const { id: creditId } = await createCredit(shop, id);
  const taken = await Promise.all([1, 2, 3, 4].map(() => revoke(id, creditId)));
  expect(taken.toSorted((a, b) => b - a)).toEqual([500, 0, 0, 0]);
  expect(await only(id)).toMatchObject({ revokedAmount: 500, remainingAmount: 0 });
});

test('an invoice and a concurrent revocation never use the same part of a customer credit', async () => {
  const plan = await createPricedPlan(shop, { price: 300 });
  for (let round = 0; round < 4; round++) {
    const { id } = await createCustomer(shop);
    const { id: creditId } = await createCredit(shop, id);
    const [subscription, revoked] = await Promise.all([subscribeTo(shop, id, plan.id), revoke(id, creditId)]);
    const applied = await creditApplied(await latestInvoice(shop, subscription.id));
    expect([
      [300, 200],
      [0, 500],
    ]).toContainEqual([applied, revoked]);
    expect(await only(id)).toMatchObject({
      appliedAmount: applied,
      revokedAmount: revoked,
      remainingAmount: 0,
    });
  }
});

test('a customer credit returned by a voided invoice after a concurrent revocation remains available', async () => {
  const plan = await createPricedPlan(shop, { price: 300 });
  for (let round = 0; round < 4; round++) {
    const { id } = await createCustomer(shop);
    const { id: creditId } = await createCredit(shop, id);
    const invoiceId = await latestInvoice(shop, (await subscribeTo(shop, id, plan.id)).id);
    const [revoked] = await Promise.all([
      revoke(id, creditId),
      shop.rest('PATCH', `/invoices/${invoiceId}/status`, { status: 'void' }),
      shop.rest('PATCH', `/invoices/${invoiceId}/status`, { status: 'void' }),
    ]);
    expect([200, 500]).toContain(revoked);
    expect(await only(id)).toMatchObject({
      appliedAmount: 300,
      reversedAmount: 300,
      revokedAmount: revoked,
      remainingAmount: 500 - revoked,
    });
  }
});

test('customer credits granted during a concurrent cancellation are all stored', async () => {
  const { id, customerId } = await createSubscription(shop);
  await Promise.all([
    ...[1, 2, 3, 4, 5].map(() => createCredit(shop, customerId)),
    shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }),
  ]);
  const { customer } = await t.graphql<{ customer: unknown }>(
    'query ($id: ID!) { customer(id: $id) { creditBalance { amount } } }',
    {
      id: customerId,
    },
  );
  expect(customer).toEqual({ creditBalance: [{ amount: 2_500 }] });
});
