import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer, of } from '../support/consumers.ts';
import {
  activateAddon,
  createAddon,
  createCustomer,
  createFeature,
  createPricingTable,
  firstShop,
  openPortal,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests that customer pages show the tiers of a rate before scripts run.

let t: TestApp;
let shop: Shop;
let calls: Consumer;
let seats: Consumer;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await t.settings({ portal: { seats: true } }, shop.environmentId);
  const terms = { includedAmount: 10, overage: { enabled: true } };
  const tiers = [
    { upTo: '1000', amount: '0.02' },
    { upTo: null, amount: '0.000015', flat: '5' },
  ];
  calls = await createConsumer(shop, { terms, rate: { model: 'graduated', tiers, maximum: '150' } });
  seats = await createConsumer(shop, {
    type: 'seats',
    terms,
    rate: { model: 'package', per: 5, amount: '30' },
  });
});
afterAll(() => t.close());

/** Returns the text of a page that is visible if JavaScript is disabled. */
const read = async (path: string): Promise<string> =>
  (await (await fetch(`${t.url}${path}`, { headers: { 'accept-language': 'en-US' } })).text())
    .replace(/[\s\S]*<div id="root">/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&nbsp;|\u00a0/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe("a rate's tiers", () => {
  it("are shown in the pricing table in the visitor's currency", async () => {
    const { token } = await createPricingTable(shop, {
      plans: [{ planId: calls.planId }, { planId: seats.planId }],
    });
    const page = await read(`/pricing/${token}`);
    expect(page).toContain(
      `${calls.feature.name}. Units above the included amount. Each unit has the price of its range. At most $150.00. Units Price 1–1,000 $0.02 1,001+ $5.00 + $0.000015`,
    );
    expect(page).toContain('$30.00 per 5 units; partial packages are charged in full');
    await setCurrency(shop, calls.planId, 'eur', 0.9);
    expect(await read(`/pricing/${token}?country=DE`)).toContain(
      'At most €135.00. Units Price 1–1,000 €0.018 1,001+ €4.50 + €0.000014',
    );
  });

  it('are shown in the portal next to the usage', async () => {
    await shop.rest('POST', '/usage/events', { ...of(calls), value: 1_013 });
    const page = await read(`/portal/${await openPortal(shop, calls.customerId)}/usage`);
    expect(page).toContain('1,013 used, 10 included');
    expect(page).toContain(
      '1,003 extra. Units above the included amount. Each unit has the price of its range.',
    );
    expect(page).toContain('1–1,000 $0.02 1,001+ $5.00 + $0.000015');
  });

  it("are shown with the seats in the portal, and the checkout doesn't state a price for each seat", async () => {
    const portal = await read(`/portal/${await openPortal(shop, seats.customerId)}/seats`);
    expect(portal).toContain(
      '10 included Units above the included amount. Price per package. Partial packages are charged in full.',
    );
    expect(portal).not.toContain('each');
    const { id } = await createCustomer(shop);
    const { token } = await subscribeTo(shop, id, seats.planId);
    const checkout = await read(`/checkout/${token}`);
    expect(checkout).toContain('10 included.');
    expect(checkout).not.toContain('each');
  });

  it("are described in the portal's plan section and at checkout, in the customer's language", async () => {
    const sentence =
      '$0.02 per unit up to 1,000, $0.000015 per unit from 1,001, $5.00 flat from 1,001, at most $150.00';
    const portal = await openPortal(shop, calls.customerId);
    expect(await read(`/portal/${portal}/plan`)).toContain(`${calls.feature.name} ${sentence}`);
    expect(await read(`/portal/${portal}/plan?locale=es`)).toContain('0,02 US$ por unidad hasta 1000');
    const { token } = await subscribeTo(shop, (await createCustomer(shop)).id, calls.planId);
    expect(await read(`/checkout/${token}`)).toContain(`${calls.feature.name}: 10 ${sentence}`);
  });

  it("are shown for add-ons in the portal in the subscription's currency, before and after they are added", async () => {
    const feature = await createFeature(shop, 'usage');
    const addon = await createAddon(shop, {
      featureId: feature.id,
      consumptionModel: 'metered',
      includedUnits: 500,
      overageRate: 100,
    });
    const tiers = [
      { upTo: '1000', amount: '0.02' },
      { upTo: null, amount: '0.01' },
    ];
    const set = await shop.rest('PUT', `/addons/${addon.id}/rate`, { rate: { model: 'volume', tiers } });
    expect(set.status).toBe(200);
    const { id } = await createCustomer(shop, 'DE');
    const { id: subscriptionId, token } = await subscribeTo(shop, id, calls.planId);
    await pay(shop, String(token));
    const sentence = `${feature.name}: 500 units included, then €0.018 per unit up to 1,000, €0.009 per unit from 1,001; the total determines the price of all units.`;
    const table = 'Units above the included amount. All units have the price of the range';
    const offered = await read(`/portal/${await openPortal(shop, id)}/addons`);
    expect(offered).toContain(`${sentence} ${table}`);
    expect(offered).toContain('1–1,000 €0.018 1,001+ €0.009');
    await activateAddon(shop, subscriptionId, addon.id);
    expect(await read(`/portal/${await openPortal(shop, id)}/addons`)).toMatch(
      new RegExp(`Active since .*${feature.name}: 500 units included, then €0.018 per unit up to 1,000`),
    );
  });

  it('are omitted from the API if the rate is only a price per unit', async () => {
    const { subscription } = await t.graphql<{ subscription: object }>(
      `query ($id: ID!) { subscription(id: $id) { features { ... on SubscriptionSeatsFeature {
         usage { overageUnitPrice rate { model per tiers { upTo amount flat } } plain: rate(unlessPlain: true) { model } } } } } }`,
      {
        id: (
          await createConsumer(shop, {
            type: 'seats',
            terms: { overage: { enabled: true, unitPrice: 50_000 } },
          })
        ).subscriptionId,
      },
    );
    expect(subscription).toEqual({
      features: [
        {
          usage: {
            overageUnitPrice: 50_000,
            rate: { model: 'per_unit', per: 1, tiers: [{ upTo: null, amount: '5.0000', flat: '0' }] },
            plain: null,
          },
        },
      ],
    });
  });
});
