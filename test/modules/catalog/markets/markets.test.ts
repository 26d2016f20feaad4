import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countryCodes } from '../../../../src/domain/tax/countries.ts';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createCustomer,
  createMarket,
  createPrice,
  createPricedPlan,
  firstShop,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = 'id name countryCodes metadata createdAt updatedAt object livemode';
const create = `mutation ($input: MarketCreateInput!) { marketCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: MarketUpdateInput!) { marketUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { marketDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const get = `query ($id: ID!) { market(id: $id) { ${fields} } }`;
const list =
  'query ($first: Int) { markets(first: $first) { edges { node { name } } pageInfo { hasNextPage } } }';

type Market = { id: string; name: string; countryCodes: string[]; [field: string]: unknown };

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';
const taken = {
  code: 'duplicate',
  status: 409,
  message: 'One of the countries is already in another market. Remove the country from that market first.',
  param: 'countryCodes',
};

describe('the market API', () => {
  let t: TestApp;
  let shop: Shop;
  const wall = new MovableClock(morning);
  const make = async (
    name: string,
    countryCodes: string[],
    more: object = {},
    key = t.sandboxKey,
  ): Promise<Market> =>
    (await t.graphql<{ marketCreate: Market }>(create, { input: { name, countryCodes, ...more } }, { key }))
      .marketCreate;
  const change = async (input: object): Promise<Market> =>
    (await t.graphql<{ marketUpdate: Market }>(update, { input })).marketUpdate;

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('creates markets with countries in the given order, and returns them', async () => {
    const market = await make('Nordics', ['SE', 'DK', 'FI'], { metadata: { tier: 1 } });
    expect(market).toEqual({
      id: expect.stringMatching(/^pmg_[0-9A-Za-z]{22}$/),
      name: 'Nordics',
      countryCodes: ['SE', 'DK', 'FI'],
      metadata: { tier: 1 },
      createdAt: morning,
      updatedAt: morning,
      object: 'market',
      livemode: false,
    });
    expect(await t.graphql(get, { id: market.id })).toEqual({ market });
    expect(await make('السوق 🌍', ['EG'])).toMatchObject({ name: 'السوق 🌍', metadata: {} });
  });

  it('allows a country in only one market per environment (CAT-29)', async () => {
    const { id } = await make('Alps', ['CH', 'AT']);
    expect(await rejection(t, create, { input: { name: 'Rival', countryCodes: ['LI', 'AT'] } })).toEqual(
      taken,
    );
    const other = await make('Rhine', ['LI']);
    expect(
      await rejection(t, update, { input: { id: other.id, name: 'Rhine', countryCodes: ['LI', 'CH'] } }),
    ).toEqual(taken);
    expect(await make('Alps', ['CH', 'AT'], {}, t.liveKey)).toMatchObject({ livemode: true });
    expect(await change({ id, name: 'Alps', countryCodes: ['CH'] })).toMatchObject({ countryCodes: ['CH'] });
    expect(await change({ id: other.id, name: 'Rhine', countryCodes: ['AT', 'LI'] })).toMatchObject({
      countryCodes: ['AT', 'LI'],
    });
    expect(
      await rejection(t, create, { input: { name: 'Twice', countryCodes: ['NL', 'BE', 'NL'] } }),
    ).toMatchObject({
      code: 'validation_error',
      details: [
        { field: 'countryCodes.2', message: 'NL is listed more than once. List each country only once.' },
      ],
    });
  });

  it('replaces all values in an update, removes omitted metadata, and keeps updatedAt if nothing changes', async () => {
    const made = await make('Iberia', ['ES', 'PT'], { metadata: { a: 1 } });
    wall.set(noon);
    expect(
      await change({ id: made.id, name: 'Iberia', countryCodes: ['ES', 'PT'], metadata: { a: 1 } }),
    ).toEqual(made);
    const changed = {
      ...made,
      name: 'Peninsula',
      countryCodes: ['PT', 'ES', 'AD'],
      metadata: {},
      updatedAt: noon,
    };
    expect(await change({ id: made.id, name: 'Peninsula', countryCodes: ['PT', 'ES', 'AD'] })).toEqual(
      changed,
    );
    expect(await t.graphql(get, { id: made.id })).toEqual({ market: changed });
    const { status, body } = await t.rest('PATCH', `/markets/${made.id}`, { name: 'Half' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param: 'countryCodes' } },
    });
  });

  it('reports all invalid values in one response', async () => {
    expect(await rejection(t, create, { input: { name: '', countryCodes: [] } })).toMatchObject({
      details: [
        { field: 'countryCodes', message: 'must have at least 1 item' },
        { field: 'name', message: 'must have at least 1 character' },
      ],
    });
    expect(
      await rejection(t, create, { input: { name: 'a'.repeat(201), countryCodes: ['de', 'DEU', 'FR'] } }),
    ).toMatchObject({
      details: [
        { field: 'countryCodes.0', message: '`de` is not an ISO 3166-1 code. Use DE' },
        { field: 'countryCodes.1', message: '`DEU` is not an upper-case ISO 3166-1 alpha-2 code' },
        { field: 'name', message: 'must have at most 200 characters' },
      ],
    });
  });

  it("can't be deleted while a selectable price or a subscription that isn't canceled uses the market (CAT-30)", async () => {
    const market = await createMarket(shop);
    const marketPrices = [{ marketGroupId: market.id, currency: 'eur', price: 900 }];
    const plan = await createPricedPlan(shop, { marketPrices });
    const used = (message: string) => ({ code: 'market_in_use', status: 409, message, param: 'id' });
    expect(await rejection(t, remove, { id: market.id })).toEqual(
      used('A price has an amount for this market. Remove the amount first.'),
    );
    await shop.rest('PATCH', `/plans/${plan.id}/prices/${plan.priceId}`, { marketPrices: [] });
    await createPrice(shop, plan.id, { billingInterval: 'yearly', marketPrices });
    const customer = await createCustomer(shop, market.countryCodes[0]);
    const { id } = await subscribeTo(shop, customer.id, plan.id);
    const yearly = (
      await shop.rest<{ prices: { id: string; billingInterval: string }[] }>('GET', `/plans/${plan.id}`)
    ).body.prices[1];
    expect((await shop.rest('DELETE', `/plans/${plan.id}/prices/${yearly?.id}`)).status).toBe(200);
    expect(await rejection(t, remove, { id: market.id })).toEqual(
      used("Some subscriptions are billed at this market's prices. Change their plans or cancel them first."),
    );
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(await t.graphql(remove, { id: market.id })).toEqual({
      marketDelete: { id: market.id, deleted: true, object: 'market', livemode: false },
    });
  });

  it('either deletes a market or sets a price for it if both are requested concurrently', async () => {
    const market = await createMarket(shop);
    const plan = await createPricedPlan(shop);
    const marketPrices = [{ marketGroupId: market.id, currency: 'eur', price: 900 }];
    const [priced, deleted, again] = await Promise.all([
      shop.rest('PATCH', `/plans/${plan.id}/prices/${plan.priceId}`, { marketPrices }),
      shop.rest('DELETE', `/markets/${market.id}`),
      shop.rest('DELETE', `/markets/${market.id}`),
    ]);
    const statuses = [priced.status, ...[deleted.status, again.status].toSorted()];
    expect([
      [200, 409, 409],
      [404, 200, 404],
    ]).toContainEqual(statuses);
  });

  it('lists markets from newest to oldest, up to 1,000 by default', async () => {
    const key = (await t.otherTenant()).sandboxKey;
    for (const [index, country] of countryCodes.slice(0, 30).entries())
      await make(`M${index}`, [country], {}, key);
    type Listed = { markets: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean } } };
    const { markets } = await t.graphql<Listed>(list, {}, { key });
    expect(markets.edges.map(({ node }) => node.name)).toEqual(
      Array.from({ length: 30 }, (_none, index) => `M${29 - index}`),
    );
    expect((await t.graphql<Listed>(list, { first: 4 }, { key })).markets).toMatchObject({
      edges: [29, 28, 27, 26].map((index) => ({ node: { name: `M${index}` } })),
      pageInfo: { hasNextPage: true },
    });
  });
});
