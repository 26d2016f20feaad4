import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejection } from '../../../support/refusals.ts';
import { now, openShop, type Shop } from './shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

type Listed = { data: { id: string; status: string }[]; hasMore: boolean };

describe('an active subscription', () => {
  it('returns all documented fields over REST (SUB-80)', async () => {
    const customerId = await shop.customer();
    const made = await shop.subscribe({ customerId, planId: shop.proId, initialSeats: { people: 5 } });
    await shop.pay(shop.tokenOf(made));
    const { status, body } = await shop.rest('GET', `/subscriptions/${made.id}`);
    expect(status).toBe(200);
    const count = { overageQuantity: 0, unlimited: false };
    expect(body).toEqual({
      id: made.id,
      customerId,
      plan: { id: shop.proId, name: 'Pro', basePrice: 3400 },
      name: 'Pro',
      description: null,
      status: 'active',
      billingInterval: 'monthly',
      trialEndsAt: null,
      currentPeriod: {
        start: '2026-03-31T00:00:00.000Z',
        end: '2026-04-30T00:00:00.000Z',
        daysRemaining: 30,
      },
      cancellation: null,
      cancelAtPeriodEnd: false,
      scheduledPlanChange: null,
      startDate: now.toISOString(),
      endDate: null,
      billingDayOfMonth: 31,
      nextBillingDate: '2026-04-30T00:00:00.000Z',
      checkoutUrl: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      offerApplications: [],
      consumptionModel: 'metered',
      features: [
        {
          code: 'calls',
          name: 'Calls',
          type: 'usage',
          enabled: true,
          usage: { current: 0, included: 1000, ...count, overageUnitPrice: 25 },
          baseAccess: null,
        },
        {
          code: 'disk',
          name: 'Disk',
          type: 'quota',
          enabled: true,
          usage: { current: 0, included: 0, ...count, unlimited: true },
          baseAccess: null,
        },
        {
          code: 'people',
          name: 'People',
          type: 'seats',
          enabled: true,
          // Of 5 seats, 3 are included and 2 cost 9.00 each.
          usage: { current: 5, included: 3, overageQuantity: 2, overageUnitPrice: 90000, unlimited: false },
          baseAccess: null,
        },
        { code: 'sso', name: 'Single sign-on', type: 'boolean', enabled: true, baseAccess: null },
      ],
      credits: null,
      balance: null,
      priceId: shop.proPriceId,
      object: 'subscription',
      livemode: false,
    });
  });

  it('is linked to its customer, plan, price, and invoices', async () => {
    const { customerId, subscriptionId } = await shop.activeCustomer();
    const operation = `query ($id: ID!) { customer(id: $id) {
      subscription { id customer { id } catalogPlan { code } price { id } dunning { attempts }
        invoices { edges { node { invoiceType subscription { id } transactions { status subscription { id } } } } } }
      subscriptions { edges { node { id } } } invoices(first: 1) { edges { node { total } } } } }`;
    expect(await shop.graphql(operation, { id: customerId })).toEqual({
      customer: {
        subscription: {
          id: subscriptionId,
          customer: { id: customerId },
          catalogPlan: { code: 'pro' },
          price: { id: shop.proPriceId },
          dunning: null,
          invoices: {
            edges: [
              {
                node: {
                  invoiceType: 'recurring',
                  subscription: { id: subscriptionId },
                  transactions: [{ status: 'succeeded', subscription: { id: subscriptionId } }],
                },
              },
            ],
          },
        },
        subscriptions: { edges: [{ node: { id: subscriptionId } }] },
        invoices: { edges: [{ node: { total: 3400 } }] },
      },
    });
  });

  it("isn't visible to other organizations or in the live environment", async () => {
    const { subscriptionId } = await shop.activeCustomer();
    const other = await shop.otherTenant();
    const operation = 'query ($id: ID!) { subscription(id: $id) { id } }';
    for (const key of [other.sandboxKey, shop.liveKey])
      expect(await rejection(shop, operation, { id: subscriptionId }, { key })).toMatchObject({
        code: 'subscription_not_found',
        status: 404,
      });
  });
});

describe('a subscription to a credits or balance plan', () => {
  it('shows the amounts included in each usage window, which can be used only while the subscription gives access', async () => {
    const plan = 'mutation ($input: PlanCreateInput!) { planCreate(input: $input) { id } }';
    const price = 'mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { id } }';
    const sell = async (input: Record<string, unknown>, more: Record<string, unknown>): Promise<string> => {
      const { planCreate } = await shop.graphql<{ planCreate: { id: string } }>(plan, { input });
      await shop.graphql(price, {
        input: { planId: planCreate.id, billingInterval: 'monthly', price: 1000, ...more },
      });
      return planCreate.id;
    };
    const credits = await sell(
      { code: 'credits', name: 'Credits', consumptionModel: 'credits' },
      { includedCredits: 500 },
    );
    const balance = await sell(
      { code: 'balance', name: 'Balance', consumptionModel: 'balance' },
      { includedBalance: 250000 },
    );
    const pools =
      'query ($id: ID!) { subscription(id: $id) { credits { remaining included purchased } balance { remaining included currency } } }';
    const first = await shop.subscribe({ customerId: await shop.customer(), planId: credits });
    expect(await shop.graphql(pools, { id: first.id })).toEqual({
      subscription: { credits: { remaining: 0, included: 500, purchased: 0 }, balance: null },
    });
    await shop.pay(shop.tokenOf(first));
    expect(await shop.graphql(pools, { id: first.id })).toEqual({
      subscription: { credits: { remaining: 500, included: 500, purchased: 0 }, balance: null },
    });
    const second = await shop.subscribe({ customerId: await shop.customer(), planId: balance });
    await shop.pay(shop.tokenOf(second));
    expect(await shop.graphql(pools, { id: second.id })).toEqual({
      subscription: { credits: null, balance: { remaining: 250000, included: 250000, currency: 'usd' } },
    });
  });
});

describe('the list of subscriptions', () => {
  it('can be filtered by customer ID, external ID, and status', async () => {
    const customerId = await shop.customer('lister');
    const first = await shop.subscribe({ customerId, planId: shop.proId });
    const second = await shop.subscribe({ customerId, planId: shop.trialId });
    const listed = async (query: string) => (await shop.rest<Listed>('GET', `/subscriptions?${query}`)).body;
    const replaced = { id: first.id, status: 'canceled' };
    const open = { id: second.id, status: 'pending_payment' };
    for (const reference of [customerId, 'lister'])
      expect(await listed(`customerId=${reference}`)).toMatchObject({
        object: 'list',
        data: [open, replaced],
        hasMore: false,
      });
    expect(await listed('customerId=lister&status=canceled')).toMatchObject({ data: [replaced] });
    expect(await listed('customerId=nobody')).toEqual({ object: 'list', data: [], hasMore: false });
  });

  it('continues after a cursor', async () => {
    const customerId = await shop.customer();
    const first = await shop.subscribe({ customerId, planId: shop.proId });
    const second = await shop.subscribe({ customerId, planId: shop.trialId });
    const page = await shop.rest<Listed & { nextCursor: string }>(
      'GET',
      `/subscriptions?customerId=${customerId}&limit=1`,
    );
    expect(page.body).toMatchObject({ data: [{ id: second.id }], hasMore: true });
    const rest = await shop.rest<Listed>(
      'GET',
      `/subscriptions?customerId=${customerId}&limit=1&cursor=${page.body.nextCursor}`,
    );
    expect(rest.body).toEqual({
      object: 'list',
      data: [expect.objectContaining({ id: first.id })],
      hasMore: false,
    });
  });
});

describe("a customer's current subscription (SUB-4)", () => {
  it('is null if the customer has no subscription or it was canceled', async () => {
    const customerId = await shop.customer('active');
    const read = () => shop.rest<{ id: string } | null>('GET', '/subscriptions/active?customerId=active');
    expect(await read()).toMatchObject({ status: 200, body: null });
    const made = await shop.subscribe({ customerId, planId: shop.proId });
    expect((await read()).body).toMatchObject({ id: made.id, status: 'pending_payment' });
    await shop.rest('POST', `/subscriptions/${made.id}/cancel`);
    expect(await read()).toMatchObject({ status: 200, body: null });
  });

  it('fails for an unknown customer', async () => {
    const operation = '{ subscriptionActive(customerId: "nobody") { id } }';
    expect(await rejection(shop, operation)).toMatchObject({
      code: 'customer_not_found',
      status: 404,
      param: 'customerId',
    });
  });
});
