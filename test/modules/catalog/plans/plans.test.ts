import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = `id name code description consumptionModel isPublic isDefault isFree blockOnExhaustion sortOrder planGroupId metadata createdAt updatedAt
  features { code name type unitName enabled includedAmount unlimited overage { enabled model unitPrice } regionalPrices { currency } }
  prices { id billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
    marketPrices { marketGroupId } regionalPrices { currency } }
  exchangeRates { currency } object livemode`;
const create = `mutation ($input: PlanCreateInput!) { planCreate(input: $input) { ${fields} } }`;
const update = `mutation ($input: PlanUpdateInput!) { planUpdate(input: $input) { ${fields} } }`;
const setVisibility = `mutation ($input: PlanVisibilitySetInput!) { planVisibilitySet(input: $input) { ${fields} } }`;
const remove =
  'mutation ($id: ID!) { planDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';
const get = `query ($id: ID!) { plan(id: $id) { ${fields} } }`;
const addPrice = 'mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { id } }';
const addFeature = 'mutation ($input: PlanFeatureAddInput!) { planFeatureAdd(input: $input) { featureId } }';
const createFeature = 'mutation ($input: FeatureCreateInput!) { featureCreate(input: $input) { id } }';

type Plan = { id: string; code: string; features: unknown[]; prices: { id: string }[] };

const now = new Date('2026-03-01T08:00:00.000Z');

describe('the plan API', () => {
  let t: TestApp;
  const make = async (code: string, more: Record<string, unknown> = {}, key?: string): Promise<Plan> =>
    (
      await t.graphql<{ planCreate: Plan }>(
        create,
        { input: { code, name: `Plan ${code}`, ...more } },
        key === undefined ? {} : { key },
      )
    ).planCreate;
  const feature = async (input: Record<string, unknown>, key?: string): Promise<string> =>
    (
      await t.graphql<{ featureCreate: { id: string } }>(
        createFeature,
        { input },
        key === undefined ? {} : { key },
      )
    ).featureCreate.id;

  beforeAll(async () => {
    t = await startApp({ wall: fixedClock(now) });
  });
  afterAll(() => t.close());

  const bare = {
    id: expect.stringMatching(/^pln_[0-9A-Za-z]{22}$/),
    name: 'Plan bare',
    code: 'bare',
    description: null,
    consumptionModel: 'metered',
    isPublic: true,
    isDefault: false,
    isFree: false,
    blockOnExhaustion: false,
    sortOrder: 0,
    planGroupId: null,
    metadata: {},
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    features: [],
    prices: [],
    exchangeRates: [],
    object: 'plan',
    livemode: false,
  };

  it('creates a plan with default values, and finds the plan by ID and by code', async () => {
    const made = await make('bare');
    expect(made).toEqual(bare);
    expect(await t.graphql(get, { id: made.id })).toEqual({ plan: made });
    expect(await t.graphql(get, { id: 'bare' })).toEqual({ plan: made });
  });

  it('stores every provided value', async () => {
    const said = {
      description: 'For teams',
      consumptionModel: 'balance',
      isPublic: false,
      isFree: true,
      blockOnExhaustion: true,
      metadata: { tier: 2, tags: ['a'] },
    };
    expect(await make('said', said)).toEqual({ ...bare, code: 'said', name: 'Plan said', ...said });
  });

  it("rejects a plan group that doesn't exist", async () => {
    expect(
      await rejection(t, create, { input: { code: 'grouped', name: 'x', planGroupId: 'plg_none' } }),
    ).toMatchObject({
      code: 'plan_group_not_found',
      status: 404,
      param: 'planGroupId',
    });
  });

  it('changes only the provided text fields, metadata, and visibility', async () => {
    const made = await make('changing', { description: 'old', metadata: { a: 1 } });
    const change = async (input: Record<string, unknown>) =>
      (await t.graphql<{ planUpdate: Plan }>(update, { input: { id: 'changing', ...input } })).planUpdate;
    expect(await change({})).toEqual(made);
    expect(await change({ isPublic: false })).toEqual({ ...made, isPublic: false });
    expect(await change({ name: 'New', description: null, metadata: { b: 2 } })).toEqual({
      ...made,
      name: 'New',
      description: null,
      metadata: { b: 2 },
      isPublic: false,
    });
    expect(await rejection(t, update, { input: { id: 'nowhere', name: 'x' } })).toMatchObject({
      code: 'plan_not_found',
      status: 404,
      param: 'id',
    });
    await expect(change({ isPublic: null, name: null })).rejects.toThrow('must not be null');
    expect(await change({})).toMatchObject({ name: 'New', isPublic: false });
  });

  it('changes only the visibility to hide or show a plan', async () => {
    const made = await make('shown');
    const set = async (id: string, isPublic: boolean) =>
      (await t.graphql<{ planVisibilitySet: Plan }>(setVisibility, { input: { id, isPublic } }))
        .planVisibilitySet;
    expect(await set('shown', false)).toEqual({ ...made, isPublic: false });
    expect(await set(made.id, false)).toEqual({ ...made, isPublic: false });
    expect(await set(made.id, true)).toEqual(made);
    expect(await rejection(t, setVisibility, { input: { id: 'nowhere', isPublic: true } })).toEqual({
      code: 'plan_not_found',
      status: 404,
      message: "The plan doesn't exist or can't be selected.",
      param: 'id',
    });
  });

  it('soft-deletes a plan and no longer finds it', async () => {
    const { id } = await make('leaving');
    expect(await t.graphql(remove, { id: 'leaving' })).toEqual({
      planDelete: { id, deleted: true, object: 'plan', livemode: false },
    });
    for (const reference of [id, 'leaving']) {
      expect(await rejection(t, get, { id: reference })).toEqual({
        code: 'plan_not_found',
        status: 404,
        message: "The plan doesn't exist or can't be selected.",
        param: 'id',
      });
      expect(await rejection(t, remove, { id: reference })).toMatchObject({ code: 'plan_not_found' });
      expect(
        await rejection(t, addPrice, { input: { planId: reference, billingInterval: 'monthly', price: 1 } }),
      ).toMatchObject({
        code: 'plan_not_found',
      });
    }
    expect(await t.app.database.query('SELECT "deletedAt" FROM "Plan" WHERE id = $1', [id])).toEqual([
      { deletedAt: now },
    ]);
  });

  it('returns features in the order in which they were added, and only selectable prices', async () => {
    const sso = await feature({ code: 'sso', name: 'SSO', type: 'boolean' });
    const exports = await feature({ code: 'exports', name: 'Exports', type: 'usage', unitName: 'export' });
    await make('full');
    await t.graphql(addFeature, { input: { planId: 'full', featureId: sso } });
    await t.graphql(addFeature, {
      input: {
        planId: 'full',
        featureId: exports,
        includedAmount: 100,
        overage: { enabled: true, unitPrice: 180 },
      },
    });
    const { planPriceAdd: monthly } = await t.graphql<{ planPriceAdd: { id: string } }>(addPrice, {
      input: {
        planId: 'full',
        billingInterval: 'monthly',
        price: 6150,
        trialDays: 14,
        includedBalance: 250_000,
        includedCredits: 40,
        metadata: { name: 'M' },
      },
    });
    const { planPriceAdd: yearly } = await t.graphql<{ planPriceAdd: { id: string } }>(addPrice, {
      input: { planId: 'full', billingInterval: 'yearly', price: 60_000 },
    });
    await t.graphql(
      'mutation ($priceId: ID!) { planPriceArchive(input: { planId: "full", priceId: $priceId }) { deletedId } }',
      {
        priceId: yearly.id,
      },
    );
    expect((await t.graphql<{ plan: Plan }>(get, { id: 'full' })).plan).toMatchObject({
      features: [
        {
          code: 'sso',
          name: 'SSO',
          type: 'boolean',
          unitName: null,
          enabled: true,
          includedAmount: null,
          unlimited: false,
          overage: null,
          regionalPrices: [],
        },
        {
          code: 'exports',
          name: 'Exports',
          type: 'usage',
          unitName: 'export',
          enabled: true,
          includedAmount: 100,
          unlimited: false,
          overage: { enabled: true, model: 'per_unit', unitPrice: 180 },
          regionalPrices: [],
        },
      ],
      prices: [
        {
          id: monthly.id,
          billingInterval: 'monthly',
          price: 6150,
          isDefault: true,
          trialDays: 14,
          includedBalance: 250_000,
          includedCredits: 40,
          offerId: null,
          inheritsFromPriceId: null,
          metadata: { name: 'M' },
          marketPrices: [],
          regionalPrices: [],
        },
      ],
    });
  });

  it('lists plans from newest to oldest, and hidden plans only on request', async () => {
    const other = await t.otherTenant();
    const key = other.sandboxKey;
    const shared = await feature({ code: 'shared', name: 'Shared', type: 'boolean' }, key);
    for (let index = 0; index < 6; index++) {
      await make(`p${index}`, { isPublic: index !== 2 }, key);
      await t.graphql(addFeature, { input: { planId: `p${index}`, featureId: shared } }, { key });
      await t.graphql(
        addPrice,
        { input: { planId: `p${index}`, billingInterval: 'monthly', price: index } },
        { key },
      );
    }
    await t.graphql(remove, { id: 'p4' }, { key });
    const list = `query ($first: Int, $includePrivate: Boolean) { plans(first: $first, includePrivate: $includePrivate) {
      edges { node { code features { code } featureTerms { plan { code } feature { code } } prices { price plan { code } } } } } }`;
    type Listed = {
      plans: { edges: { node: { code: string; prices: { price: number; plan: { code: string } }[] } }[] };
    };
    const codes = async (variables: Record<string, unknown>) =>
      (await t.graphql<Listed>(list, variables, { key })).plans.edges.map(({ node }) => node.code);
    expect(await codes({})).toEqual(['p5', 'p3', 'p1', 'p0']);
    expect(await codes({ includePrivate: true })).toEqual(['p5', 'p3', 'p2', 'p1', 'p0']);
    const { plans } = await t.graphql<Listed>(list, { first: 1 }, { key });
    expect(plans.edges).toEqual([
      {
        node: {
          code: 'p5',
          features: [{ code: 'shared' }],
          featureTerms: [{ plan: { code: 'p5' }, feature: { code: 'shared' } }],
          prices: [{ price: 5, plan: { code: 'p5' } }],
        },
      },
    ]);
  });
});
