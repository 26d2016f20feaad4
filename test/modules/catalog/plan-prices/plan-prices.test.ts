import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Clock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const fields = `id planId billingInterval price isDefault trialDays includedBalance includedCredits offerId inheritsFromPriceId metadata
  marketPrices { marketGroupId currency price } createdAt updatedAt archivedAt object livemode`;
const add = `mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { ${fields} } }`;
const update = `mutation ($input: PlanPriceUpdateInput!) { planPriceUpdate(input: $input) { ${fields} } }`;
const archive =
  'mutation ($planId: ID!, $priceId: ID!) { planPriceArchive(input: { planId: $planId, priceId: $priceId }) { id: deletedId deleted object livemode } }';
const setDefault = `mutation ($planId: ID!, $priceId: ID!) { planPriceDefaultSet(input: { planId: $planId, priceId: $priceId }) { ${fields} } }`;

type Price = { id: string; billingInterval: string; isDefault: boolean };

const time = { now: new Date('2026-03-01T00:00:00.000Z') };
const wall: Clock = { now: () => time.now };

describe('the plan price API', () => {
  let t: TestApp;
  let count = 0;
  const plan = async (more: Record<string, unknown> = {}): Promise<string> => {
    const operation = 'mutation ($input: PlanCreateInput!) { planCreate(input: $input) { id } }';
    const input = { code: `plan_${++count}`, name: 'Plan', ...more };
    return (await t.graphql<{ planCreate: { id: string } }>(operation, { input })).planCreate.id;
  };
  const price = async (
    id: string,
    billingInterval: string,
    more: Record<string, unknown> = {},
  ): Promise<Price> =>
    (
      await t.graphql<{ planPriceAdd: Price }>(add, {
        input: { planId: id, billingInterval, price: 1_000, ...more },
      })
    ).planPriceAdd;
  const change = async (id: string, priceId: string, more: Record<string, unknown>): Promise<Price> =>
    (await t.graphql<{ planPriceUpdate: Price }>(update, { input: { planId: id, priceId, ...more } }))
      .planPriceUpdate;
  const defaults = (planId: string): Promise<{ id: string }[]> =>
    t.app.database.query<{ id: string }>('SELECT id FROM "PlanPrice" WHERE "planId" = $1 AND "isDefault"', [
      planId,
    ]);
  const versions = (priceId: string) =>
    t.app.database.query(
      `SELECT "validFrom", "priceMinor", "trialDays", "includedBalanceRate", "includedCredits" FROM "PlanPriceVersion" WHERE "priceId" = $1 ORDER BY seq`,
      [priceId],
    );

  beforeAll(async () => {
    t = await startApp({ wall });
  });
  afterAll(() => t.close());

  it.each([
    [0, []],
    [1, ['below_minimum']],
    [49, ['below_minimum']],
    [50, []],
  ])('warns about a price of %i cents: %j (BIL-35)', async (amount, warnings) => {
    const id = await plan();
    const { planPriceAdd } = await t.graphql<{ planPriceAdd: { warnings: string[] } }>(
      'mutation ($input: PlanPriceAddInput!) { planPriceAdd(input: $input) { warnings } }',
      { input: { planId: id, billingInterval: 'monthly', price: amount } },
    );
    expect(planPriceAdd.warnings).toEqual(warnings);
  });

  it('accepts every interval, makes the first price the default, and adds a version that is valid from the year 1', async () => {
    const id = await plan();
    const made = await price(id, 'monthly');
    expect(made).toEqual({
      id: expect.stringMatching(/^pp_[0-9A-Za-z]{22}$/),
      planId: id,
      billingInterval: 'monthly',
      price: 1_000,
      isDefault: true,
      trialDays: 0,
      includedBalance: null,
      includedCredits: null,
      offerId: null,
      inheritsFromPriceId: null,
      metadata: {},
      marketPrices: [],
      createdAt: '2026-03-01T00:00:00.000Z',
      updatedAt: '2026-03-01T00:00:00.000Z',
      archivedAt: null,
      object: 'plan_price',
      livemode: false,
    });
    for (const interval of ['weekly', 'quarterly', 'yearly', 'one_time'])
      expect(await price(id, interval)).toMatchObject({ billingInterval: interval, isDefault: false });
    expect(await defaults(id)).toEqual([{ id: made.id }]);
    expect(await versions(made.id)).toEqual([
      {
        validFrom: new Date('0001-01-01T00:00:00.000Z'),
        priceMinor: 1_000n,
        trialDays: 0,
        includedBalanceRate: null,
        includedCredits: null,
      },
    ]);
  });

  it('accepts amounts from 0 to the maximum (GLO-14a)', async () => {
    const id = await plan();
    expect(await price(id, 'monthly', { price: 0 })).toMatchObject({ price: 0 });
    const most = 900_000_000_000_000;
    expect(await price(id, 'yearly', { price: most })).toMatchObject({ price: most });
    expect(
      await rejection(t, add, { input: { planId: id, billingInterval: 'weekly', price: most + 1 } }),
    ).toMatchObject({ code: 'validation_error', param: 'price' });
    expect(
      await rejection(t, add, {
        input: {
          planId: id,
          billingInterval: 'weekly',
          price: -1,
          trialDays: -1,
          includedBalance: -1,
          includedCredits: -1,
        },
      }),
    ).toMatchObject({
      code: 'validation_error',
      details: ['includedBalance', 'includedCredits', 'price', 'trialDays'].map((field) => ({
        field,
        message: 'must be at least 0',
      })),
    });
  });

  it('allows one base price per interval, even for concurrent requests (CAT-14)', async () => {
    const id = await plan();
    const attempt = () =>
      price(id, 'monthly').then(
        () => 'added',
        (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
      );
    expect((await Promise.all([attempt(), attempt(), attempt()])).toSorted()).toEqual([
      'added',
      'duplicate',
      'duplicate',
    ]);
    expect(await rejection(t, add, { input: { planId: id, billingInterval: 'monthly', price: 5 } })).toEqual({
      code: 'duplicate',
      status: 409,
      message:
        'The plan already has a base price for this billing interval. Update that price, or archive it first.',
      param: 'billingInterval',
    });
  });

  it('keeps exactly one default price after every type of change (CAT-17)', async () => {
    const id = await plan();
    const monthly = await price(id, 'monthly');
    const yearly = await price(id, 'yearly', { isDefault: true });
    expect(await defaults(id)).toEqual([{ id: yearly.id }]);
    const { planPriceDefaultSet } = await t.graphql<{ planPriceDefaultSet: Price }>(setDefault, {
      planId: id,
      priceId: monthly.id,
    });
    expect(planPriceDefaultSet).toEqual({ ...monthly, isDefault: true });
    expect(await defaults(id)).toEqual([{ id: monthly.id }]);
    expect(await change(id, yearly.id, { isDefault: true })).toMatchObject({
      id: yearly.id,
      isDefault: true,
    });
    expect(await defaults(id)).toEqual([{ id: yearly.id }]);
    expect(
      await rejection(t, update, { input: { planId: id, priceId: yearly.id, isDefault: false } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'isDefault',
    });
    expect(await change(id, monthly.id, { isDefault: false })).toMatchObject({ isDefault: false });
  });

  it('keeps one default price after concurrent changes to the default', async () => {
    const id = await plan();
    const all = [];
    for (const interval of ['weekly', 'monthly', 'quarterly', 'yearly']) all.push(await price(id, interval));
    await Promise.all(all.map(({ id: priceId }) => t.graphql(setDefault, { planId: id, priceId })));
    expect(await defaults(id)).toHaveLength(1);
    const racing = await plan();
    await Promise.all(
      ['weekly', 'monthly', 'yearly'].map((interval) => price(racing, interval, { isDefault: true })),
    );
    expect(await defaults(racing)).toHaveLength(1);
  });

  it('rejects more than 50 metadata keys after a merge, and leaves the price unchanged (PLT-20b)', async () => {
    const id = await plan();
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${from + index}`, index]));
    const made = await price(id, 'monthly', { metadata: keys(0, 30) });
    expect(await change(id, made.id, { metadata: keys(20, 30) })).toMatchObject({ metadata: keys(20, 30) });
    const refused = await rejection(t, update, {
      input: { planId: id, priceId: made.id, price: 2_000, metadata: { another: true } },
    });
    expect(refused).toMatchObject({ code: 'validation_error', param: 'metadata' });
    const [stored] = await t.app.database.query<{ keys: number; price: bigint }>(
      `SELECT (SELECT count(*)::int FROM jsonb_object_keys(metadata::jsonb)) AS keys, "priceMinor" AS price FROM "PlanPrice" WHERE id = $1`,
      [made.id],
    );
    expect(stored).toEqual({ keys: 50, price: 1_000n });
  });

  it('adds a version for every change to an amount, and no version for other changes (CAT-52)', async () => {
    const id = await plan();
    const made = await price(id, 'monthly', {
      trialDays: 7,
      metadata: { name: 'M', color: 'red' },
      includedCredits: 100,
    });
    time.now = new Date('2026-03-10T00:00:00.000Z');
    expect(await change(id, made.id, { metadata: { color: 'blue', rank: 1 } })).toMatchObject({
      metadata: { name: 'M', color: 'blue', rank: 1 },
    });
    expect(await versions(made.id)).toHaveLength(1);
    expect(await change(id, made.id, { price: 1_200, includedBalance: 500_000 })).toMatchObject({
      price: 1_200,
      trialDays: 7,
      includedBalance: 500_000,
      includedCredits: 100,
    });
    time.now = new Date('2026-03-20T00:00:00.000Z');
    expect(await change(id, made.id, { trialDays: 0, includedBalance: null })).toMatchObject({
      price: 1_200,
      trialDays: 0,
      includedBalance: null,
      updatedAt: '2026-03-20T00:00:00.000Z',
    });
    expect(await versions(made.id)).toEqual([
      {
        validFrom: new Date('0001-01-01T00:00:00.000Z'),
        priceMinor: 1_000n,
        trialDays: 7,
        includedBalanceRate: null,
        includedCredits: 100n,
      },
      {
        validFrom: new Date('2026-03-10T00:00:00.000Z'),
        priceMinor: 1_200n,
        trialDays: 7,
        includedBalanceRate: 500_000n,
        includedCredits: 100n,
      },
      {
        validFrom: new Date('2026-03-20T00:00:00.000Z'),
        priceMinor: 1_200n,
        trialDays: 0,
        includedBalanceRate: null,
        includedCredits: 100n,
      },
    ]);
  });

  it('archives a price, which can no longer be selected but can still be changed (CAT-20)', async () => {
    const id = await plan();
    const monthly = await price(id, 'monthly');
    const yearly = await price(id, 'yearly');
    expect(await rejection(t, archive, { planId: id, priceId: monthly.id })).toEqual({
      code: 'price_in_use',
      status: 409,
      message: 'This is the default price of the plan. Make another price the default first.',
      param: 'priceId',
    });
    expect(await t.graphql(archive, { planId: id, priceId: yearly.id })).toEqual({
      planPriceArchive: { id: yearly.id, deleted: true, object: 'plan_price', livemode: false },
    });
    expect(await rejection(t, archive, { planId: id, priceId: yearly.id })).toMatchObject({
      code: 'price_not_found',
      status: 404,
    });
    expect(await rejection(t, setDefault, { planId: id, priceId: yearly.id })).toMatchObject({
      code: 'price_not_found',
    });
    expect(
      await rejection(t, update, { input: { planId: id, priceId: yearly.id, isDefault: true } }),
    ).toMatchObject({
      code: 'price_not_found',
    });
    expect(await change(id, yearly.id, { price: 2_500 })).toMatchObject({
      price: 2_500,
      archivedAt: time.now.toISOString(),
    });
    expect(await versions(yearly.id)).toHaveLength(2);
    expect(await price(id, 'yearly')).toMatchObject({ isDefault: false });
  });

  it('makes the next added price the default after the last price is archived', async () => {
    const id = await plan();
    const only = await price(id, 'monthly');
    await t.graphql(archive, { planId: id, priceId: only.id });
    expect(await defaults(id)).toEqual([]);
    const next = await price(id, 'weekly');
    expect(next.isDefault).toBe(true);
    expect(await defaults(id)).toEqual([{ id: next.id }]);
  });

  it('rejects prices for a free plan (CAT-8)', async () => {
    const id = await plan({ isFree: true });
    expect(
      await rejection(t, add, { input: { planId: id, billingInterval: 'monthly', price: 0 } }),
    ).toMatchObject({
      code: 'validation_error',
      status: 400,
      message: "A free plan can't have prices. Choose a plan that isn't free.",
    });
  });

  it('returns a specific error code for each missing object', async () => {
    const id = await plan();
    const elsewhere = await price(await plan(), 'monthly');
    for (const priceId of ['pp_none', elsewhere.id]) {
      const missing = { code: 'price_not_found', status: 404, param: 'priceId' };
      expect(await rejection(t, update, { input: { planId: id, priceId, price: 1 } })).toMatchObject(missing);
      expect(await rejection(t, archive, { planId: id, priceId })).toMatchObject(missing);
      expect(await rejection(t, setDefault, { planId: id, priceId })).toMatchObject(missing);
    }
    const noPlan = { code: 'plan_not_found', status: 404, param: 'planId' };
    expect(
      await rejection(t, add, { input: { planId: 'nowhere', billingInterval: 'monthly', price: 1 } }),
    ).toMatchObject(noPlan);
    expect(await rejection(t, update, { input: { planId: 'nowhere', priceId: elsewhere.id } })).toMatchObject(
      noPlan,
    );
    expect(await rejection(t, archive, { planId: 'nowhere', priceId: elsewhere.id })).toMatchObject(noPlan);
    expect(await rejection(t, setDefault, { planId: 'nowhere', priceId: elsewhere.id })).toMatchObject(
      noPlan,
    );
    expect(await rejection(t, add, { input: { planId: id, billingInterval: 'monthly' } })).toMatchObject({
      code: 'validation_error',
      param: 'price',
    });
  });

  it('rejects an unknown market, and a price variant without a market amount (CAT-16)', async () => {
    const id = await plan();
    const base = await price(id, 'monthly');
    const marketPrices = [{ marketGroupId: 'pmg_none', currency: 'eur', price: 5_800 }];
    const unknown = { code: 'market_not_found', status: 404, param: 'marketPrices.0.marketGroupId' };
    expect(
      await rejection(t, add, { input: { planId: id, billingInterval: 'yearly', price: 1, marketPrices } }),
    ).toMatchObject(unknown);
    expect(
      await rejection(t, update, { input: { planId: id, priceId: base.id, marketPrices } }),
    ).toMatchObject(unknown);
    expect(await change(id, base.id, { marketPrices: [] })).toEqual(base);
    const variant = { planId: id, billingInterval: 'monthly', inheritsFromPriceId: base.id };
    expect(await rejection(t, add, { input: { ...variant, marketPrices } })).toMatchObject(unknown);
    expect(
      await rejection(t, add, { input: { ...variant, inheritsFromPriceId: 'pp_none', marketPrices } }),
    ).toMatchObject({
      code: 'price_not_found',
      status: 404,
      param: 'inheritsFromPriceId',
    });
    expect(
      await rejection(t, add, { input: { ...variant, billingInterval: 'yearly', marketPrices } }),
    ).toMatchObject({
      code: 'validation_error',
      param: 'billingInterval',
    });
    expect(
      await rejection(t, add, {
        input: { ...variant, price: 1, trialDays: 1, isDefault: false, marketPrices: [] },
      }),
    ).toMatchObject({
      code: 'validation_error',
      details: [
        {
          field: 'price',
          message: "price can't be set on a variant because it is inherited from the base price.",
        },
        {
          field: 'trialDays',
          message: "trialDays can't be set on a variant because it is inherited from the base price.",
        },
        {
          field: 'isDefault',
          message: "isDefault can't be set on a variant because it is inherited from the base price.",
        },
        { field: 'marketPrices', message: 'A variant needs at least one market price.' },
      ],
    });
  });
});
