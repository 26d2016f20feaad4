import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  firstShop,
  latestInvoice,
  latestTransaction,
  type MadeSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { createPayout } from '../../../support/payouts.ts';
import { createGranted } from '../../../support/plan-grants.ts';

// Lists events for a single object. Two customers have the same history.

let t: TestApp;
let shop: Shop;
let ada: MadeSubscription;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await createActiveSubscription(shop);
  ada = await createActiveSubscription(shop);
});
afterAll(() => t.close());

const query =
  'query ($ids: [ID!]!) { events(first: 100, filter: { subjectIds: $ids }) { nodes { event } totalCount { value } } }';

async function about(...ids: readonly string[]): Promise<string[]> {
  const { events } = await t.graphql<{
    events: { nodes: { event: string }[]; totalCount: { value: number } };
  }>(query, { ids });
  expect(events.totalCount.value).toBe(events.nodes.length);
  return events.nodes.map(({ event }) => event);
}

const activation = [
  'customer_state_changed',
  'subscription_activated',
  'payment_received',
  'payment_method_attached',
  'customer_state_changed',
  'checkout_ready',
  'invoice_created',
  'subscription_created',
];

test('the subject filter finds events about a customer, a subscription, an invoice, or a payment', async () => {
  const transactionId = await latestTransaction(shop, ada.id);
  expect(await about(ada.customerId)).toEqual([...activation, 'customer_created']);
  expect(await about(ada.id)).toEqual(activation);
  expect(await about(await latestInvoice(shop, ada.id))).toEqual([
    'subscription_activated',
    'payment_received',
    'checkout_ready',
    'invoice_created',
  ]);
  expect(await about(transactionId)).toEqual(['payment_received']);
  expect((await shop.rest('POST', `/transactions/${transactionId}/refund`)).status).toBe(200);
  expect(await about(transactionId)).toEqual(['payment_refunded', 'payment_received']);
});

test('the subject filter finds events about one-time payments', async () => {
  const { body: link } = await shop.rest<{ id: string }>('POST', '/payments', {
    amount: 2_500,
    currency: 'usd',
    description: 'Setup',
  });
  const { body: other } = await shop.rest<{ id: string }>('POST', '/payments', {
    amount: 2_500,
    currency: 'usd',
    description: 'Training',
  });
  expect((await shop.rest('POST', `/payments/${link.id}/cancel`)).status).toBe(200);
  expect(await about(link.id)).toEqual(['payment_link_canceled', 'payment_link_created']);
  expect(await about(link.id, other.id)).toEqual([
    'payment_link_canceled',
    'payment_link_created',
    'payment_link_created',
  ]);
});

test('the subject filter finds events about a plan grant', async () => {
  const { grantId, customerId } = await createGranted(shop);
  await createGranted(shop);
  const path = `/customers/${customerId}/plan-grants/${grantId}/revoke`;
  expect((await shop.rest('POST', path, { reason: 'Over.' })).status).toBe(200);
  expect(await about(grantId)).toEqual(['plan_grant_revoked', 'plan_grant_created']);
});

test('the subject filter finds events about a payout', async () => {
  const payoutId = await createPayout(shop);
  expect(await createPayout(shop)).not.toBe(payoutId);
  expect(await about(payoutId)).toEqual(['payout_created']);
});

test('the subject filter finds no events about objects in other environments', async () => {
  const { customerId, id } = await createActiveSubscription(await otherShop(t));
  expect(await about(customerId)).toEqual([]);
  expect(await about(id)).toEqual([]);
});

test.each([
  ['of several types', ['cus_1', 'sub_1']],
  ['of objects without events', ['pln_1']],
  ['that are invalid', ['INV-0001']],
])('the subject filter rejects a list of IDs %s', async (_which, ids) => {
  const { errors } = await t.graphqlFailure(query, { ids });
  expect(errors[0]?.extensions).toMatchObject({
    code: 'validation_error',
    details: [
      {
        field: 'filter.subjectIds',
        message:
          'must be IDs of one type of object: customers, subscriptions, invoices, transactions, one-time payments, plan grants, or payouts',
      },
    ],
  });
});
