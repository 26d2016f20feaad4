import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  beginPurchase,
  cards,
  createPricedPlan,
  createPricingTable,
  firstShop,
  pay,
  payment,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Subscribers can't purchase a second subscription on a pricing page (CAT-64a).

let t: TestApp;
let shop: Shop;
let planId: string;
let table: string;
beforeAll(async () => {
  t = await startApp({ env: { PURCHASES_PER_MINUTE: '0' } });
  shop = firstShop(t);
  planId = (await createPricedPlan(shop, { price: 3_000 })).id;
  table = (await createPricingTable(shop, { plans: [{ planId }] })).token;
});
afterAll(async () => {
  await expectLedgerBalanced(t);
  await t.close();
});

const buy = (email: string) => beginPurchase(shop, { token: table, planId, email });

const payPage = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const codeOf = async (token: string, number: string): Promise<unknown> =>
  (await t.graphqlFailure(payPage, { input: payment(token, number) }, { key: null })).errors[0]?.extensions[
    'code'
  ];

/** Creates a customer with an email address and an active subscription. */
async function subscriber(email: string): Promise<{ id: string; customerId: string }> {
  const { body } = await shop.rest<{ id: string }>('POST', '/customers', { email, fullName: 'A subscriber' });
  const { id, token } = await subscribeTo(shop, body.id, planId);
  expect(await pay(shop, token)).toBe('paid');
  return { id, customerId: body.id };
}

const count = async (text: string, ...values: unknown[]): Promise<number> =>
  Number(
    (await t.app.database.query<{ count: number }>(text, [shop.environmentId, ...values]))[0]?.count ?? 0,
  );
const charges = () =>
  count(
    `SELECT count(*)::int AS count FROM "Transaction" WHERE "environmentId" = $1 AND status = 'succeeded'`,
  );
const running = () =>
  count(
    `SELECT count(*)::int AS count FROM "Subscription" WHERE "environmentId" = $1 AND status IN ('active', 'trialing')`,
  );

it('a pricing table emails subscribers a portal link instead of charging them again, and sends the organization an event', async () => {
  const held = await subscriber('Ada@Pricing.test');
  const [paidBefore, runningBefore] = [await charges(), await running()];
  for (const email of ['ada@pricing.test', 'ADA@pricing.test']) {
    const token = await buy(email);
    expect(await codeOf(token, cards.pays)).toBe('already_has_active_subscription');
    // The checkout stays open. Another payment attempt returns the same error.
    expect(await codeOf(token, cards.pays)).toBe('already_has_active_subscription');
  }
  expect([await charges(), await running()]).toEqual([paidBefore, runningBefore]);
  const sent = () =>
    count(
      `SELECT count(*)::int AS count FROM "EmailNotification" WHERE "environmentId" = $1 AND audience = 'portal' AND "customerId" = $2`,
      held.customerId,
    );
  await expect.poll(sent, { timeout: 5_000 }).toBe(2);
  const { events } = await t.graphql<{ events: { nodes: { data: { heldSubscriptionId: string } }[] } }>(
    '{ events(first: 50, filter: { types: [checkout_duplicate] }) { nodes { data } } }',
  );
  expect(events.nodes.map(({ data }) => data.heldSubscriptionId)).toEqual(Array(4).fill(held.id));
});

it('a pricing table returns the same error for a declined card, whether or not the email address has a subscription', async () => {
  await subscriber('bob@pricing.test');
  const [known, unknown] = [await buy('bob@pricing.test'), await buy('nobody@pricing.test')];
  expect(await codeOf(known, cards.declines)).toBe('charge_failed');
  expect(await codeOf(unknown, cards.declines)).toBe('charge_failed');
});

it('a pricing table accepts another purchase from a former subscriber', async () => {
  const held = await subscriber('eve@pricing.test');
  await shop.rest('POST', `/subscriptions/${held.id}/cancel`, { immediate: true });
  expect(await pay(shop, await buy('eve@pricing.test'))).toBe('paid');
  // After the purchase, the customer with this email address has a subscription.
  expect(await codeOf(await buy('eve@pricing.test'), cards.pays)).toBe('already_has_active_subscription');
});
