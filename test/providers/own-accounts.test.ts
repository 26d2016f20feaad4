import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import {
  createCustomer,
  createDispute,
  createPricedPlan,
  latestTransaction,
  pay,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { rejection } from '../support/refusals.ts';
import { openStripe, type StripeServer } from '../support/stripe.ts';
import { StripeShop } from '../support/stripe-shop.ts';

// Responsibilities for charges made through the platform's payment provider and through the organization's own account (PAY-15 to PAY-19).

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let stripe: StripeServer;
let t: TestApp;
let shop: StripeShop;
beforeAll(async () => {
  stripe = await openStripe();
  // The platform keeps a fee of 5% plus 0.50 for each charge on its own provider.
  t = await startApp({
    wall,
    env: { STRIPE_URL: stripe.url, WORKER_POLL_MS: '100', FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' },
  });
});
beforeEach(async () => {
  shop = await StripeShop.open({ t, stripe, wall });
});
afterEach(async () => {
  expect(await shop.ledger()).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
});

type Row = Record<string, unknown>;

const balance = async (): Promise<unknown> =>
  (await shop.run('{ payoutBalance { pending available frozen inTransit } }'))['payoutBalance'];
const empty = { pending: 0, available: 0, frozen: 0, inTransit: 0 };
const read = async (path: string): Promise<Row> => (await shop.shop.rest('GET', path)).body;
const takeOut = () =>
  shop.run(
    'mutation ($id: ID!) { connectedAccountUpdate(input: { id: $id, isDefault: false }) { isDefault } }',
    {
      id: shop.connectionId,
    },
  );

test('a connected account that was used can be removed from routing but not deleted (PAY-15)', async () => {
  const { id, planId } = await shop.active();
  const remove = 'mutation ($id: ID!) { connectedAccountDelete(input: { id: $id }) { deletedId } }';
  const { errors } = await t.graphqlFailure(remove, { id: shop.connectionId }, { key: shop.shop.key });
  expect(errors[0]?.message).toMatch(/^Cannot query field "connectedAccountDelete" on type "Mutation"/);
  for (const path of ['/payment-connections', `/payment-connections/${shop.connectionId}`]) {
    expect((await shop.shop.rest('DELETE', path)).status).toBe(404);
  }
  await takeOut();
  const connections = '{ connectedAccounts { edges { node { id isDefault } } } }';
  expect(await shop.run(connections)).toEqual({
    connectedAccounts: { edges: [{ node: { id: shop.connectionId, isDefault: false } }] },
  });
  // New checkouts use another account, but refunds still use the original account.
  const other = await subscribeTo(shop.shop, (await createCustomer(shop.shop)).id, planId);
  expect(await pay(shop.shop, other.token)).toBe('paid');
  expect((await shop.list('/transactions')).map(({ provider }) => provider)).toEqual(['platform', 'stripe']);
  const { body } = await shop.shop.rest(
    'POST',
    `/transactions/${await latestTransaction(shop.shop, id)}/refund`,
  );
  expect(body).toMatchObject({ status: 'succeeded', amount: 4_900 });
  expect(shop.own('re')).toMatchObject([{ amount: 4_900 }]);
});

test('a new key must belong to the account that stores the payment methods of the connection (INS-106)', async () => {
  const change =
    'mutation ($id: ID!, $secretKey: String!) { connectedAccountUpdate(input: { id: $id, secretKey: $secretKey }) { id } }';
  const other = { id: shop.connectionId, secretKey: 'sk_test_other' };
  expect(await shop.run(change, other)).toEqual({ connectedAccountUpdate: { id: shop.connectionId } });
  await shop.run(change, { ...other, secretKey: 'sk_test_1' });
  const { id } = await shop.active();
  const before = await shop.events();
  expect(await rejection(t, change, other, { key: shop.shop.key })).toMatchObject({
    code: 'validation_error',
    param: 'secretKey',
  });
  expect(await shop.events()).toEqual(before);
  await shop.run(change, { ...other, secretKey: 'sk_test_2' });
  expect(await shop.statusOf(id)).toBe('active');
});

test('the platform is the merchant of record and deducts its fee for charges on its own provider, but only handles billing for a connected account (PAY-17)', async () => {
  await shop.run('mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }');
  const plan = await createPricedPlan(shop.shop, { price: 10_000 });
  const buy = async (payIt: (token: string | null) => Promise<string>): Promise<Row> => {
    const customer = await createCustomer(shop.shop, 'DE');
    const subscription = await subscribeTo(shop.shop, customer.id, plan.id);
    expect(await payIt(subscription.token)).toBe('paid');
    return read(`/transactions/${await latestTransaction(shop.shop, subscription.id)}`);
  };
  const own = await buy((token) => shop.pay(token));
  // 100.00 plus 19% tax. The organization receives the entire amount.
  expect(own).toMatchObject({
    provider: 'stripe',
    grossAmount: 11_900,
    subtotal: 10_000,
    taxAmount: 1_900,
    availableAt: null,
  });
  expect(await balance()).toEqual(empty);
  await takeOut();
  const sold = await buy((token) => pay(shop.shop, token));
  expect(sold).toMatchObject({
    provider: 'platform',
    grossAmount: 11_900,
    subtotal: 10_000,
    taxAmount: 1_900,
  });
  expect(sold['availableAt']).not.toBeNull();
  // 119.00 minus the fee of 5.95 + 0.50, and minus 19.00 of tax that the platform remits.
  expect(await balance()).toEqual({ ...empty, pending: 9_355 });
});

test("refunds and disputes change the balance for charges on the platform's provider, but not on a connected account (PAY-16, PAY-17)", async () => {
  const disputed = await shop.active();
  const dispute = stripe.opens(disputed.intent, 'needs_response');
  expect(await shop.emit('charge.dispute.created', stripe.rows.get(dispute))).toBe(200);
  const returned = await shop.active();
  await shop.shop.rest('POST', `/transactions/${returned.transactionId}/refund`);
  expect([await shop.attempts(), await balance()]).toEqual([['disputed', 'refunded'], empty]);
  await takeOut();
  await createDispute(shop.shop);
  // 49.00 is on hold. Another 49.00, minus the fee of 2.45 + 0.50, is pending.
  expect(await balance()).toEqual({ pending: 4_605, available: -4_900, frozen: 4_900, inTransit: 0 });
});

test("fees added by the payer's bank don't appear in documents and aren't refunded (PAY-19)", async () => {
  const { id, intent, transactionId } = await shop.active();
  const before = await shop.events();
  // The payer's bank added a foreign transaction fee of 1.47 to the charge.
  stripe.changes(intent, { amount_received: 5_047 });
  expect(await shop.emit('payment_intent.succeeded', stripe.rows.get(intent))).toBe(200);
  const reconcile = 'mutation { gatewayReconcile(input: {}) { checked differences { kind } } }';
  expect(await shop.run(reconcile)).toEqual({ gatewayReconcile: { checked: 1, differences: [] } });
  expect(await shop.events()).toEqual(before);
  const [invoice] = await shop.list(`/invoices?subscriptionId=${id}`);
  expect(invoice).toMatchObject({ status: 'paid', total: 4_900 });
  expect((await shop.shop.rest('POST', `/transactions/${transactionId}/refund`)).body).toMatchObject({
    amount: 4_900,
  });
  expect(shop.own('re')).toMatchObject([{ amount: 4_900, payment_intent: intent }]);
  expect(await read(`/transactions/${transactionId}`)).toMatchObject({
    status: 'refunded',
    grossAmount: 4_900,
  });
});
