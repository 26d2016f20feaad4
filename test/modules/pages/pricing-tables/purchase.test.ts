import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeExpiredPurchases } from '../../../../src/modules/pages/pricing-tables/worker.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { watchChanges } from '../../../support/changes.ts';
import {
  asVisitor,
  beginPurchase,
  createCustomer,
  createMarket,
  createPayment,
  createPrice,
  createPricedPlan,
  createPricingTable,
  firstShop,
  newVisit,
  otherShop,
  pay,
  payLink,
  purchaseText,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Purchases that visitors make on pricing tables without affecting other customers (CAT-62 to CAT-65).

type Made = { id: string; email: string; address: { country: string } | null };
type Subscription = { id: string; customerId: string; status: string; planId: string; currency: string };

const wall = new MovableClock('2027-03-01T09:00:00.000Z');
const dayMs = 86_400_000;
const pass = (ms: number): void => wall.set(new Date(wall.now().getTime() + ms).toISOString());
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({ wall, env: { PURCHASES_PER_MINUTE: '0' } });
  shop = firstShop(t);
});
afterAll(async () => {
  await expectLedgerBalanced(t);
  await t.close();
});

const withEmail = (email: string, seller = shop): Promise<{ id: string; country: string | null }[]> =>
  t.app.database.query(
    'SELECT id, country FROM "Customer" WHERE "environmentId" = $1 AND email = $2 ORDER BY seq',
    [seller.environmentId, email],
  );

const subscriptionsOf = (customerId: string): Promise<Subscription[]> =>
  t.app.database.query(
    `SELECT id, "customerId", status::text, "planId", currency, "successUrl", "cancelReason" FROM "Subscription"
     WHERE "environmentId" = $1 AND "customerId" = $2 ORDER BY seq`,
    [shop.environmentId, customerId],
  );

const checkout = async (token: string) =>
  (
    await t.graphql<{ checkout: Record<string, unknown> }>(
      'query ($token: String!) { checkout(token: $token) { status nextStep customerEmail currency price billingInterval amountDue country: requiresBillingCountry } }',
      { token },
      { key: null },
    )
  ).checkout;

const failureOf = async (input: object, key?: string) =>
  (await t.graphqlFailure(purchaseText, { input }, asVisitor(key))).errors[0]?.extensions;

const address = (): string => `${shop.next('buyer')}@shop.test`;

/** Creates a table with a single plan for 49.00 per month and returns the data that a purchase needs. */
async function offer(body: object = {}) {
  const { id: planId } = await createPricedPlan(shop);
  const table = await createPricingTable(shop, { plans: [{ planId }], ...body });
  return { table, planId, token: table.token };
}

describe('a pricing table purchase', () => {
  it("opens the plan's checkout, and activates the subscription after payment (CAT-62)", async () => {
    const { planId, token } = await offer({ successUrl: 'https://shop.test/welcome' });
    const email = address();
    const checkoutToken = await beginPurchase(shop, { token, planId, email });
    expect(await checkout(checkoutToken)).toMatchObject({
      status: 'open',
      nextStep: 'pay',
      customerEmail: email,
      amountDue: 4_900,
      billingInterval: 'monthly',
    });
    const [customer] = await withEmail(email);
    expect(await subscriptionsOf(customer?.id ?? '')).toMatchObject([
      { status: 'pending_payment', successUrl: 'https://shop.test/welcome' },
    ]);
    expect(await pay(shop, checkoutToken)).toBe('paid');
    expect(await subscriptionsOf(customer?.id ?? '')).toMatchObject([{ status: 'active', planId }]);
    const { body } = await shop.rest<{ data: { id: string }[] }>('GET', `/customers/${customer?.id}`);
    expect(body).toMatchObject({ email });
  });

  it("starts the price's free trial only after a card is stored", async () => {
    const { id: planId } = await createPricedPlan(shop, { trialDays: 14 });
    const { token } = await createPricingTable(shop, { plans: [{ planId }] });
    const email = address();
    const checkoutToken = await beginPurchase(shop, { token, planId, email });
    expect(await checkout(checkoutToken)).toMatchObject({ status: 'open', amountDue: 0 });
    const [customer] = await withEmail(email);
    expect(await subscriptionsOf(customer?.id ?? '')).toMatchObject([{ status: 'pending_payment' }]);
    expect((await shop.rest('POST', '/portal/sessions', { email })).status).toBe(404);
    expect(await pay(shop, checkoutToken)).toBe('paid');
    expect(await subscriptionsOf(customer?.id ?? '')).toMatchObject([{ status: 'trialing' }]);
    expect((await shop.rest('POST', '/portal/sessions', { email })).status).toBe(200);
  });

  it("uses the price for the visitor's country", async () => {
    const market = await createMarket(shop, ['SE']);
    const { id: planId } = await createPricedPlan(shop, {
      marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 4_100 }],
    });
    const { token } = await createPricingTable(shop, { plans: [{ planId }] });
    const opened = await checkout(await beginPurchase(shop, { token, planId, country: 'SE' }));
    expect(opened).toMatchObject({ currency: 'eur', price: 4_100, amountDue: 4_100 });
  });

  it('is created once if requests with the same key or visit are repeated or concurrent (CAT-63)', async () => {
    const { planId, token } = await offer();
    const [email, visit, key] = [address(), newVisit(), randomUUID()];
    const input = { token, planId, email, visit };
    const tokens = await Promise.all([
      beginPurchase(shop, input, key),
      beginPurchase(shop, input, key),
      beginPurchase(shop, input),
      beginPurchase(shop, { ...input, email: email.toUpperCase() }),
    ]);
    expect(new Set(tokens).size).toBe(1);
    const customers = [...(await withEmail(email)), ...(await withEmail(email.toUpperCase()))];
    expect(customers).toHaveLength(1);
    expect(await subscriptionsOf(customers[0]?.id ?? '')).toHaveLength(1);
  });

  it("replaces the same visit's unpaid purchase, and is rejected if that purchase is paid", async () => {
    const { planId, token, table } = await offer();
    const { id: otherId } = await createPricedPlan(shop, { price: 9_900 });
    await shop.rest('PATCH', `/pricing-tables/${table.id}`, { plans: [{ planId }, { planId: otherId }] });
    const input = { token, email: address(), visit: newVisit() };
    const first = await beginPurchase(shop, { ...input, planId });
    const second = await beginPurchase(shop, { ...input, planId: otherId });
    expect([await checkout(first), await checkout(second)]).toMatchObject([
      { status: 'canceled' },
      { status: 'open' },
    ]);
    await pay(shop, second);
    const changes = await watchChanges(t.app.database.query);
    expect(await failureOf({ ...input, planId, billingInterval: 'monthly' })).toMatchObject({
      code: 'already_has_active_subscription',
    });
    expect(await changes()).toEqual([]);
  });

  it('creates a new customer for a visit whose customer was deleted', async () => {
    const { headers } = await memberOf(t, t.organizationId, 'member');
    const plan = await createPricedPlan(shop);
    const table = await createPricingTable(shop, { plans: [{ planId: plan.id }] });
    const email = `${shop.next('gone')}@visitor.test`;
    const input = {
      token: table.token,
      visit: newVisit(),
      planId: plan.id,
      billingInterval: 'monthly',
      email,
    };
    await beginPurchase(shop, input);
    const [first] = await withEmail(email);
    await t.graphql(
      'mutation ($input: CustomerDeleteInput!) { customerDelete(input: $input) { deletedId } }',
      { input: { id: first?.id } },
      { key: null, headers: { ...headers, 'x-environment': 'sandbox' } },
    );
    const token = await beginPurchase(shop, input);
    const [gone, next] = await withEmail(email);
    expect(gone).toEqual(first);
    expect(await subscriptionsOf(first?.id ?? '')).toMatchObject([{ status: 'canceled' }]);
    expect(await pay(shop, token)).toBe('paid');
    expect(await subscriptionsOf(next?.id ?? '')).toMatchObject([{ status: 'active' }]);
  });

  it("is rejected and changes nothing if its input is invalid, or if the page doesn't offer the plan or interval", async () => {
    const { planId, token, table } = await offer();
    const { id: elsewhere } = await createPricedPlan(shop);
    const foreign = await createPricedPlan(await otherShop(t));
    await createPrice(shop, planId, { billingInterval: 'yearly', price: 40_000 });
    await shop.rest('PATCH', `/pricing-tables/${table.id}`, { intervals: ['monthly'] });
    const input = { token, visit: newVisit(), email: address(), planId, billingInterval: 'monthly' };
    const changes = await watchChanges(t.app.database.query);
    for (const [more, code] of [
      [{ planId: elsewhere }, 'plan_not_found'],
      [{ planId: foreign.id }, 'plan_not_found'],
      [{ billingInterval: 'yearly' }, 'price_not_found'],
      [{ billingInterval: 'weekly' }, 'price_not_found'],
      [{ email: 'nobody' }, 'validation_error'],
      [{ visit: 'short' }, 'validation_error'],
      [{ country: 'XX' }, 'validation_error'],
      [{ token: `${token}x` }, 'unauthorized'],
    ] as const)
      expect([code, await failureOf({ ...input, ...more })]).toMatchObject([code, { code }]);
    expect(await changes()).toEqual([]);
    await shop.rest('PATCH', `/pricing-tables/${table.id}`, { isActive: false });
    expect(await failureOf(input)).toMatchObject({ code: 'not_found' });
    expect(await withEmail(input.email)).toEqual([]);
  });

  it('requires the state if the tax depends on it, and creates no customer until the state is entered', async () => {
    const seller = await otherShop(t, 'Taxed');
    await t.graphql(
      'mutation { taxRegistrationCreate(input: { country: "US", region: "TX" }) { id } }',
      {},
      { key: seller.key },
    );
    const { id: planId } = await createPricedPlan(seller);
    const { token } = await createPricingTable(seller, { plans: [{ planId }] });
    const email = address();
    const input = { token, visit: newVisit(), planId, billingInterval: 'monthly', email, country: 'US' };
    expect(await failureOf(input)).toMatchObject({
      code: 'payment_failed',
      details: { reason: 'tax_not_computed' },
    });
    expect(await withEmail(email, seller)).toEqual([]);
    await beginPurchase(seller, { ...input, state: 'TX' });
    expect(await withEmail(email, seller)).toMatchObject([{ country: 'US' }]);
  });
});

describe("a visitor who enters another person's email address", () => {
  it("gets the same response as for an unknown address, and neither sees nor changes that person's data (CAT-64)", async () => {
    const { planId, token } = await offer();
    const victim = await createCustomer(shop, 'DE');
    const { body: theirs } = await shop.rest<Made>('GET', `/customers/${victim.id}`);
    const { email } = theirs;
    await pay(shop, await subscribe(victim.id, planId));
    const mine = await beginPurchase(shop, { token, planId, email });
    const none = await beginPurchase(shop, { token, planId, email: address() });
    const [known, unknown] = [await checkout(mine), await checkout(none)];
    expect({ ...known, customerEmail: null }).toEqual({ ...unknown, customerEmail: null });
    expect((await shop.rest('GET', `/customers/${victim.id}`)).body).toEqual(theirs);
    const made = (await withEmail(email)).map(({ id }) => id);
    expect(made).toHaveLength(2);
    expect(await subscriptionsOf(victim.id)).toMatchObject([{ status: 'active' }]);
    // Another visitor with the same email address also gets their own customer.
    await beginPurchase(shop, { token, planId, email });
    expect(await withEmail(email)).toHaveLength(3);
  });

  it("isn't treated as that person in the portal or at a payment link", async () => {
    const { planId, token } = await offer();
    const victim = await createCustomer(shop);
    const { email } = (await shop.rest<Made>('GET', `/customers/${victim.id}`)).body;
    const checkoutToken = await beginPurchase(shop, { token, planId, email });
    const meant = async () => {
      const { portalUrl } = (await shop.rest<{ portalUrl: string }>('POST', '/portal/sessions', { email }))
        .body;
      const { portal } = await t.graphql<{ portal: { subscription: unknown } }>(
        'query ($token: String!) { portal(token: $token) { subscription { status } } }',
        { token: new URL(portalUrl).pathname.split('/').at(-1) },
        { key: null },
      );
      return portal.subscription;
    };
    expect(await meant()).toBeNull();
    const { token: link } = await createPayment(shop, { customerId: undefined });
    await payLink(shop, link, { email });
    const [mine] = (await withEmail(email)).filter(({ id }) => id !== victim.id);
    const payers = await t.app.database.query<{ payerId: string }>(
      'SELECT "payerId" FROM "Payment" WHERE "environmentId" = $1 AND "payerId" = ANY($2)',
      [shop.environmentId, [victim.id, mine?.id]],
    );
    expect(payers).toEqual([{ payerId: victim.id }]);
    await pay(shop, checkoutToken);
    // The customer that the organization created still takes precedence over the one from the purchase.
    expect(await meant()).toBeNull();
  });

  it("can't be found by that email address until the purchase is paid", async () => {
    const { planId, token } = await offer();
    const email = address();
    const checkoutToken = await beginPurchase(shop, { token, planId, email });
    expect((await shop.rest('POST', '/portal/sessions', { email })).status).toBe(404);
    await pay(shop, checkoutToken);
    expect((await shop.rest('POST', '/portal/sessions', { email })).status).toBe(200);
  });
});

describe('an abandoned pricing table purchase', () => {
  it('is canceled after 72 hours, unlike a paid purchase (CAT-65)', async () => {
    const { planId, token } = await offer();
    const [left, paid] = [address(), address()];
    const [leftToken, paidToken] = [
      await beginPurchase(shop, { token, planId, email: left }),
      await beginPurchase(shop, { token, planId, email: paid }),
    ];
    await pay(shop, paidToken);
    pass(3 * dayMs - 1);
    await closeExpiredPurchases(t.app);
    expect(await checkout(leftToken)).toMatchObject({ status: 'open' });
    pass(2);
    await closeExpiredPurchases(t.app);
    expect([await checkout(leftToken), await checkout(paidToken)]).toMatchObject([
      { status: 'expired' },
      { status: 'paid' },
    ]);
    const [customer] = await withEmail(left);
    expect(await subscriptionsOf(customer?.id ?? '')).toMatchObject([
      { status: 'canceled', cancelReason: 'checkout_abandoned' },
    ]);
    const invoices = await t.app.database.query(
      'SELECT status::text FROM "Invoice" WHERE "environmentId" = $1 AND "customerId" = $2',
      [shop.environmentId, customer?.id],
    );
    expect(invoices).toEqual([{ status: 'void' }]);
    // No expired purchase is left to be canceled.
    const changes = await watchChanges(t.app.database.query);
    await closeExpiredPurchases(t.app);
    expect(await changes()).toEqual([]);
  });
});

describe('the pricing table purchase limit', () => {
  it("allows 300 new purchases per table and hour, and doesn't block existing purchases", async () => {
    const { planId, token, table } = await offer();
    const known = { token, planId, email: address(), visit: newVisit() };
    await beginPurchase(shop, known);
    await t.app.database.query(
      `UPDATE "OperationGauges" SET gauges = (
         SELECT jsonb_object_agg(key, jsonb_set(value, '{parts,0,1}', '"300"')) FROM jsonb_each(gauges))
       WHERE "environmentId" = $1 AND id = $2`,
      [shop.environmentId, table.id],
    );
    const fresh = { token, planId, email: address(), visit: newVisit(), billingInterval: 'monthly' };
    const rejected = await failureOf(fresh);
    expect(rejected).toMatchObject({ code: 'rate_limited', status: 429 });
    // The purchases leave the hour at most a minute late.
    expect(rejected?.['retryAfter']).toBeGreaterThan(3_540);
    expect(rejected?.['retryAfter']).toBeLessThanOrEqual(3_660);
    expect(await withEmail(fresh.email)).toEqual([]);
    await beginPurchase(shop, known);
    pass(3_660_000);
    await beginPurchase(shop, fresh);
  });

  it('allows 30 plan selections per visit', async () => {
    const { planId, token, table } = await offer();
    const { id: otherId } = await createPricedPlan(shop);
    await shop.rest('PATCH', `/pricing-tables/${table.id}`, { plans: [{ planId }, { planId: otherId }] });
    const input = { token, email: address(), visit: newVisit() };
    for (let turn = 0; turn < 30; turn++)
      await beginPurchase(shop, { ...input, planId: turn % 2 === 0 ? planId : otherId });
    expect(await failureOf({ ...input, planId, billingInterval: 'monthly' })).toMatchObject({
      code: 'rate_limited',
    });
  });

  it('allows the configured number of purchases per minute and IP address, with or without an idempotency key', async () => {
    const limited = await startApp({ env: { PURCHASES_PER_MINUTE: '2' } });
    try {
      const seller = firstShop(limited);
      const { id: planId } = await createPricedPlan(seller);
      const { token } = await createPricingTable(seller, { plans: [{ planId }] });
      const input = { token, planId, billingInterval: 'monthly', visit: newVisit(), email: 'a@shop.test' };
      await limited.graphql(purchaseText, { input }, asVisitor());
      await limited.graphql(purchaseText, { input }, { key: null });
      for (const options of [asVisitor(), { key: null }]) {
        const { errors } = await limited.graphqlFailure(purchaseText, { input }, options);
        expect(errors[0]?.extensions).toMatchObject({ code: 'rate_limited', status: 429 });
      }
      // Reading the page doesn't count toward the limit.
      await limited.graphql(
        'query ($token: String!) { pricingPage(token: $token) { name } }',
        { token },
        { key: null },
      );
    } finally {
      await limited.close();
    }
  });
});

/** Creates a subscription and returns the token of its checkout. */
async function subscribe(customerId: string, planId: string): Promise<string> {
  const { body } = await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', { customerId, planId });
  return new URL(body.checkoutUrl).pathname.split('/').at(-1) ?? '';
}
