import { execute, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticatePage } from '../../../../src/request/authenticate.ts';
import { RequestContext } from '../../../../src/request/context.ts';
import { schema } from '../../../../src/schema.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import { kindOf } from '../../../support/event-kinds.ts';
import {
  advanceDays,
  attachFeature,
  createActiveSubscription,
  createCustomer,
  createFeature,
  createPricedPlan,
  createSubscription,
  openPortal,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveClient } from '../../../support/live.ts';
import { rejection } from '../../../support/refusals.ts';

const now = '2026-03-02T09:00:00.000Z';
let t: TestApp;
beforeAll(async () => {
  t = await startApp({ wall: new MovableClock(now) });
});
afterAll(() => t.close());

const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const ask = <T>(token: string, query: string, variables: Record<string, unknown> = {}): Promise<T> =>
  t.graphql<T>(query, variables, bearer(token));

const shown = `{ portal {
  organizationName returnUrl livemode customer { email fullName taxDocument documentType address { line1 } }
  subscription { name planName status billingInterval currency currencyDecimals price startDate endDate trialEndsAt nextBillingDate
    currentPeriod { start end daysRemaining } cancellation { reason effectiveAt } scheduledPlanChange { changeType } canCancel cancelsImmediately
    features { __typename ... on SubscriptionSeatsFeature { code name usage { current included unlimited } } } credits { remaining }
    balance { remaining } paymentMethod { brand last4 expMonth expYear } checkoutUrl }
  invoices { edges { node { invoiceNumber status total currency lineItems { description amount } } } }
} }`;

describe('the portal', () => {
  it('shows the plan with its price, next charge date, and card, as well as feature usage and invoices (PLT-31)', async () => {
    const shop = await otherShop(t, 'Ada & Söhne');
    const plan = await createPricedPlan(shop);
    await attachFeature(shop, plan.id, (await createFeature(shop)).id, { includedAmount: 3 });
    const customer = await createCustomer(shop);
    await pay(shop, (await subscribeTo(shop, customer.id, plan.id)).token);
    expect(await ask(await openPortal(shop, customer.id), shown)).toEqual({
      portal: {
        organizationName: 'Ada & Söhne',
        returnUrl: null,
        livemode: false,
        customer: {
          email: 'customer1@shop.test',
          fullName: 'Name of customer1',
          taxDocument: null,
          documentType: null,
          address: null,
        },
        subscription: {
          name: 'Name of plan1',
          planName: 'Name of plan1',
          status: 'active',
          billingInterval: 'monthly',
          currency: 'usd',
          currencyDecimals: 2,
          price: 4900,
          startDate: now,
          endDate: null,
          trialEndsAt: null,
          nextBillingDate: '2026-04-02T00:00:00.000Z',
          currentPeriod: {
            start: '2026-03-02T00:00:00.000Z',
            end: '2026-04-02T00:00:00.000Z',
            daysRemaining: 31,
          },
          cancellation: null,
          scheduledPlanChange: null,
          canCancel: true,
          cancelsImmediately: false,
          features: [
            {
              __typename: 'SubscriptionSeatsFeature',
              code: 'feature1',
              name: 'Name of feature1',
              usage: { current: 0, included: 3, unlimited: false },
            },
          ],
          credits: null,
          balance: null,
          paymentMethod: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099 },
          checkoutUrl: null,
        },
        invoices: {
          edges: [
            {
              node: {
                invoiceNumber: 'INV-0001',
                status: 'paid',
                total: 4900,
                currency: 'usd',
                lineItems: [{ description: expect.any(String), amount: 4900 }],
              },
            },
          ],
        },
      },
    });
  });

  const brief =
    '{ portal { subscription { status price nextBillingDate canCancel cancelsImmediately checkoutUrl paymentMethod { last4 } } } }';

  it('shows a free plan without a price or date, and no plan if the customer has no subscription', async () => {
    const shop = await otherShop(t);
    const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
      name: 'Free',
      code: 'free',
      isFree: true,
    });
    const customer = await createCustomer(shop);
    const token = await openPortal(shop, customer.id);
    expect(await ask(token, brief)).toEqual({ portal: { subscription: null } });
    await subscribeTo(shop, customer.id, plan.id);
    expect(await ask(token, brief)).toEqual({
      portal: {
        subscription: {
          status: 'active',
          price: null,
          nextBillingDate: null,
          canCancel: true,
          cancelsImmediately: true,
          checkoutUrl: null,
          paymentMethod: null,
        },
      },
    });
  });

  it("doesn't offer cancellation for a one-time plan (PLT-31)", async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop, { billingInterval: 'one_time' });
    const token = await openPortal(shop, customerId);
    expect(await ask(token, brief)).toMatchObject({
      portal: { subscription: { status: 'active', nextBillingDate: null, canCancel: false } },
    });
    expect((await rejection(t, cancel, { input: {} }, bearer(token))).code).toBe(
      'one_time_subscription_not_cancelable',
    );
  });

  it('links to the checkout of a pending payment, and shows ended subscriptions but not abandoned checkouts', async () => {
    const shop = await otherShop(t);
    const { id, customerId, token: checkout } = await createSubscription(shop);
    const token = await openPortal(shop, customerId);
    expect(await ask(token, brief)).toMatchObject({
      portal: {
        subscription: { status: 'pending_payment', checkoutUrl: expect.stringContaining(checkout ?? '') },
      },
    });
    await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
    expect(await ask(token, brief)).toEqual({ portal: { subscription: null } });
    const ended = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${ended.id}/cancel`, { immediate: true });
    expect(await ask(await openPortal(shop, ended.customerId), brief)).toMatchObject({
      portal: { subscription: { status: 'canceled', canCancel: false } },
    });
  });
});

const state = 'status canCancel endDate nextBillingDate cancellation { reason effectiveAt }';
const cancel = `mutation ($input: PortalSubscriptionCancelInput!) { portalSubscriptionCancel(input: $input) { ${state} } }`;
const uncancel = `mutation ($input: PortalSubscriptionUncancelInput!) { portalSubscriptionUncancel(input: $input) { ${state} } }`;
const update = `mutation ($input: PortalCustomerUpdateInput!) { portalCustomerUpdate(input: $input) {
  fullName taxDocument documentType address { line1 city postalCode country } } }`;

async function eventsOf(shop: Shop, customerId: string): Promise<string[]> {
  const { events } = await t.graphql<{ events: { edges: { node: { event: string } }[] } }>(
    'query ($customerId: String) { events(first: 100, customerId: $customerId) { edges { node { event } } } }',
    { customerId },
    { key: shop.key },
  );
  return events.edges.map(({ node }) => kindOf(node.event)).toReversed();
}

describe('a portal customer', () => {
  it('can cancel at the end of the period and undo the cancellation, with the same events as the API (PLT-33)', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    const token = await openPortal(shop, customerId);
    const before = await eventsOf(shop, customerId);
    const end = '2026-04-02T00:00:00.000Z';
    expect(await ask(token, cancel, { input: { reason: 'zu teuer 💸' } })).toEqual({
      portalSubscriptionCancel: {
        status: 'active',
        canCancel: false,
        endDate: end,
        nextBillingDate: null,
        cancellation: { reason: 'zu teuer 💸', effectiveAt: end },
      },
    });
    expect((await rejection(t, cancel, { input: {} }, bearer(token))).code).toBe('already_scheduled');
    expect(await ask(token, uncancel, { input: {} })).toEqual({
      portalSubscriptionUncancel: {
        status: 'active',
        canCancel: true,
        endDate: null,
        nextBillingDate: end,
        cancellation: null,
      },
    });
    expect((await rejection(t, uncancel, { input: {} }, bearer(token))).code).toBe(
      'not_scheduled_for_cancellation',
    );
    expect((await eventsOf(shop, customerId)).slice(before.length)).toEqual([
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'customer.state_changed',
      'subscription.cancellation_revoked',
      'subscription.updated',
      'customer.state_changed',
    ]);
  });

  it('can cancel only once, even with simultaneous requests', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    const token = await openPortal(shop, customerId);
    const call = () =>
      ask(token, cancel, { input: {} }).then(
        () => 'canceled',
        (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
      );
    expect((await Promise.all([call(), call()])).sort()).toEqual(['already_scheduled', 'canceled']);
  });

  it("can't cancel without a subscription", async () => {
    const shop = await otherShop(t);
    const token = await openPortal(shop, (await createCustomer(shop)).id);
    for (const operation of [cancel, uncancel])
      expect((await rejection(t, operation, { input: {} }, bearer(token))).code).toBe(
        'subscription_not_found',
      );
  });

  it('can update their own billing details, but not the details of other customers (PLT-23)', async () => {
    const shop = await otherShop(t);
    const [customer, other] = [await createCustomer(shop), await createCustomer(shop)];
    const token = await openPortal(shop, customer.id);
    const address = { line1: 'Calle 1', city: 'Córdoba', postalCode: '5000', country: 'AR' };
    expect(
      await ask(token, update, { input: { fullName: 'אדה 🦊', taxDocument: '20-12345678-6', address } }),
    ).toEqual({
      portalCustomerUpdate: {
        fullName: 'אדה 🦊',
        taxDocument: '20-12345678-6',
        documentType: 'CUIT',
        address,
      },
    });
    expect((await eventsOf(shop, customer.id)).at(-1)).toBe('customer.updated');
    expect(await eventsOf(shop, other.id)).toEqual(['customer.created']);
    expect((await rejection(t, update, { input: { fullName: 'x'.repeat(301) } }, bearer(token))).param).toBe(
      'fullName',
    );
    expect(
      (await rejection(t, update, { input: { address: { ...address, country: 'ar' } } }, bearer(token)))
        .param,
    ).toBe('address.country');
  });

  it('can remove the tax ID and the address with null, and keeps values that are omitted', async () => {
    const shop = await otherShop(t);
    const { id } = await createCustomer(shop);
    const token = await openPortal(shop, id);
    const address = { line1: 'Calle 1', city: 'Córdoba', postalCode: '5000', country: 'AR' };
    await ask(token, update, { input: { fullName: 'Ada', taxDocument: '20-12345678-6', address } });
    expect(await ask(token, update, { input: { taxDocument: null } })).toEqual({
      portalCustomerUpdate: { fullName: 'Ada', taxDocument: null, documentType: null, address },
    });
    expect(await ask(token, update, { input: { address: null } })).toEqual({
      portalCustomerUpdate: { fullName: 'Ada', taxDocument: null, documentType: null, address: null },
    });
    const emitted = (await eventsOf(shop, id)).length;
    await ask(token, update, { input: { address: null, taxDocument: null } });
    expect((await eventsOf(shop, id)).length).toBe(emitted);
    const rows = await t.app.database.query('SELECT address, country FROM "Customer" WHERE id = $1', [id]);
    expect(rows).toEqual([{ address: null, country: null }]);
  });

  it('receives live updates of the current subscription and the latest invoice', async () => {
    const shop = await otherShop(t);
    const { id, customerId } = await createActiveSubscription(shop);
    const client = liveClient(t.url, { token: await openPortal(shop, customerId) });
    type Emitted = {
      data: {
        portalSubscriptionChanged?: { cancellation: object | null };
        portalInvoiceChanged?: { invoiceNumber: string };
      };
    };
    const follow = (query: string) => client.iterate({ query }) as AsyncGenerator<Emitted, void>;
    const changes = follow('subscription { portalSubscriptionChanged { cancellation { reason } } }');
    const invoices = follow('subscription { portalInvoiceChanged { invoiceNumber } }');
    const next = async (emitted: AsyncGenerator<Emitted, void>) => (await emitted.next()).value?.data;
    expect(await next(changes)).toEqual({ portalSubscriptionChanged: { cancellation: null } });
    expect(await next(invoices)).toEqual({ portalInvoiceChanged: { invoiceNumber: 'INV-0001' } });
    await advanceDays(shop, 31);
    expect(await next(invoices)).toEqual({ portalInvoiceChanged: { invoiceNumber: 'INV-0002' } });
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { reason: 'moved' });
    let seen = await next(changes);
    while (seen?.portalSubscriptionChanged?.cancellation === null) seen = await next(changes);
    expect(seen).toEqual({ portalSubscriptionChanged: { cancellation: { reason: 'moved' } } });
    await client.dispose();
  });
});

describe('the portal invoice list', () => {
  it('uses the same number of SQL statements for every page size', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    await advanceDays(shop, 150);
    const token = await openPortal(shop, customerId);
    const statements = async (first: number): Promise<number> => {
      const ctx = new RequestContext(t.app, 'statements');
      await authenticatePage(ctx, token);
      const { database } = t.app;
      let count = 0;
      const query: typeof database.query = (text, params) => {
        count++;
        return database.query(text, params);
      };
      const counted = new RequestContext({ ...t.app, database: { ...database, query } }, 'statements');
      counted.become(ctx.caller, ctx.environment);
      const document = parse(
        `{ portal { invoices(first: ${first}) { edges { node { total downloadUrl lineItems { amount } } } } } }`,
      );
      const { data, errors } = await execute({ schema, document, contextValue: counted });
      expect(errors).toBeUndefined();
      expect((data as { portal: { invoices: { edges: unknown[] } } }).portal.invoices.edges).toHaveLength(
        first,
      );
      return count;
    };
    // One statement each for the session, the customer, the invoices, the download links, and the line items.
    expect([await statements(1), await statements(5)]).toEqual([5, 5]);
  });

  it("contains only the customer's own invoices, even with another customer's cursor", async () => {
    const shop = await otherShop(t);
    const [first, second] = [await createActiveSubscription(shop), await createActiveSubscription(shop)];
    const page =
      'query ($after: String) { portal { invoices(first: 1, after: $after) { edges { cursor node { invoiceNumber } } } } }';
    type Page = { portal: { invoices: { edges: { cursor: string; node: { invoiceNumber: string } }[] } } };
    const theirs = (await ask<Page>(await openPortal(shop, second.customerId), page)).portal.invoices.edges;
    expect(theirs.map(({ node }) => node.invoiceNumber)).toEqual(['INV-0002']);
    const own = await ask<Page>(await openPortal(shop, first.customerId), page, { after: theirs[0]?.cursor });
    expect(own.portal.invoices.edges.map(({ node }) => node.invoiceNumber)).toEqual(['INV-0001']);
  });
});
