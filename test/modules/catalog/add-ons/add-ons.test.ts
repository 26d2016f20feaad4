import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  activateAddon,
  createActiveSubscription,
  createAddon,
  createFeature,
  firstShop,
  type MadeAddon,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { unitRate } from '../../../support/rates.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = `id name slug description basePrice featureCode featureName consumptionModel includedUnits overageRate creditCost
  createdAt updatedAt object livemode`;
const create = `mutation ($input: AddonCreateInput!) { addonCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: AddonUpdateInput!) { addonUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { addonDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const read = `query ($id: ID!) { addon(id: $id) { ${fields} feature { code type } } }`;
const list = `query ($first: Int, $after: String) {
  addons(first: $first, after: $after) { edges { node { name } } pageInfo { hasNextPage endCursor } } }`;

type Addon = { id: string; name: string; slug: string; [field: string]: unknown };
type Listed = {
  addons: { edges: { node: { name: string } }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

const morning = '2026-03-01T08:00:00.000Z';
const noon = '2026-03-01T12:00:00.000Z';

describe('the add-on API', () => {
  let t: TestApp;
  let shop: Shop;
  const wall = new MovableClock(morning);
  const feature = async (type = 'usage'): Promise<string> => (await createFeature(shop, type)).id;
  const input = async (more: Record<string, unknown> = {}): Promise<Record<string, unknown>> => ({
    name: shop.next('Add-on '),
    basePrice: 1_450,
    featureId: more['featureId'] ?? (await feature()),
    consumptionModel: 'boolean',
    ...more,
  });
  const make = async (more: Record<string, unknown> = {}): Promise<Addon> =>
    (await t.graphql<{ addonCreate: Addon }>(create, { input: await input(more) })).addonCreate;
  const change = async (changes: Record<string, unknown>): Promise<Addon> =>
    (await t.graphql<{ addonUpdate: Addon }>(update, { input: changes })).addonUpdate;
  const versions = (addonId: string) =>
    t.app.database.query(
      'SELECT "validFrom", "basePriceMinor", "includedUnits", rate FROM "AddonVersion" WHERE "addonId" = $1 ORDER BY seq',
      [addonId],
    );
  /** Returns `made` for each successful attempt, or the error code and its `param`. */
  const outcomes = async (attempts: readonly Promise<unknown>[]): Promise<string[]> => {
    const ended = attempts.map((attempt) =>
      attempt.then(
        () => 'made',
        (error: Error) =>
          /"code":"(\w+)","param":"(\w+)"/.exec(error.message)?.slice(1).join(' ') ?? error.message,
      ),
    );
    return (await Promise.all(ended)).toSorted();
  };

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it('creates add-ons with the terms of their consumption model and a slug derived from the name (CAT-42)', async () => {
    const { id: featureId, code, name: featureName } = await createFeature(shop, 'usage');
    const made = await make({
      name: 'Extra Calls & More',
      featureId,
      consumptionModel: 'metered',
      includedUnits: 500,
      overageRate: 125,
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^adn_[0-9A-Za-z]{22}$/),
      name: 'Extra Calls & More',
      slug: 'extra-calls-more',
      description: '',
      basePrice: 1_450,
      featureCode: code,
      featureName,
      consumptionModel: 'metered',
      includedUnits: 500,
      overageRate: 125,
      creditCost: null,
      createdAt: morning,
      updatedAt: morning,
      object: 'addon',
      livemode: false,
    });
    const shown = { ...made, feature: { code, type: 'usage' } };
    expect(await t.graphql(read, { id: made.id })).toEqual({ addon: shown });
    expect(await t.graphql(read, { id: 'extra-calls-more' })).toEqual({ addon: shown });
    expect(await versions(made.id)).toEqual([
      {
        validFrom: new Date('0001-01-01T00:00:00.000Z'),
        basePriceMinor: 1_450n,
        includedUnits: 500n,
        rate: unitRate(125n),
      },
    ]);
    expect(await make({ consumptionModel: 'credits', creditCost: 3 })).toMatchObject({
      includedUnits: 0,
      overageRate: null,
      creditCost: 3,
    });
    expect(await make({ consumptionModel: 'balance', overageRate: 0 })).toMatchObject({
      includedUnits: 0,
      overageRate: 0,
      creditCost: null,
    });
    const most = Number.MAX_SAFE_INTEGER;
    const free = { basePrice: 0, consumptionModel: 'metered', includedUnits: most, overageRate: most };
    expect(await make(free)).toMatchObject({ basePrice: 0, includedUnits: most, overageRate: most });
  });

  it.each([
    ['Größer & schneller', 'größer-schneller'],
    ['  --Turbo!!  ', 'turbo'],
    ['ＦＵＬＬ width ①', 'full-width-1'],
    ['مقاعد إضافية', 'مقاعد-إضافية'],
    ['हिन्दी', 'हिन्दी'],
    [`${'n'.repeat(199)}🚀`, 'n'.repeat(199)],
  ])('converts the name %s to the slug %s', async (name, slug) => {
    const { id } = await make({ name });
    expect(await t.graphql(read, { id: slug })).toMatchObject({ addon: { id, name, slug } });
    const { body } = await t.rest('GET', `/addons/${encodeURIComponent(slug)}`);
    expect(body).toMatchObject({ id, slug });
  });

  it('uses the feature code as the slug if the name has no letters or digits', async () => {
    const { id: featureId, code } = await createFeature(shop);
    expect(await make({ name: '🚀', featureId })).toMatchObject({ name: '🚀', slug: code });
  });

  it.each([
    [
      'boolean',
      { includedUnits: 1, overageRate: 1, creditCost: 1 },
      ['includedUnits', 'overageRate', 'creditCost'],
    ],
    ['metered', { creditCost: 1 }, ['creditCost', 'includedUnits', 'overageRate']],
    ['metered', { includedUnits: 0 }, ['overageRate']],
    ['credits', { includedUnits: 0, overageRate: 0 }, ['includedUnits', 'overageRate', 'creditCost']],
    ['balance', { includedUnits: 5, creditCost: 5 }, ['includedUnits', 'creditCost', 'overageRate']],
  ])(
    'rejects a %s add-on with the terms %j and lists every invalid or missing term (CAT-42)',
    async (consumptionModel, terms, names) => {
      const rejected = await rejection(t, create, { input: await input({ consumptionModel, ...terms }) });
      expect(rejected).toMatchObject({ code: 'validation_error', status: 400, param: names[0] });
      expect((rejected.details as { field: string }[]).map(({ field }) => field)).toEqual(names);
    },
  );

  it.each([
    ['boolean', ['metered', 'credits', 'balance']],
    ['seats', ['credits', 'balance']],
    ['quota', ['credits', 'balance']],
  ])('rejects an add-on for a %s feature with any of the consumption models %j', async (type, models) => {
    const terms: Record<string, object> = {
      metered: { includedUnits: 1, overageRate: 1 },
      credits: { creditCost: 1 },
      balance: { overageRate: 1 },
    };
    const featureId = await feature(type);
    for (const consumptionModel of models) {
      expect(
        await rejection(t, create, {
          input: await input({ featureId, consumptionModel, ...terms[consumptionModel] }),
        }),
      ).toMatchObject({
        code: 'validation_error',
        message: `An add-on for a ${type} feature can't have the consumption model ${consumptionModel}.`,
        param: 'consumptionModel',
      });
    }
    expect(await make({ featureId })).toMatchObject({ consumptionModel: 'boolean' });
  });

  it('reports several invalid values in one response', async () => {
    const strange = {
      name: '',
      basePrice: -1,
      featureId: 'ftr_none',
      consumptionModel: 'credits',
      creditCost: 0,
    };
    expect(await rejection(t, create, { input: strange })).toMatchObject({
      code: 'validation_error',
      details: [
        { field: 'basePrice', message: 'must be at least 0' },
        { field: 'creditCost', message: 'must be at least 1' },
        { field: 'name', message: 'must have at least 1 character' },
      ],
    });
    const { status, body } = await t.rest('POST', '/addons', {
      ...(await input()),
      basePrice: 99.5,
      overageRate: 2 ** 53,
    });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'validation_error' } } });
    expect((body['error'] as { details: { field: string }[] }).details.map(({ field }) => field)).toEqual([
      'basePrice',
      'overageRate',
    ]);
    expect(
      await rejection(t, create, { input: { ...strange, name: 'None', basePrice: 0, creditCost: 1 } }),
    ).toEqual({
      code: 'feature_not_found',
      status: 404,
      message: "The feature doesn't exist in this environment.",
      param: 'featureId',
    });
  });

  it('allows one add-on per feature and per slug, until the add-on is deleted', async () => {
    const first = await make({ name: 'Only one' });
    const { id: featureId } = await createFeature(shop);
    const second = await make({ name: 'Another', featureId });
    expect(await rejection(t, create, { input: await input({ featureId, name: 'Third' }) })).toEqual({
      code: 'feature_already_exists',
      status: 409,
      message: 'This feature already has an add-on. Update the existing add-on instead.',
      param: 'featureId',
    });
    expect(await rejection(t, create, { input: await input({ name: 'only  ONE!' }) })).toEqual({
      code: 'duplicate',
      status: 409,
      message: 'The slug only-one, derived from the name, belongs to another add-on. Choose another name.',
      param: 'name',
    });
    expect(await change({ id: second.id, name: 'Only one' })).toMatchObject({
      name: 'Only one',
      slug: 'another',
    });
    await t.graphql(remove, { id: first.slug });
    expect(await make({ name: 'Only one' })).toMatchObject({ slug: 'only-one' });
    await t.graphql(remove, { id: second.id });
    expect(await make({ featureId })).toMatchObject({ consumptionModel: 'boolean' });
  });

  it('either creates the add-on or deletes its feature if both are requested concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const { id: featureId, code } = await createFeature(shop);
      const rival = await input({ featureId });
      const gone = 'mutation ($code: String!) { featureDelete(input: { code: $code }) { deletedId } }';
      expect([
        ['feature_in_use code', 'made'],
        ['feature_not_found featureId', 'made'],
      ]).toContainEqual(await outcomes([t.graphql(create, { input: rival }), t.graphql(gone, { code })]));
    }
  });

  it('changes only the provided values, adds a version for changed amounts, and keeps updatedAt if nothing changes (CAT-43)', async () => {
    const made = await make({
      name: 'Changing',
      consumptionModel: 'metered',
      includedUnits: 10,
      overageRate: 200,
    });
    wall.set(noon);
    const changed = { ...made, description: 'After.', basePrice: 900, includedUnits: 0, updatedAt: noon };
    expect(await change({ id: 'changing', description: 'After.', basePrice: 900, includedUnits: 0 })).toEqual(
      changed,
    );
    wall.set('2026-03-02T00:00:00.000Z');
    expect(await change({ id: made.id, basePrice: 900, overageRate: 200 })).toEqual(changed);
    expect(await change({ id: made.id })).toEqual(changed);
    const renamed = { ...changed, name: 'Renamed', description: '', updatedAt: '2026-03-02T00:00:00.000Z' };
    expect(await change({ id: made.id, name: 'Renamed', description: '' })).toEqual(renamed);
    expect(await versions(made.id)).toEqual([
      {
        validFrom: new Date('0001-01-01T00:00:00.000Z'),
        basePriceMinor: 1_450n,
        includedUnits: 10n,
        rate: unitRate(200n),
      },
      { validFrom: new Date(noon), basePriceMinor: 900n, includedUnits: 0n, rate: unitRate(200n) },
    ]);
    expect(
      await rejection(t, update, { input: { id: (await make()).id, includedUnits: 5, overageRate: 5 } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'includedUnits',
      details: [{ field: 'includedUnits' }, { field: 'overageRate' }],
    });
    wall.set(noon);
  });

  it('has a rate that replaces the price per unit, and is shown only if it is more than a price per unit (CAT-42)', async () => {
    const { id } = await make({ consumptionModel: 'metered', includedUnits: 1, overageRate: 200 });
    const path = `/addons/${id}`;
    expect((await shop.rest<object>('GET', path)).body).not.toHaveProperty('rate');
    const rate = {
      model: 'volume',
      per: 1,
      tiers: [
        { upTo: '100', amount: '0.05', flat: '0' },
        { upTo: null, amount: '0.0375', flat: '1.50' },
      ],
    };
    const set = await shop.rest('PUT', `${path}/rate`, { rate });
    expect(set).toMatchObject({ status: 200, body: { overageRate: 500, creditCost: null, rate } });
    expect((await shop.rest('GET', path)).body).toMatchObject({ overageRate: 500, rate });
    expect(await versions(id)).toMatchObject([{ rate: unitRate(200n) }, { rate }]);
    // A price per unit replaces the rate.
    const plain = await shop.rest<object>('PATCH', path, { overageRate: 300 });
    expect(plain.body).toMatchObject({ overageRate: 300 });
    expect(plain.body).not.toHaveProperty('rate');
    await shop.rest('PUT', `${path}/rate`, { rate: { amount: '0.03' } });
    expect(await versions(id)).toHaveLength(3);
    const cleared = await shop.rest('DELETE', `${path}/rate`);
    expect(cleared).toMatchObject({
      status: 200,
      body: { overageRate: 0, rate: { tiers: [{ amount: '0.0000' }] } },
    });
  });

  it('has a rate in credits, whose first unit is shown as whole credits (CAT-42)', async () => {
    const { id } = await make({ consumptionModel: 'credits', creditCost: 3 });
    const rate = { model: 'per_unit', per: 1_000, tiers: [{ upTo: null, amount: '1', flat: '0' }] };
    const set = await shop.rest('PUT', `/addons/${id}/rate`, { rate });
    expect(set).toMatchObject({ status: 200, body: { overageRate: null, creditCost: 1, rate } });
  });

  it.each([
    ['a boolean add-on', { consumptionModel: 'boolean' }, { amount: '1' }, 'rate'],
    [
      'credits if the price can fall',
      { consumptionModel: 'credits', creditCost: 3 },
      { model: 'volume', amount: '1' },
      'rate.model',
    ],
    [
      'a balance if the price can fall',
      { consumptionModel: 'balance', overageRate: 3 },
      { model: 'stairs', tiers: [{ upTo: null, flat: '1' }] },
      'rate.model',
    ],
    [
      'fractions of units',
      { consumptionModel: 'balance', overageRate: 3 },
      { model: 'graduated', tiers: [{ upTo: '0.5', amount: '1' }, { upTo: null }] },
      'rate.tiers.0.upTo',
    ],
    ['no rate of credits', { consumptionModel: 'credits', creditCost: 3 }, null, 'rate'],
  ])('rejects a rate for %s and changes nothing', async (_what, terms, rate, param) => {
    const { id } = await make(terms);
    const before = await t.graphql(read, { id });
    const answer = await (rate === null
      ? shop.rest('DELETE', `/addons/${id}/rate`)
      : shop.rest('PUT', `/addons/${id}/rate`, { rate }));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', param, details: { reason: 'bad_rate' } } },
    });
    expect(await t.graphql(read, { id })).toEqual(before);
    expect(await versions(id)).toHaveLength(1);
  });

  it('soft-deletes an add-on, and rejects the deletion while a subscription has the add-on (CAT-43)', async () => {
    const { id, slug } = await make({ name: 'Held' });
    const subscription = await createActiveSubscription(shop);
    await activateAddon(shop, subscription.id, id);
    expect(await rejection(t, remove, { id: slug })).toEqual({
      code: 'addon_has_activations',
      status: 409,
      message: 'A subscription still has this add-on. Deactivate the add-on for that subscription first.',
      param: 'id',
    });
    const ctx = await t.context();
    await ctx.db.addonActivation.update({
      where: { addonId: id },
      data: { status: 'inactive', deactivatedAt: new Date(noon) },
    });
    expect(await t.graphql(remove, { id: slug })).toEqual({
      addonDelete: { id, deleted: true, object: 'addon', livemode: false },
    });
    const missing = {
      code: 'addon_not_found',
      status: 404,
      message: "The add-on doesn't exist in this environment.",
      param: 'id',
    };
    for (const reference of [id, slug]) {
      expect(await rejection(t, read, { id: reference })).toEqual(missing);
      expect(await rejection(t, update, { input: { id: reference, name: 'Back' } })).toEqual(missing);
      expect(await rejection(t, remove, { id: reference })).toEqual(missing);
    }
    const rows = await t.app.database.query('SELECT name, "deletedAt" FROM "Addon" WHERE id = $1', [id]);
    expect(rows).toEqual([{ name: 'Held', deletedAt: new Date(noon) }]);
  });

  it('lists add-ons newest first, 25 by default', async () => {
    const own = await otherShop(t);
    const made: MadeAddon[] = [];
    for (let index = 0; index < 27; index++) made.push(await createAddon(own));
    await t.graphql(remove, { id: made[26]?.id }, { key: own.key });
    const expected = made.slice(0, 26).map(({ name }) => name);
    const names = async (page: Record<string, unknown>) => {
      const { edges, pageInfo } = (await t.graphql<Listed>(list, page, { key: own.key })).addons;
      return { names: edges.map(({ node }) => node.name), ...pageInfo };
    };
    const first = await names({});
    expect(first).toMatchObject({ names: expected.toReversed().slice(0, 25), hasNextPage: true });
    expect((await names({ first: 1, after: first.endCursor })).names).toEqual([expected[0]]);
  });
});
