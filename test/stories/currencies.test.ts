import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createMarket,
  createPrice,
  createPricedPlan,
  firstShop,
  pay,
  type Shop,
  setCurrency,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { advance, expectLedgerBalanced, setClock } from '../support/stories.ts';

// A plan in two markets for four months: with a price variant, in a derived currency, and in a currency without decimals (CAT-22 to CAT-32, CAT-E2).

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await setClock(t, '2027-01-10T10:00:00Z');
});
afterAll(() => closeStory(t));

type Shown = {
  currency: string;
  plan: { basePrice: number };
  market: { name: string } | null;
  features: { usage?: { overageUnitPrice: number | null } }[];
};
const shown = async (id: string): Promise<Shown> =>
  (
    await t.graphql<{ subscription: Shown }>(
      'query ($id: ID!) { subscription(id: $id) { currency plan { basePrice } market { name } features { ... on SubscriptionUsageFeature { usage { overageUnitPrice } } } } }',
      { id },
    )
  ).subscription;

/** Returns the currency and total of each of a subscription's paid invoices, from oldest to newest. */
async function paid(id: string): Promise<string[]> {
  const { body } = await shop.rest<{ data: { currency: string; total: number; status: string }[] }>(
    'GET',
    `/invoices?subscriptionId=${id}`,
  );
  expect(body.data.filter(({ status }) => status !== 'paid')).toEqual([]);
  return body.data.map(({ currency, total }) => `${currency} ${total}`).toReversed();
}

describe('a plan with regional pricing', () => {
  let plan: { id: string; priceId: string };
  let early: string;
  const subscriptions: Record<string, string> = {};
  const subscribe = async (country: string, choice: object = {}): Promise<string> => {
    const customer = await createCustomer(shop, country);
    const { status, body } = await shop.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: customer.id,
      planId: plan.id,
      ...choice,
    });
    expect(status).toBe(201);
    expect(await pay(shop, body.checkoutUrl.split('/').at(-1) ?? null)).toBe('paid');
    return body.id;
  };
  const edit = (priceId: string, body: object) =>
    shop.rest('PATCH', `/plans/${plan.id}/prices/${priceId}`, body);
  const charged = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(subscriptions).map(async ([who, id]) => [who, await paid(id)])),
    );

  it("charges each subscriber the market price in the currency of the subscriber's country", async () => {
    const [nordics, alps] = [
      await createMarket(shop, ['DK', 'SE', 'FI']),
      await createMarket(shop, ['CH', 'AT']),
    ];
    const marketPrices = [
      { marketGroupId: nordics.id, currency: 'eur', price: 5_800 },
      { marketGroupId: alps.id, currency: 'usd', price: 7_000 },
    ];
    plan = await createPricedPlan(shop, { price: 6_150, marketPrices });
    const exports = await createFeature(shop, 'usage');
    await attachFeature(shop, plan.id, exports.id, {
      includedAmount: 3,
      overage: { enabled: true, unitPrice: 180 },
    });
    const variant = { price: undefined, inheritsFromPriceId: plan.priceId };
    early = (
      await createPrice(shop, plan.id, {
        ...variant,
        marketPrices: [{ marketGroupId: nordics.id, currency: 'eur', price: 4_900 }],
      })
    ).id;
    await setCurrency(shop, plan.id, 'brl', 5.43);
    await setCurrency(shop, plan.id, 'clp', 931.7);
    subscriptions['finland'] = await subscribe('FI');
    subscriptions['early'] = await subscribe('SE', { priceId: early });
    subscriptions['alps'] = await subscribe('CH');
    subscriptions['brazil'] = await subscribe('BR', { priceId: early });
    subscriptions['chile'] = await subscribe('CL');
    subscriptions['norway'] = await subscribe('NO');
    expect(await charged()).toEqual({
      finland: ['eur 5800'],
      early: ['eur 4900'],
      alps: ['usd 7000'],
      brazil: ['brl 33395'],
      chile: ['clp 57300'],
      norway: ['usd 6150'],
    });
    expect(await shown(subscriptions['early'] ?? '')).toMatchObject({
      currency: 'eur',
      plan: { basePrice: 4_900 },
      market: { name: 'market1' },
    });
    expect(await shown(subscriptions['chile'] ?? '')).toMatchObject({
      currency: 'clp',
      plan: { basePrice: 57_300 },
      market: null,
      features: [{ usage: { overageUnitPrice: 167_706 } }],
    });
  });

  it('renews in the same currency at the current prices, which are previewed before the renewal', async () => {
    await advance(t, { advanceDays: 31 });
    await setCurrency(shop, plan.id, 'clp', 950);
    await edit(plan.priceId, { price: 6_200 });
    expect(await shown(subscriptions['brazil'] ?? '')).toMatchObject({ plan: { basePrice: 33_666 } });
    expect(await advance(t, { advanceDays: 28 })).toMatchObject({ status: 'completed', failed: 0 });
    expect(await charged()).toEqual({
      finland: ['eur 5800', 'eur 5800', 'eur 5800'],
      early: ['eur 4900', 'eur 4900', 'eur 4900'],
      alps: ['usd 7000', 'usd 7000', 'usd 7000'],
      brazil: ['brl 33395', 'brl 33395', 'brl 33666'],
      chile: ['clp 57300', 'clp 57300', 'clp 58900'],
      norway: ['usd 6150', 'usd 6150', 'usd 6200'],
    });
  });

  it("can't renew subscriptions without a price in their currency, and leaves them unchanged (CAT-28)", async () => {
    await shop.rest('DELETE', `/plans/${plan.id}/prices/${early}`);
    await edit(plan.priceId, { marketPrices: [] });
    expect((await edit(early, { marketPrices: [] })).status).toBe(400);
    expect(await advance(t, { advanceDays: 31 })).toMatchObject({ status: 'completed', failed: 1 });
    const { body } = await shop.rest<{
      latestRun: { items: { subscriptionId: string; error: string | null }[] };
    }>('GET', '/test-clock');
    const failed = body.latestRun.items.filter(({ error }) => error !== null);
    expect(failed).toEqual([
      expect.objectContaining({
        subscriptionId: subscriptions['finland'],
        error: expect.stringContaining('missing_regional_price'),
      }),
    ]);
    expect(await charged()).toMatchObject({
      finland: ['eur 5800', 'eur 5800', 'eur 5800'],
      early: ['eur 4900', 'eur 4900', 'eur 4900', 'eur 4900'],
      alps: ['usd 7000', 'usd 7000', 'usd 7000', 'usd 6200'],
    });
    expect(
      (await shop.rest<{ status: string }>('GET', `/subscriptions/${subscriptions['finland']}`)).body.status,
    ).toBe('active');
  });

  it('renews the failed subscriptions after a price in their currency is added', async () => {
    await setCurrency(shop, plan.id, 'eur', 0.92);
    await advance(t, { advanceDays: 1 });
    expect((await charged())['finland']).toEqual(['eur 5800', 'eur 5800', 'eur 5800', 'eur 5704']);
    await expectLedgerBalanced(t);
  });
});
