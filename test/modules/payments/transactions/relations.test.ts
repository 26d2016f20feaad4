import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createSubscription,
  firstShop,
  latestTransaction,
  type MadeSubscription,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { columnsRead } from '../../../support/statements.ts';

let t: TestApp;
let shop: Shop;
let paid: MadeSubscription;
let open: MadeSubscription;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  paid = await createActiveSubscription(shop);
  open = await createSubscription(shop);
  const transactionId = await latestTransaction(shop, paid.id);
  await t.graphql('mutation ($input: TransactionRefundInput!) { transactionRefund(input: $input) { id } }', {
    input: { id: transactionId, amount: 1_000 },
  });
});
afterAll(() => t.close());

const customer = `query ($id: ID!) { customer(id: $id) {
  totals { collected { currency amount } refunded { currency amount } open { currency amount } }
  paymentMethods { provider brand last4 expMonth expYear isDefault }
  transactions { nodes { status refundedAmount paymentMethod { last4 } } }
  emails { nodes { kind } }
  invoices { nodes { status total amountPaid amountDue amountRefunded downloadUrl } } } }`;

test('a customer with payments shows totals, the card, and the refund', async () => {
  expect(await t.graphql(customer, { id: paid.customerId })).toEqual({
    customer: {
      totals: {
        collected: [{ currency: 'usd', amount: 4_900 }],
        refunded: [{ currency: 'usd', amount: 1_000 }],
        open: [],
      },
      paymentMethods: [
        { provider: 'platform', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, isDefault: true },
      ],
      transactions: {
        nodes: [{ status: 'succeeded', refundedAmount: 1_000, paymentMethod: { last4: '4242' } }],
      },
      emails: { nodes: expect.any(Array) },
      invoices: {
        nodes: [
          {
            status: 'paid',
            total: 4_900,
            amountPaid: 4_900,
            amountDue: 0,
            amountRefunded: 1_000,
            downloadUrl: expect.stringMatching(/\/documents\/invoices\/[\w.-]+$/),
          },
        ],
      },
    },
  });
});

test("a customer without payments shows the invoice's amount due", async () => {
  const shown = await t.graphql<{ customer: Record<string, unknown> }>(customer, { id: open.customerId });
  expect(shown.customer).toMatchObject({
    totals: { collected: [], refunded: [] },
    paymentMethods: [],
    transactions: { nodes: [] },
    invoices: { nodes: [{ total: 4_900, amountPaid: 0, amountDue: 4_900, amountRefunded: 0 }] },
  });
});

test('a subscription shows its card, payment attempts, deadlines, and scheduled plan change', async () => {
  const query = `query ($id: ID!) { subscription(id: $id) { paymentMethod { last4 isDefault } transactions { nodes { status } }
    scheduledPlan { name } deadlines(first: 2) { kind isWaiting hasFailed } } }`;
  const shown = await t.graphql<{ subscription: { deadlines: { kind: string }[] } }>(query, { id: paid.id });
  expect(shown.subscription).toMatchObject({
    paymentMethod: { last4: '4242', isDefault: true },
    transactions: { nodes: [{ status: 'succeeded' }] },
    scheduledPlan: null,
  });
  expect(shown.subscription.deadlines.length).toBeGreaterThan(0);
  expect(shown.subscription.deadlines.length).toBeLessThanOrEqual(2);
});

test("a plan's subscriptions are counted in total and by status", async () => {
  const query = `query ($id: ID!) { plan(id: $id) { subscriptionCount active: subscriptionCount(statuses: [active]) canceled: subscriptionCount(statuses: [canceled]) } }`;
  expect(await t.graphql(query, { id: paid.planId })).toEqual({
    plan: { subscriptionCount: 1, active: 1, canceled: 0 },
  });
  expect(await t.graphql(query, { id: open.planId })).toEqual({
    plan: { subscriptionCount: 1, active: 0, canceled: 0 },
  });
});

test("a price's subscriptions are counted, even after the price is archived", async () => {
  const query = `query ($id: ID!) { plan(id: $id) { prices { id subscriptionCount } archivedPrices { id subscriptionCount active: subscriptionCount(statuses: [active]) } } }`;
  type Prices = { plan: { prices: { id: string }[]; archivedPrices: object[] } };
  const before = await t.graphql<Prices>(query, { id: paid.planId });
  const [price] = before.plan.prices;
  expect(before).toEqual({
    plan: { prices: [{ id: price?.id, subscriptionCount: 1 }], archivedPrices: [] },
  });
  expect((await t.rest('DELETE', `/plans/${paid.planId}/prices/${price?.id}`)).status).toBe(200);
  expect(await t.graphql(query, { id: paid.planId })).toEqual({
    plan: { prices: [], archivedPrices: [{ id: price?.id, subscriptionCount: 1, active: 1 }] },
  });
});

test('related objects are read with the same number of SQL statements for any page size', async () => {
  const query = `query ($first: Int!) { customers(first: $first) { nodes { totals { open { amount } } paymentMethods { last4 isDefault }
    transactions { nodes { status } } emails { nodes { status } } } }
    subscriptions(first: $first) { nodes { paymentMethod { last4 } transactions { nodes { status } } emails { nodes { kind } } deadlines { kind } } }
    invoices(first: $first) { nodes { amountRefunded amountPaid emails { nodes { kind } } } }
    plans(first: $first) { nodes { subscriptionCount prices { subscriptionCount } archivedPrices { subscriptionCount } } } }`;
  const tables = async (first: number) => (await columnsRead(t, query, { first })).read.length;
  expect(await tables(50)).toBe(await tables(2));
});
