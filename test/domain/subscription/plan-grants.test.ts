import { describe, expect, test } from 'vitest';
import type {
  Catalog,
  FeatureRow,
  PlanFeatureVersionRow,
  PlanRow,
} from '../../../src/domain/pricing/catalog.ts';
import type { FeatureTerms } from '../../../src/domain/pricing/terms.ts';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { reviewGrants } from '../../../src/domain/subscription/allowances/plan-grant-effects.ts';
import type { Command } from '../../../src/domain/subscription/decision/command.ts';
import type { PlanGrantRow } from '../../../src/domain/subscription/state/aggregate.ts';
import { baseAccessOf, widened } from '../../../src/domain/usage/plan-grant-terms.ts';
import { heldUsageFeatures } from '../../../src/domain/usage/terms.ts';
import { unitRate, unitRates } from '../../support/rates.ts';
import { catalog, type PlanSketch, termsRow } from './catalog.ts';
import { at, cardThat, draftOf, expectUnchanged, World } from './world.ts';

// Plan grants on a subscription to "cove" for 34.00, the lowest-ranked of three plans in a group.

type Edit = Partial<PlanRow>;

/** "cove" < "ridge" < "atlas" in one group, and "pike" in another. Each plan has its own features and the given changes. */
function shop(
  {
    interval = 'monthly',
    cove = {},
    ridge = {},
    plans = {},
    isFree = false,
  }: {
    interval?: BillingInterval;
    cove?: NonNullable<PlanSketch['seats']>;
    ridge?: NonNullable<PlanSketch['seats']>;
    plans?: { readonly [id: string]: Edit };
    isFree?: boolean;
  } = {},
  later: readonly PlanFeatureVersionRow[] = [],
): Catalog {
  const made = catalog(
    {
      id: 'cove',
      isFree,
      prices: isFree ? [] : [{ id: 'p1', interval, amount: 3_400n }],
      seats: { exports: { includedAmount: 100n }, editors: { includedAmount: 3n }, ...cove },
    },
    {
      id: 'ridge',
      seats: {
        exports: { includedAmount: 500n },
        editors: { includedAmount: 10n },
        viewers: { includedAmount: 20n },
        ...ridge,
      },
    },
    { id: 'atlas', seats: { exports: { unlimited: true } } },
    { id: 'pike', seats: {} },
  );
  const groups = (plan: PlanRow): PlanRow => ({
    ...plan,
    planGroupId: plan.id === 'pike' ? 'plg_2' : 'plg_1',
    ...plans[plan.id],
  });
  const featureVersions = new Map(
    [...made.featureVersions].map(([planId, features]) => [
      planId,
      new Map(
        [...features].map(([id, versions]) => [
          id,
          [...versions, ...later.filter((version) => version.planId === planId && version.featureId === id)],
        ]),
      ),
    ]),
  );
  return {
    ...made,
    featureVersions,
    plans: new Map([...made.plans].map(([id, plan]) => [id, groups(plan)])),
  };
}

function open(made: Catalog = shop(), now = '2027-09-17T09:00:00Z'): World {
  const world = new World(now, made);
  world.create(null, { planId: 'cove' });
  if (world.subscription.status === 'pending_payment') world.pay(null, cardThat('pays'));
  void world.sent;
  return world;
}

type GrantChanges = Partial<Omit<Extract<Command, { kind: 'grant.create' }>, 'kind'>>;

const openEnded = { duration: 'until_revoked', durationCycles: null, requestedExpiresAt: null } as const;
const cycles = (durationCycles: number) =>
  ({ duration: 'cycles', durationCycles, requestedExpiresAt: null }) as const;
const until = (text: string) =>
  ({ duration: 'until_date', durationCycles: null, requestedExpiresAt: at(text) }) as const;

const grant = (world: World, now: string | null, changes: GrantChanges = {}) =>
  world.do(now, {
    kind: 'grant.create',
    subscriptionId: world.subscription.id,
    grantId: 'pgr_1',
    planId: 'ridge',
    reason: 'A taste.',
    source: 'api',
    ...cycles(3),
    ...changes,
  });
const update = (
  world: World,
  now: string | null,
  term: ReturnType<typeof cycles> | ReturnType<typeof until> | typeof openEnded,
) =>
  world.do(now, { kind: 'grant.update', grantId: 'pgr_1', reason: 'Longer.', source: 'dashboard', ...term });
const revoke = (world: World, now: string | null) =>
  world.do(now, { kind: 'grant.revoke', grantId: 'pgr_1', reason: 'Enough.', source: 'api' });

const stored = (world: World): PlanGrantRow => {
  const row = world.aggregate.grants[0];
  if (row === undefined) throw new Error('no grant');
  return row;
};
const expiry = (world: World) => world.deadlines.find((text) => text.includes('grant_expiry')) ?? null;

/** Returns each feature's code, its units, and its units without the plan grant. */
function held(world: World) {
  const { subscription, aggregate } = world;
  const plan = aggregate.catalog.plans.get(subscription.planId);
  if (plan === undefined) throw new Error('no plan');
  return heldUsageFeatures(aggregate.catalog, { plan, subscription, addons: [] }, world.now).map(
    ({ feature, terms, base }) => [
      feature.code,
      terms.unlimited ? 'unlimited' : Number(terms.includedAmount),
      base === null ? null : base.unlimited ? 'unlimited' : Number(base.included),
    ],
  );
}

const seats = (world: World, now: string | null, op: 'add' | 'remove', featureCode: string, count: bigint) =>
  world.do(now, {
    kind: 'counts.change',
    type: 'seats',
    changes: [{ eventId: 'sev_1', featureCode, op, count }],
  });

describe('a plan grant (SUB-53, SUB-54, SUB-56)', () => {
  test('returns the access without the grant in units if the meter has decimals (PRM-120)', () => {
    const made = shop();
    const meters = [
      { aggregation: 'sum', decimals: 2, validFrom: '2027-01-01T00:00:00.000Z', seq: '0' },
    ] as const;
    const features = new Map(
      [...made.features].map(([id, feature]) => [
        id,
        feature.code === 'exports' ? ({ ...feature, type: 'usage', meters } as const) : feature,
      ]),
    );
    const world = open({ ...made, features });
    expect(grant(world, '2027-09-25T10:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(held(world)).toContainEqual(['exports', 50_000, 100]);
  });

  test("extends access and creates an event, but doesn't change billing", () => {
    const world = open();
    const before = { ...world.subscription };
    expect(held(world)).toEqual([
      ['editors', 3, null],
      ['exports', 100, null],
    ]);
    expect(grant(world, '2027-09-25T10:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual(['plan_grant.created', 'state plan_access_granted']);
    expect(held(world)).toEqual([
      ['editors', 10, 3],
      ['exports', 500, 100],
      ['viewers', 20, 0],
    ]);
    expect(world.subscription).toEqual({ ...before, grantedPlanId: 'ridge', grantedReleaseSeq: 1n });
    expect(world.aggregate.invoices).toHaveLength(1);
    expect(world.last?.ledger).toEqual([]);
    expect(world.event('plan_grant.created').data).toEqual({
      id: 'pgr_1',
      customerId: 'cus_1',
      subscriptionId: world.subscription.id,
      basePlanId: 'cove',
      targetPlanId: 'ridge',
      targetPlanReleaseId: stored(world).planReleaseId,
      status: 'active',
      duration: 'cycles',
      durationCycles: 3,
      startsAt: '2027-09-25T10:00:00.000Z',
      expiresAt: '2027-12-17T00:00:00.000Z',
      reason: 'A taste.',
      source: 'api',
      revokedAt: null,
      createdAt: '2027-09-25T10:00:00.000Z',
      updatedAt: '2027-09-25T10:00:00.000Z',
      events: stored(world).timeline,
    });
  });

  test('ends on the exact day: three cycles from September 25 end on December 17, and one cycle from November 2 ends on November 17 (SUB-E8)', () => {
    const world = open();
    grant(world, '2027-09-25T10:00:00Z', cycles(3));
    expect(expiry(world)).toBe('2027-12-17 grant_expiry:sub');
    world.advance('2027-11-02T08:00:00Z');
    void world.sent;
    update(world, '2027-11-02T08:00:00Z', cycles(1));
    expect(expiry(world)).toBe('2027-11-17 grant_expiry:sub');
    expect(world.sent).toEqual(['plan_grant.updated']);
    world.advance('2027-11-17T00:00:00Z');
    expect(stored(world)).toMatchObject({ status: 'expired', revokedAt: null, updatedAt: at('2027-11-17') });
    expect(expiry(world)).toBeNull();
    expect(held(world)).toEqual([
      ['editors', 3, null],
      ['exports', 100, null],
    ]);
  });

  test.each<[string, string, BillingInterval, string, number, string]>([
    ['month ends are clamped from the anchor', '2027-01-31', 'monthly', '2027-02-10', 1, '2027-02-28'],
    ['and return to the day', '2027-01-31', 'monthly', '2027-02-10', 2, '2027-03-31'],
    ['a leap day', '2027-11-30', 'quarterly', '2027-12-01', 1, '2028-02-29'],
    ['weeks', '2027-01-06', 'weekly', '2027-01-06', 3, '2027-01-27'],
    ['years', '2028-02-29', 'yearly', '2028-03-01', 1, '2029-02-28'],
    ['years to the next leap day', '2028-02-29', 'yearly', '2028-03-01', 4, '2032-02-29'],
  ])('counts period boundaries from the anchor: %s (SUB-55)', (_what, start, interval, now, count, end) => {
    const world = open(shop({ interval }), start);
    grant(world, now, cycles(count));
    expect(stored(world).expiresAt).toEqual(at(end));
  });

  test("lasts until the next boundary if it's granted at a boundary that hasn't been processed", () => {
    const world = open();
    grant(world, '2027-10-17T00:00:00Z', cycles(1));
    expect(stored(world).expiresAt).toEqual(at('2027-11-17'));
  });

  test('ends at a date, or only manually (SUB-55)', () => {
    const world = open();
    grant(world, '2027-09-25', until('2027-09-25T00:00:00.001Z'));
    expect(stored(world)).toMatchObject({
      duration: 'until_date',
      durationCycles: null,
      expiresAt: at('2027-09-25T00:00:00.001Z'),
    });
    update(world, '2027-09-25', openEnded);
    expect(stored(world)).toMatchObject({
      duration: 'until_revoked',
      durationCycles: null,
      expiresAt: null,
      status: 'active',
    });
    expect(expiry(world)).toBeNull();
    world.advance('2028-09-25');
    expect(stored(world).status).toBe('active');
  });

  test('has a timeline of all changes to the grant (SUB-58)', () => {
    const world = open();
    grant(world, '2027-09-25T10:00:00Z', cycles(1));
    update(world, '2027-09-26T10:00:00Z', until('2027-12-01T12:00:00Z'));
    revoke(world, '2027-09-27T10:00:00Z');
    const blank = { duration: null, durationCycles: null, requestedExpiresAt: null };
    expect(stored(world).timeline.map(({ id: _id, ...entry }) => entry)).toEqual([
      {
        ...blank,
        type: 'created',
        reason: 'A taste.',
        source: 'api',
        duration: 'cycles',
        durationCycles: 1,
        previousExpiresAt: null,
        expiresAt: '2027-10-17T00:00:00.000Z',
        createdAt: '2027-09-25T10:00:00.000Z',
      },
      {
        ...blank,
        type: 'updated',
        reason: 'Longer.',
        source: 'dashboard',
        duration: 'until_date',
        requestedExpiresAt: '2027-12-01T12:00:00.000Z',
        previousExpiresAt: '2027-10-17T00:00:00.000Z',
        expiresAt: '2027-12-01T12:00:00.000Z',
        createdAt: '2027-09-26T10:00:00.000Z',
      },
      {
        ...blank,
        type: 'revoked',
        reason: 'Enough.',
        source: 'api',
        previousExpiresAt: '2027-12-01T12:00:00.000Z',
        expiresAt: '2027-12-01T12:00:00.000Z',
        createdAt: '2027-09-27T10:00:00.000Z',
      },
    ]);
    expect(stored(world)).toMatchObject({
      status: 'revoked',
      reason: 'Enough.',
      source: 'api',
      revokedAt: at('2027-09-27T10:00:00Z'),
    });
    expect(world.sent).toEqual([
      'plan_grant.created',
      'state plan_access_granted',
      'plan_grant.updated',
      'plan_grant.revoked',
      'state plan_access_ended',
    ]);
  });

  test('uses the plan version at the start of the grant (SUB-54)', () => {
    const raised = termsRow('ridge', 'exports', {
      id: 'pfv_2',
      seq: 9n,
      validFrom: at('2027-09-26'),
      includedAmount: 900n,
    });
    const gone = termsRow('ridge', 'editors', {
      id: 'pfv_3',
      seq: 10n,
      validFrom: at('2027-09-26'),
      attached: false,
    });
    const world = open();
    grant(world, '2027-09-25', openEnded);
    world.aggregate = { ...world.aggregate, catalog: shop({}, [raised, gone]) };
    world.now = at('2027-09-27');
    expect(held(world)).toEqual([
      ['editors', 10, 3],
      ['exports', 500, 100],
      ['viewers', 20, 0],
    ]);
    const first = stored(world).planReleaseId;
    revoke(world, null);
    grant(world, null, { grantId: 'pgr_2' });
    expect(world.subscription.grantedReleaseSeq).toBe(10n);
    expect([first, world.aggregate.grants[1]?.planReleaseId]).toEqual(['plr_ridge-exports', 'plr_3']);
    expect(held(world)).toEqual([
      ['editors', 3, 3],
      ['exports', 900, 100],
      ['viewers', 20, 0],
    ]);
  });
});

describe('the combined terms of two plans (SUB-54)', () => {
  const plain: FeatureTerms = {
    enabled: true,
    includedAmount: 0n,
    unlimited: false,
    overageEnabled: false,
    rates: null,
    derived: null,
    cost: null,
    settle: null,
  };
  const units = (includedAmount: bigint, more: Partial<FeatureTerms> = {}): FeatureTerms => ({
    ...plain,
    includedAmount,
    ...more,
  });
  test.each<[string, FeatureTerms | null, FeatureTerms | null, FeatureTerms | null]>([
    ['more of the granted plan', units(5n), units(9n), units(9n)],
    ['more of the base plan', units(9n), units(5n), units(9n)],
    ['unlimited in one of them', units(9n, { unlimited: true }), units(5n), units(9n, { unlimited: true })],
    ['enabled in one of them', units(0n, { enabled: false }), units(0n), units(0n)],
    [
      'disabled in both',
      units(1n, { enabled: false }),
      units(2n, { enabled: false }),
      units(2n, { enabled: false }),
    ],
    [
      'no units of a disabled feature',
      units(900n, { enabled: false, unlimited: true }),
      units(5n),
      units(5n),
    ],
    ['only the granted plan has it', null, units(5n), units(5n)],
    ['only the base plan has it', units(5n), null, units(5n)],
    ['neither has it', null, null, null],
    [
      'overage remains disabled',
      units(5n, { overageEnabled: true, rates: unitRates(100n) }),
      units(9n),
      units(9n),
    ],
  ])('follows the rule: %s', (_what, base, granted, union) => {
    expect(widened(base, granted)).toEqual(union);
  });

  test('treats a feature that is disabled or missing in the base plan as having 0 included units (SUB-58)', () => {
    expect(baseAccessOf(units(9n, { enabled: false, unlimited: true }))).toEqual({
      enabled: false,
      included: 0n,
      unlimited: false,
    });
    expect(baseAccessOf(null)).toEqual({ enabled: false, included: 0n, unlimited: false });
    expect(baseAccessOf(units(9n))).toEqual({ enabled: true, included: 9n, unlimited: false });
  });
});

describe('the validation of a plan grant (SUB-21, SUB-53)', () => {
  const sold = { overageEnabled: true, rate: unitRate(100n) };
  test.each<[string, Catalog, GrantChanges, { code: string; param?: string }]>([
    ['an unknown plan', shop(), { planId: 'none' }, { code: 'plan_not_found', param: 'planId' }],
    [
      'a deleted plan',
      shop({ plans: { ridge: { deletedAt: at('2027-01-01') } } }),
      {},
      { code: 'plan_not_found' },
    ],
    [
      'a plan of another group',
      shop(),
      { planId: 'pike' },
      { code: 'plans_not_in_same_group', param: 'planId' },
    ],
    [
      'two plans without a group',
      shop({ plans: { cove: { planGroupId: null }, ridge: { planGroupId: null } } }),
      {},
      { code: 'plans_not_in_same_group' },
    ],
    ['the base plan', shop(), { planId: 'cove' }, { code: 'validation_error', param: 'planId' }],
    [
      'a lower plan',
      shop({ plans: { cove: { sortOrder: 7 } } }),
      {},
      { code: 'validation_error', param: 'planId' },
    ],
    [
      'a base plan on credits',
      shop({ plans: { cove: { consumptionModel: 'credits' } } }),
      {},
      { code: 'validation_error', param: 'subscriptionId' },
    ],
    [
      'a granted plan on a balance',
      shop({ plans: { ridge: { consumptionModel: 'balance' } } }),
      {},
      { code: 'validation_error', param: 'planId' },
    ],
    [
      'paid overage of the base plan',
      shop({ cove: { exports: sold } }),
      {},
      { code: 'validation_error', param: 'subscriptionId' },
    ],
    [
      'paid overage of the granted plan',
      shop({ ridge: { editors: sold } }),
      {},
      { code: 'validation_error', param: 'planId' },
    ],
    [
      'AI pricing of the granted plan',
      shop({ ridge: { exports: { rate: { from: 'cost' }, costRate: { from: 'ai_models' } } } }),
      {},
      { code: 'validation_error', param: 'planId' },
    ],
    [
      'a one-time plan',
      shop({ interval: 'one_time' }),
      {},
      { code: 'validation_error', param: 'subscriptionId' },
    ],
    ['a free plan', shop({ isFree: true }), {}, { code: 'validation_error', param: 'subscriptionId' }],
    [
      'an end at the current time',
      shop(),
      until('2027-09-25'),
      { code: 'validation_error', param: 'expiresAt' },
    ],
  ])('rejects %s', (_what, made, changes, rejection) => {
    const world = open(made);
    expect(grant(world, '2027-09-25', changes)).toMatchObject({ kind: 'rejection', ...rejection });
    expectUnchanged(world);
  });

  test.each(['draft', 'pending_payment', 'trialing', 'past_due', 'canceled'] as const)(
    'rejects a grant while the subscription is %s',
    (status) => {
      const world = open();
      world.aggregate = { ...world.aggregate, subscriptions: [{ ...world.subscription, status }] };
      expect(grant(world, '2027-09-25')).toMatchObject({
        kind: 'rejection',
        code: 'subscription_not_active',
      });
      expectUnchanged(world);
    },
  );

  test('rejects a grant during another grant', () => {
    const world = open();
    grant(world, '2027-09-25');
    expect(grant(world, null, { grantId: 'pgr_2', planId: 'atlas' })).toMatchObject({
      kind: 'rejection',
      code: 'duplicate',
    });
    expectUnchanged(world);
    revoke(world, null);
    expect(grant(world, null, { grantId: 'pgr_2', planId: 'atlas' })).toMatchObject({ kind: 'ok' });
    expect(held(world)).toContainEqual(['exports', 'unlimited', 100]);
  });

  test('rejects a subscription of another customer', () => {
    const world = open();
    expect(grant(world, null, { subscriptionId: 'sub_other' })).toMatchObject({
      kind: 'rejection',
      code: 'subscription_not_found',
    });
    expectUnchanged(world);
  });

  test.each([update, revoke] as const)('rejects changes to an ended or unknown grant (SUB-56)', (change) => {
    const world = open();
    expect(change(world, '2027-09-25', openEnded)).toMatchObject({
      kind: 'rejection',
      code: 'not_found',
      param: 'grantId',
    });
    grant(world, null, cycles(1));
    world.advance('2027-10-17');
    expect(change(world, null, openEnded)).toMatchObject({ kind: 'rejection', code: 'not_found' });
    expectUnchanged(world);
  });

  test('rejects an end date in the past without changing the active grant', () => {
    const world = open();
    grant(world, '2027-09-25');
    expect(update(world, '2027-09-26', until('2027-09-26'))).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'expiresAt',
    });
    expectUnchanged(world);
  });
});

describe('a subscription with an add-on or a plan grant', () => {
  const extra = (made: Catalog): Catalog => {
    const files: FeatureRow = {
      id: 'files',
      seq: 9n,
      code: 'files',
      name: 'Files',
      type: 'boolean',
      unitName: null,
      deletedAt: null,
      meters: [],
    };
    const row = {
      id: 'extra',
      seq: 1n,
      name: 'Extra',
      slug: 'extra',
      featureId: 'files',
      consumptionModel: 'boolean',
      deletedAt: null,
    } as const;
    const version = {
      addonId: 'extra',
      seq: 1n,
      validFrom: at('2020-01-01'),
      basePriceMinor: 900n,
      includedUnits: null,
      rate: null,
      overrides: [],
    };
    return {
      ...made,
      features: new Map([...made.features, ['files', files]]),
      addons: new Map([['extra', row]]),
      addonVersions: new Map([['extra', [version]]]),
    };
  };
  const activate = (world: World) =>
    world.do(null, { kind: 'addon.activate', subscriptionId: world.subscription.id, addonId: 'extra' });

  test('rejects an add-on while a grant is active (SUB-70)', () => {
    const world = open(extra(shop()));
    grant(world, '2027-09-25');
    expect(activate(world)).toMatchObject({ kind: 'rejection', code: 'validation_error' });
    expectUnchanged(world);
    revoke(world, null);
    expect(activate(world)).toMatchObject({ kind: 'ok' });
  });

  test('rejects a grant while an add-on is active (SUB-53)', () => {
    const world = open(extra(shop()));
    activate(world);
    expect(grant(world, null)).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'subscriptionId',
    });
    expectUnchanged(world);
    world.do(null, { kind: 'addon.deactivate', subscriptionId: world.subscription.id, addonId: 'extra' });
    expect(grant(world, null)).toMatchObject({ kind: 'ok' });
  });
});

describe('the end of a plan grant', () => {
  test('is processed as a separate item before a simultaneous period end (BIL-2, BIL-55)', () => {
    const world = open();
    grant(world, '2027-09-25', cycles(1));
    void world.sent;
    world.advance('2027-10-17');
    expect(world.items.map(({ outcome }) => outcome)).toEqual(['grant_expired', 'renewed']);
    expect(world.sent.filter((kind) => kind !== 'invoice.upcoming')).toEqual([
      'plan_grant.expired',
      'state plan_access_ended',
      'invoice.created',
      'payment.received',
    ]);
    expect(world.event('plan_grant.expired').data).toMatchObject({
      status: 'expired',
      source: 'system',
      revokedAt: null,
    });
  });

  test('keeps counts above the limit, and blocks additions until the count is below the limit (SUB-57, CON-52)', () => {
    const world = open();
    grant(world, '2027-09-25');
    expect(seats(world, null, 'add', 'editors', 8n)).toMatchObject({ kind: 'ok' });
    expect(seats(world, null, 'add', 'viewers', 5n)).toMatchObject({ kind: 'ok' });
    expect(seats(world, null, 'add', 'editors', 3n)).toMatchObject({
      kind: 'rejection',
      code: 'included_limit_reached',
    });
    // A renewal during the grant bills only the plan, and so does the first renewal after the grant.
    world.advance('2027-10-20');
    expect(world.invoice.total).toBe(3_400n);
    revoke(world, '2027-10-21');
    expect(seats(world, null, 'add', 'editors', 1n)).toMatchObject({
      kind: 'rejection',
      code: 'included_limit_reached',
    });
    expect(seats(world, null, 'add', 'viewers', 1n)).toMatchObject({
      kind: 'rejection',
      code: 'feature_not_in_plan',
    });
    expect(seats(world, null, 'remove', 'editors', 6n)).toMatchObject({ kind: 'ok' });
    world.advance('2027-11-17');
    expect(world.invoice.total).toBe(3_400n);
    expect(world.aggregate.counts.find(({ featureId }) => featureId === 'editors')?.count).toBe(2n);
    expect(seats(world, null, 'add', 'editors', 1n)).toMatchObject({ kind: 'ok' });
  });

  test.each([
    ['immediately', true, '2027-10-01'],
    ['at the boundary', false, '2027-10-17'],
  ] as const)(
    'is caused by a cancellation %s, and is recorded with the source "system" (SUB-28)',
    (_when, immediate, end) => {
      const world = open();
      grant(world, '2027-09-25', openEnded);
      void world.sent;
      world.cancel('2027-10-01', immediate);
      world.advance('2027-10-17');
      expect(world.sent.slice(-4)).toEqual([
        'plan_grant.revoked',
        'state plan_access_ended',
        'subscription.canceled',
        'state subscription_canceled',
      ]);
      expect(stored(world)).toMatchObject({ status: 'revoked', revokedAt: at(end) });
      expect(stored(world).timeline.at(-1)).toMatchObject({ type: 'revoked', source: 'system' });
      expect(world.subscription).toMatchObject({
        status: 'canceled',
        grantedPlanId: null,
        grantedReleaseSeq: null,
      });
      expect(world.deadlines).toEqual([]);
    },
  );

  test('is final, even after a reactivation', () => {
    const world = open();
    grant(world, '2027-09-25', openEnded);
    world.cancel(null, true);
    world.do('2027-10-01', {
      kind: 'subscription.reactivate',
      subscriptionId: world.subscription.id,
      offerId: null,
    });
    expect(world.subscription).toMatchObject({ status: 'active', grantedPlanId: null });
    expect(grant(world, null, { grantId: 'pgr_2' })).toMatchObject({ kind: 'ok' });
  });

  test.each([
    ['ends if the new plan has the same rank', 'ridge', 'revoked'],
    ['continues if the granted plan has a higher rank', 'cove', 'active'],
  ] as const)(
    'depends on the new plan after a plan change: the grant %s (SUB-45)',
    (_what, planId, status) => {
      const world = open();
      grant(world, '2027-09-25', openEnded);
      const draft = draftOf(world.aggregate, world.now);
      const after = reviewGrants(draft, { ...world.subscription, planId });
      expect(draft.grants.find('pgr_1')).toMatchObject({ status, planId: 'ridge' });
      expect(after.grantedPlanId).toBe(status === 'active' ? 'ridge' : null);
      expect(draft.events.map(({ kind }) => kind)).toEqual(
        status === 'active' ? [] : ['plan_grant.revoked', 'customer.state_changed'],
      );
    },
  );

  test("doesn't occur for an outdated deadline", () => {
    const world = open();
    grant(world, '2027-09-25', cycles(1));
    update(world, null, cycles(2));
    const command = {
      kind: 'grant_expiry',
      subscriptionId: world.subscription.id,
      deadlineId: 'grant_expiry:gone',
    } as const;
    world.run({ ...command, dueAt: at('2027-10-17'), now: at('2027-10-17') });
    expect(stored(world).status).toBe('active');
    expect(expiry(world)).toBe('2027-11-17 grant_expiry:sub');
  });
});
