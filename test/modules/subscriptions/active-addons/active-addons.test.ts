import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  activateAddon,
  advanceDays,
  createActiveSubscription,
  createAddon,
  createCustomer,
  createFeature,
  createPricedPlan,
  createSubscription,
  firstShop,
  otherShop,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { tablesRead } from '../../../support/statements.ts';

const now = '2027-03-01T08:00:00.000Z';
const listed = `query ($id: ID!, $first: Int, $after: String) { activeAddons(customerId: $id, first: $first, after: $after) {
  edges { node { slug } } pageInfo { hasNextPage endCursor } } }`;
const held = `query ($id: ID!) { subscription(id: $id) { addons { edges { node { slug status basePrice includedUnits overageRate } } } } }`;

type Slugs = {
  activeAddons: {
    edges: { node: { slug: string } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
};

describe("a customer's list of active add-ons", () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await startApp({ wall: new MovableClock(now) });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('contains active add-ons with their catalog add-on and feature, by customer ID or external ID', async () => {
    const subscription = await createActiveSubscription(shop);
    const { id: featureId, code, name } = await createFeature(shop, 'usage');
    const addon = await createAddon(shop, {
      featureId,
      consumptionModel: 'metered',
      includedUnits: 100,
      overageRate: 125,
    });
    await activateAddon(shop, subscription.id, addon.id);
    const shown = {
      slug: addon.slug,
      name: addon.name,
      basePrice: 900,
      featureCode: code,
      featureName: name,
      featureType: 'usage',
      consumptionModel: 'metered',
      activatedAt: now,
      object: 'subscription_addon',
      livemode: false,
    };
    const { body: customer } = await shop.rest<{ externalId: string }>(
      'GET',
      `/customers/${subscription.customerId}`,
    );
    for (const customerId of [subscription.customerId, customer.externalId]) {
      const { status, body } = await shop.rest('GET', `/active-addons?customerId=${customerId}`);
      expect({ status, body }).toEqual({
        status: 200,
        body: { object: 'list', data: [shown], hasMore: false },
      });
    }
  });

  it("contains only the current subscription's add-ons, from newest to oldest", async () => {
    const [subscription, other] = [
      await createActiveSubscription(shop),
      await createActiveSubscription(shop),
    ];
    const slugs: string[] = [];
    for (let index = 0; index < 30; index++) {
      const { id, slug } = await createAddon(shop);
      await activateAddon(shop, index === 5 ? other.id : subscription.id, id);
      if (index !== 5 && index !== 7) slugs.unshift(slug);
      if (index !== 7) continue;
      const ctx = await t.context();
      await ctx.db.addonActivation.update({
        where: { addonId: id },
        data: { status: 'inactive', deactivatedAt: new Date(now) },
      });
    }
    const page = async (args: Record<string, unknown>) => {
      const { edges, pageInfo } = (await t.graphql<Slugs>(listed, { id: subscription.customerId, ...args }))
        .activeAddons;
      return { slugs: edges.map(({ node }) => node.slug), ...pageInfo };
    };
    expect(await page({})).toMatchObject({ slugs, hasNextPage: false });
    const first = await page({ first: 20 });
    expect(first).toMatchObject({ slugs: slugs.slice(0, 20), hasNextPage: true });
    expect((await page({ first: 20, after: first.endCursor })).slugs).toEqual(slugs.slice(20));
    const { edges } = (await t.graphql<Slugs>(listed, { id: other.customerId })).activeAddons;
    expect(edges).toHaveLength(1);
  });

  it('shows the best terms in the current period, and the latest terms from the next period (CAT-43, CAT-49)', async () => {
    const own = await otherShop(t);
    const { id } = await createActiveSubscription(own);
    const { id: featureId } = await createFeature(own, 'usage');
    const addon = await createAddon(own, {
      featureId,
      consumptionModel: 'metered',
      includedUnits: 100,
      overageRate: 125,
    });
    await activateAddon(own, id, addon.id);
    const terms = async () => {
      type Held = { subscription: { addons: { edges: { node: object }[] } } };
      return (await t.graphql<Held>(held, { id }, { key: own.key })).subscription.addons.edges.map(
        ({ node }) => node,
      );
    };
    const common = { slug: addon.slug, status: 'active' };
    await advanceDays(own, 3);
    await own.rest('PATCH', `/addons/${addon.slug}`, {
      basePrice: 1_200,
      includedUnits: 40,
      overageRate: 90,
    });
    expect(await terms()).toEqual([{ ...common, basePrice: 1_200, includedUnits: 100, overageRate: 90 }]);
    await advanceDays(own, 3);
    await own.rest('PATCH', `/addons/${addon.slug}`, { basePrice: 700, includedUnits: 60, overageRate: 500 });
    expect(await terms()).toEqual([{ ...common, basePrice: 700, includedUnits: 100, overageRate: 90 }]);
    await advanceDays(own, 31);
    expect(await terms()).toEqual([{ ...common, basePrice: 700, includedUnits: 60, overageRate: 500 }]);
  });

  it("shows add-on prices in the subscription's currency, converted at the plan's exchange rate (CAT-44)", async () => {
    const plan = await createPricedPlan(shop);
    await setCurrency(shop, plan.id, 'clp', 912.3456);
    const { id: customerId } = await createCustomer(shop);
    const address = { line1: 'Calle 1', city: 'Santiago', postalCode: '8320000', country: 'CL' };
    await shop.rest('PATCH', `/customers/${customerId}`, { address });
    const subscription = await subscribeTo(shop, customerId, plan.id);
    await pay(shop, subscription.token);
    const addon = await createAddon(shop, { basePrice: 1_450 });
    await activateAddon(shop, subscription.id, addon.id);
    const priced = async () => {
      const query =
        'query ($id: ID!) { activeAddons(customerId: $id) { edges { node { basePrice currency } } } }';
      const { activeAddons } = await t.graphql<{ activeAddons: { edges: { node: object }[] } }>(query, {
        id: customerId,
      });
      return activeAddons.edges.map(({ node }) => node);
    };
    // 14.50 × 912.3456 = 13,229.0112 pesos. Pesos have no decimals.
    expect(await priced()).toEqual([{ basePrice: 13_229, currency: 'clp' }]);
    await setCurrency(shop, plan.id, 'clp', 1_000);
    expect(await priced()).toEqual([{ basePrice: 14_500, currency: 'clp' }]);
  });

  it("can't be read for customers without a subscription that gives access", async () => {
    const missing = {
      code: 'no_active_subscription',
      status: 404,
      message: 'The customer has no active subscription. Create a subscription first.',
      param: 'customerId',
    };
    expect(await rejection(t, listed, { id: (await createCustomer(shop)).id })).toEqual(missing);
    expect(await rejection(t, listed, { id: (await createSubscription(shop)).customerId })).toEqual(missing);
    const { id, customerId } = await createActiveSubscription(shop);
    expect(await t.graphql(listed, { id: customerId })).toMatchObject({ activeAddons: { edges: [] } });
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(await rejection(t, listed, { id: customerId })).toEqual(missing);
    expect(await rejection(t, listed, { id: 'cus_none' })).toMatchObject({
      code: 'customer_not_found',
      param: 'customerId',
    });
    const { key } = await otherShop(t);
    expect(await rejection(t, listed, { id: customerId }, { key })).toMatchObject({
      code: 'customer_not_found',
    });
  });

  it('contains each add-on once per subscription, because a unique index rejects a second activation', async () => {
    const [{ id }, addon] = [await createActiveSubscription(shop), await createAddon(shop)];
    await activateAddon(shop, id, addon.id);
    await expect(activateAddon(shop, id, addon.id)).rejects.toMatchObject({ code: 'P2002' });
  });

  it.each([1, 25])('is read for %d subscriptions with one SQL statement per table', async (first) => {
    if (first === 25) {
      for (let index = 0; index < 25; index++) {
        await activateAddon(shop, (await createActiveSubscription(shop)).id, (await createAddon(shop)).id);
      }
    }
    const operation = `{ subscriptions(first: ${first}) { edges { node { addons { edges { node { slug featureCode includedUnits } } } } } } }`;
    const { data, tables } = await tablesRead(t, operation);
    expect((data as { subscriptions: { edges: unknown[] } }).subscriptions.edges).toHaveLength(first);
    const pageOfAll = tables.filter((table) => table !== 'Subscription').toSorted();
    expect(pageOfAll).toEqual(['Addon', 'AddonActivation', 'AddonVersion', 'Feature']);
    expect(tables).toHaveLength(6);
  });
});
