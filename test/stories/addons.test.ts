import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  pay,
  sellPlan,
  setClock,
  subscribe,
  word,
} from '../support/stories.ts';

// Three months of a subscription for 34.00 with an add-on for 14.50, which includes 500 exports and charges 0.0125 for each additional
// export (SUB-70 to SUB-73).

let shop: TestApp;
let id: string;
let seen = 0;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-04-05T09:00:00Z');
});
afterAll(() => closeStory(shop));

const recentEvents = async (): Promise<string[]> => {
  const events = (await allEvents(shop)).map(word);
  const fresh = events.slice(seen);
  seen = events.length;
  return fresh.filter((text) => text !== 'usage.recorded' && text !== 'invoice.upcoming');
};

type Invoice = {
  invoiceType: string;
  status: string;
  total: number;
  lineItems: { lineType: string; amount: number }[];
};

/** The latest invoice's type, status, total, and line items. */
const latest = async () => {
  const { subscription } = await shop.graphql<{ subscription: { invoices: { edges: { node: Invoice }[] } } }>(
    `query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { edges { node {
       invoiceType status total lineItems { lineType amount } } } } } }`,
    { id },
  );
  const node = subscription.invoices.edges[0]?.node;
  return [
    node?.invoiceType,
    node?.status,
    node?.total,
    node?.lineItems.map(({ lineType, amount }) => `${lineType} ${amount}`),
  ];
};

const exportUnits = (value: number) =>
  shop.rest('POST', '/usage/events', { customerId: 'ada', featureCode: 'exports', value });
const codeOf = ({ body }: { body: unknown }) => (body as { error?: { code: string } }).error?.code ?? null;

describe('an add-on over several months', () => {
  it("can't be used before it's activated", async () => {
    await sellPlan(shop, 'cove', { billingInterval: 'monthly', price: 3_400 });
    const { body: feature } = await shop.rest<{ id: string }>('POST', '/features', {
      name: 'Exports',
      code: 'exports',
      type: 'usage',
    });
    const terms = { consumptionModel: 'metered', includedUnits: 500, overageRate: 125 };
    const made = await shop.rest('POST', '/addons', {
      name: 'Exports',
      basePrice: 1_450,
      featureId: feature.id,
      ...terms,
    });
    expect(made.status).toBe(201);
    const subscription = await subscribe(shop, 'ada', 'cove');
    id = subscription.id;
    await pay(shop, subscription.token);
    expect(codeOf(await exportUnits(1))).toBe('feature_not_in_plan');
    await recentEvents();
  });

  it('is charged for the remaining days of the period, and is available immediately', async () => {
    await setClock(shop, '2027-04-22T15:00:00Z');
    const { status, body } = await shop.rest('POST', `/subscriptions/${id}/addons`, { addonId: 'exports' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'active',
      proratedCharge: 628,
      object: 'subscription_addon',
      livemode: false,
    });
    expect(await latest()).toEqual(['addon_activation', 'paid', 628, ['addon_base 628']]);
    expect(await recentEvents()).toEqual([
      'invoice.created',
      'payment.received',
      'addon.activated',
      'customer.state_changed:addon_activated',
    ]);
    expect((await exportUnits(700)).status).toBe(200);
    const { body: listed } = await shop.rest<{ data: unknown[] }>('GET', '/active-addons?customerId=ada');
    expect(listed.data).toMatchObject([{ slug: 'exports', basePrice: 1_450, featureCode: 'exports' }]);
    const { body: shown } = await shop.rest<{ features: unknown[] }>('GET', `/subscriptions/${id}`);
    expect(shown.features).toMatchObject([
      { code: 'exports', enabled: true, usage: { current: 700, included: 500, overageQuantity: 200 } },
    ]);
  });

  it('is charged in full at the renewal, together with its overage', async () => {
    await recentEvents();
    expect(await advance(shop, { frozenTime: '2027-05-05T00:00:00Z' })).toMatchObject({
      status: 'completed',
      failed: 0,
    });
    expect(await latest()).toEqual([
      'recurring',
      'paid',
      5_100,
      ['plan_base 3400', 'addon_base 1450', 'feature_overage 250'],
    ]);
    expect(await recentEvents()).toEqual(['invoice.created', 'payment.received']);
  });

  it('is deactivated immediately, and the overage appears only on the next invoice', async () => {
    await setClock(shop, '2027-05-20T12:00:00Z');
    expect((await exportUnits(580)).status).toBe(200);
    await recentEvents();
    const { status, body } = await shop.rest<{ id: string; deactivatedAt: string }>(
      'DELETE',
      `/subscriptions/${id}/addons/exports`,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'inactive', object: 'subscription_addon', livemode: false });
    expect(body.deactivatedAt >= '2027-05-20T12:00:00.000Z').toBe(true);
    expect(await recentEvents()).toEqual(['addon.deactivated', 'customer.state_changed:addon_deactivated']);
    expect(codeOf(await exportUnits(1))).toBe('feature_not_in_plan');
    expect(codeOf(await shop.rest('DELETE', `/subscriptions/${id}/addons/exports`))).toBe('addon_not_active');
    await setClock(shop, '2027-06-05T00:00:00Z');
    expect(await latest()).toEqual(['recurring', 'paid', 3_500, ['plan_base 3400', 'feature_overage 100']]);
    await setClock(shop, '2027-07-05T00:00:00Z');
    expect(await latest()).toEqual(['recurring', 'paid', 3_400, ['plan_base 3400']]);
    await expectLedgerBalanced(shop);
  });
});
