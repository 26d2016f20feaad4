import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RateDocument } from '../../../../src/domain/rates/rate.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { unitRate } from '../../../support/rates.ts';
import { rejection } from '../../../support/refusals.ts';

const fields =
  'planId featureId enabled includedAmount unlimited overage { enabled unitPrice } creditsPerUnit pricingMode margin object livemode';
const add = `mutation ($input: PlanFeatureAddInput!) { planFeatureAdd(input: $input) { ${fields} } }`;
const update = `mutation ($input: PlanFeatureUpdateInput!) { planFeatureUpdate(input: $input) { ${fields} } }`;
const remove =
  'mutation ($planId: ID!, $featureId: ID!) { planFeatureRemove(input: { planId: $planId, featureId: $featureId }) { id: featureId removed object livemode } }';

type Version = {
  validFrom: Date;
  attached: boolean;
  includedAmount: bigint;
  overageEnabled: boolean;
  rate: RateDocument | null;
};

// Real time equals environment time because the sandbox's clock was never advanced.
const time = { now: new Date('2026-03-01T00:00:00.000Z') };
const wall: Clock = { now: () => time.now };

describe('the plan feature API', () => {
  let t: TestApp;
  let plans: Record<'metered' | 'credits' | 'balance' | 'free', string>;
  let features: Record<'boolean' | 'usage' | 'seats' | 'quota', string>;

  const plan = async (code: string, more: Record<string, unknown> = {}): Promise<string> => {
    const operation = 'mutation ($input: PlanCreateInput!) { planCreate(input: $input) { id } }';
    return (
      await t.graphql<{ planCreate: { id: string } }>(operation, { input: { code, name: code, ...more } })
    ).planCreate.id;
  };
  const feature = async (type: string, code = `the_${type}`): Promise<string> => {
    const operation = 'mutation ($input: FeatureCreateInput!) { featureCreate(input: $input) { id } }';
    return (
      await t.graphql<{ featureCreate: { id: string } }>(operation, { input: { code, name: code, type } })
    ).featureCreate.id;
  };
  const attach = async (input: Record<string, unknown>) =>
    (await t.graphql<{ planFeatureAdd: Record<string, unknown> }>(add, { input })).planFeatureAdd;
  const change = async (input: Record<string, unknown>) =>
    (await t.graphql<{ planFeatureUpdate: Record<string, unknown> }>(update, { input })).planFeatureUpdate;
  const versions = (planId: string, featureId: string): Promise<Version[]> =>
    t.app.database.query<Version>(
      `SELECT "validFrom", attached, "includedAmount", "overageEnabled", rate FROM "PlanFeatureVersion" WHERE "planId" = $1 AND "featureId" = $2 ORDER BY seq`,
      [planId, featureId],
    );

  beforeAll(async () => {
    t = await startApp({ wall });
    plans = {
      metered: await plan('metered'),
      credits: await plan('credits', { consumptionModel: 'credits' }),
      balance: await plan('balance', { consumptionModel: 'balance' }),
      free: await plan('free', { isFree: true }),
    };
    features = {
      boolean: await feature('boolean'),
      usage: await feature('usage'),
      seats: await feature('seats'),
      quota: await feature('quota'),
    };
  });
  afterAll(() => t.close());

  const neutral = {
    enabled: true,
    includedAmount: 0,
    unlimited: false,
    overage: { enabled: false, unitPrice: 0 },
    creditsPerUnit: null,
    pricingMode: 'fixed',
    margin: null,
    object: 'plan_feature',
    livemode: false,
  };

  it("attaches features with the terms for their type and the plan's consumption model (CAT-33)", async () => {
    const metered = { planId: plans.metered, featureId: features.usage };
    expect(
      await attach({
        ...metered,
        enabled: false,
        includedAmount: 3_500,
        unlimited: true,
        overage: { enabled: true, unitPrice: 180 },
      }),
    ).toEqual({
      ...neutral,
      planId: plans.metered,
      featureId: features.usage,
      enabled: false,
      includedAmount: 3_500,
      unlimited: true,
      overage: { enabled: true, unitPrice: 180 },
    });
    expect(await attach({ planId: plans.credits, featureId: features.usage, creditsPerUnit: 3 })).toEqual({
      ...neutral,
      planId: plans.credits,
      featureId: features.usage,
      creditsPerUnit: 3,
    });
    expect(
      await attach({
        planId: plans.balance,
        featureId: features.usage,
        pricingMode: 'ai_model',
        margin: 2_500,
      }),
    ).toEqual({
      ...neutral,
      planId: plans.balance,
      featureId: features.usage,
      pricingMode: 'ai_model',
      margin: 2_500,
    });
    expect(
      await attach({
        planId: plans.credits,
        featureId: features.seats,
        includedAmount: 5,
        overage: { enabled: true, unitPrice: 90_000 },
      }),
    ).toEqual({
      ...neutral,
      planId: plans.credits,
      featureId: features.seats,
      includedAmount: 5,
      overage: { enabled: true, unitPrice: 90_000 },
    });
    expect(
      await attach({
        planId: plans.metered,
        featureId: features.boolean,
        pricingMode: 'fixed',
        creditsPerUnit: null,
      }),
    ).toEqual({
      ...neutral,
      planId: plans.metered,
      featureId: features.boolean,
    });
  });

  it("reports every term that isn't allowed in one response (CAT-34)", async () => {
    const everything = {
      includedAmount: 1,
      unlimited: false,
      overage: { enabled: false, unitPrice: 1 },
      creditsPerUnit: 1,
      margin: 1,
    };
    const fieldsOf = async (input: Record<string, unknown>): Promise<string[]> => {
      const { code, status, details } = await rejection(t, add, { input: { ...everything, ...input } });
      expect([code, status]).toEqual(['validation_error', 400]);
      return (details as { field: string }[]).map(({ field }) => field);
    };
    expect(await fieldsOf({ planId: plans.balance, featureId: features.boolean })).toEqual([
      'includedAmount',
      'unlimited',
      'overage.enabled',
      'overage.unitPrice',
      'creditsPerUnit',
      'margin',
    ]);
    expect(await fieldsOf({ planId: plans.balance, featureId: features.quota })).toEqual([
      'creditsPerUnit',
      'margin',
    ]);
    const credits = await plan('credits_2', { consumptionModel: 'credits' });
    expect(await fieldsOf({ planId: credits, featureId: features.usage })).toEqual([
      'includedAmount',
      'unlimited',
      'overage.enabled',
      'overage.unitPrice',
      'margin',
    ]);
    const balance = await plan('balance_2', { consumptionModel: 'balance' });
    expect(await fieldsOf({ planId: balance, featureId: features.usage })).toEqual([
      'includedAmount',
      'unlimited',
      'creditsPerUnit',
      'margin',
    ]);
    expect(await fieldsOf({ planId: balance, featureId: features.usage, pricingMode: 'ai_model' })).toEqual([
      'includedAmount',
      'unlimited',
      'overage.unitPrice',
      'creditsPerUnit',
    ]);
  });

  it('requires credits per unit for usage features of credits plans', async () => {
    const id = await plan('credits_3', { consumptionModel: 'credits' });
    const missing = {
      code: 'validation_error',
      param: 'creditsPerUnit',
      message: 'A usage feature of a credits plan requires creditsPerUnit.',
    };
    expect(await rejection(t, add, { input: { planId: id, featureId: features.usage } })).toMatchObject(
      missing,
    );
    expect(
      await rejection(t, add, { input: { planId: id, featureId: features.usage, creditsPerUnit: 0 } }),
    ).toMatchObject({
      param: 'creditsPerUnit',
      message: 'creditsPerUnit: must be greater than 0.',
    });
    await attach({ planId: id, featureId: features.usage, creditsPerUnit: 2 });
    expect(
      await rejection(t, update, { input: { planId: id, featureId: features.usage, creditsPerUnit: null } }),
    ).toMatchObject(missing);
    expect(await change({ planId: id, featureId: features.usage, creditsPerUnit: 1 })).toMatchObject({
      creditsPerUnit: 1,
    });
  });

  it('allows AI model pricing only for usage features of balance plans (CAT-35)', async () => {
    for (const [id, featureId] of [
      [plans.metered, features.quota],
      [plans.balance, features.seats],
      [plans.credits, features.quota],
    ]) {
      expect(
        await rejection(t, add, { input: { planId: id, featureId, pricingMode: 'ai_model' } }),
      ).toMatchObject({
        code: 'validation_error',
        status: 400,
        param: 'pricingMode',
      });
    }
  });

  it('rejects overage on a free plan (CAT-8)', async () => {
    const input = { planId: plans.free, featureId: features.quota };
    expect(
      await rejection(t, add, { input: { ...input, overage: { enabled: true, unitPrice: 5 } } }),
    ).toMatchObject({
      code: 'validation_error',
      details: [
        { field: 'overage.enabled', message: "A free plan can't charge for overage." },
        { field: 'overage.unitPrice', message: "A free plan can't charge for overage." },
      ],
    });
    await attach({ ...input, includedAmount: 10 });
    expect(await rejection(t, update, { input: { ...input, overage: { enabled: true } } })).toMatchObject({
      code: 'validation_error',
      param: 'overage.enabled',
    });
  });

  it('attaches a feature once for concurrent requests', async () => {
    const id = await plan('once');
    const attempt = () =>
      attach({ planId: id, featureId: features.seats }).then(
        () => 'attached',
        (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
      );
    expect((await Promise.all([attempt(), attempt()])).toSorted()).toEqual([
      'attached',
      'feature_already_exists',
    ]);
    expect(await versions(id, features.seats)).toHaveLength(1);
    expect(await rejection(t, add, { input: { planId: id, featureId: features.seats } })).toEqual({
      code: 'feature_already_exists',
      status: 409,
      message: 'The plan already includes this feature. Update the existing feature of the plan instead.',
      param: 'featureId',
    });
  });

  it('adds a version for every change to the terms, every removal, and every reattachment (CAT-48)', async () => {
    const id = await plan('versioned');
    const featureId = await feature('usage', 'versioned');
    const at = (text: string): Date => {
      time.now = new Date(text);
      return time.now;
    };
    const first = at('2026-03-01T00:00:00.000Z');
    await attach({ planId: id, featureId, includedAmount: 3_500 });
    const second = at('2026-03-06T00:00:00.000Z');
    await change({ planId: id, featureId, includedAmount: 5_000 });
    await change({ planId: id, featureId, includedAmount: 5_000 });
    const third = at('2026-03-21T00:00:00.000Z');
    expect(await change({ planId: id, featureId, overage: { unitPrice: 220 } })).toMatchObject({
      includedAmount: 5_000,
      overage: { enabled: false, unitPrice: 220 },
    });
    expect(await change({ planId: id, featureId, overage: { enabled: true } })).toMatchObject({
      includedAmount: 5_000,
      overage: { enabled: true, unitPrice: 220 },
    });
    const fourth = at('2026-04-01T00:00:00.000Z');
    expect(await t.graphql(remove, { planId: id, featureId })).toEqual({
      planFeatureRemove: { id: featureId, removed: true, object: 'plan_feature', livemode: false },
    });
    const fifth = at('2026-04-02T00:00:00.000Z');
    await attach({ planId: 'versioned', featureId, includedAmount: 1 });
    expect(await versions(id, featureId)).toEqual([
      {
        validFrom: first,
        attached: true,
        includedAmount: 3_500n,
        overageEnabled: false,
        rate: null,
      },
      {
        validFrom: second,
        attached: true,
        includedAmount: 5_000n,
        overageEnabled: false,
        rate: null,
      },
      {
        validFrom: third,
        attached: true,
        includedAmount: 5_000n,
        overageEnabled: false,
        rate: unitRate(220n),
      },
      {
        validFrom: third,
        attached: true,
        includedAmount: 5_000n,
        overageEnabled: true,
        rate: unitRate(220n),
      },
      {
        validFrom: fourth,
        attached: false,
        includedAmount: 5_000n,
        overageEnabled: true,
        rate: unitRate(220n),
      },
      { validFrom: fifth, attached: true, includedAmount: 1n, overageEnabled: false, rate: null },
    ]);
  });

  it('charges 0 for overage that is turned on without a price', async () => {
    const id = await plan('gratis');
    expect(await attach({ planId: id, featureId: features.quota, overage: { enabled: true } })).toMatchObject(
      {
        overage: { enabled: true, unitPrice: 0 },
      },
    );
    expect(await versions(id, features.quota)).toMatchObject([{ overageEnabled: true, rate: unitRate(0n) }]);
  });

  it('returns a specific error code for each missing object', async () => {
    const featureId = features.quota;
    const id = await plan('empty');
    expect(await rejection(t, add, { input: { planId: 'nowhere', featureId } })).toMatchObject({
      code: 'plan_not_found',
      status: 404,
      param: 'planId',
    });
    expect(await rejection(t, add, { input: { planId: id, featureId: 'ftr_none' } })).toMatchObject({
      code: 'feature_not_found',
      status: 404,
      param: 'featureId',
    });
    expect(await rejection(t, update, { input: { planId: 'nowhere', featureId } })).toMatchObject({
      code: 'plan_not_found',
    });
    expect(await rejection(t, update, { input: { planId: id, featureId: 'ftr_none' } })).toMatchObject({
      code: 'feature_not_found',
    });
    expect(await rejection(t, update, { input: { planId: id, featureId } })).toMatchObject({
      code: 'not_found',
      status: 404,
      param: 'featureId',
    });
    expect(await rejection(t, remove, { planId: id, featureId })).toMatchObject({
      code: 'not_found',
      status: 404,
      param: 'featureId',
    });
    expect(await rejection(t, remove, { planId: 'nowhere', featureId })).toMatchObject({
      code: 'not_found',
      status: 404,
      param: 'planId',
    });
    expect(
      await rejection(t, add, {
        input: { planId: id, featureId, includedAmount: -1, overage: { unitPrice: -1 } },
      }),
    ).toMatchObject({
      code: 'validation_error',
      details: [
        { field: 'includedAmount', message: 'must be at least 0' },
        { field: 'overage.unitPrice', message: 'must be at least 0' },
      ],
    });
  });
});
