import { beforeEach, describe, expect, test } from 'vitest';
import type { PlanFeatureVersionRow } from '../../../src/domain/pricing/catalog.ts';
import type { CountChange } from '../../../src/domain/subscription/commands/counts-change.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, termsRow } from './catalog.ts';
import { expectUnchanged, World } from './world.ts';

// Commands that change seats. The plan costs 20.00 a month with 4 editors included, 11.50 for each additional editor, and up to 2 viewers.

const terms = {
  editors: { includedAmount: 4n, overageEnabled: true, rate: unitRate(115_000n) },
  viewers: { includedAmount: 2n },
  exports: { includedAmount: 100n },
} satisfies { readonly [code: string]: Partial<PlanFeatureVersionRow> };

const shop = (
  changes: { readonly [code: string]: Partial<PlanFeatureVersionRow> } = {},
  isFree = false,
): World =>
  new World(
    '2027-04-05T10:00:00Z',
    catalog({
      id: 'cove',
      isFree,
      seats: { ...terms, ...changes },
      prices: isFree ? [] : [{ id: 'p1', interval: 'monthly', amount: 2_000n }],
    }),
  );

/** Creates a customer whose subscription started on April 5. */
const subscribed = (...made: Parameters<typeof shop>): World => {
  const world = shop(...made);
  world.create(null, { planId: 'cove' });
  if (world.subscription.status === 'pending_payment') world.pay(null);
  expect(world.sent).toContain('subscription.activated');
  return world;
};

let events = 0;
const one = (op: CountChange['op'], featureCode: string, count: bigint, param?: string): CountChange => ({
  eventId: `sev_${++events}`,
  featureCode,
  op,
  count,
  ...(param === undefined ? {} : { param }),
});

const change = (world: World, now: string | null, ...changes: CountChange[]) =>
  world.do(now, { kind: 'counts.change', type: 'seats', changes });

const held = (world: World, featureId: string) => {
  const count = world.aggregate.counts.find((row) => row.featureId === featureId);
  return count === undefined ? null : [count.count, count.pendingRemovals];
};

const balances = (world: World) =>
  world.last?.countEvents.map(({ featureId, previousBalance, newBalance }) => [
    featureId,
    previousBalance,
    newBalance,
  ]);

describe('a change to the number of seats', () => {
  let world: World;
  beforeEach(() => {
    world = subscribed();
  });

  test('creates an event and a notification with the current count (CON-43, CON-47)', () => {
    expect(change(world, '2027-04-06', one('add', 'editors', 3n))).toMatchObject({
      kind: 'ok',
      status: 'done',
      invoiceId: null,
    });
    expect(world.last?.countEvents).toEqual([
      {
        id: `sev_${events}`,
        seq: null,
        customerId: 'cus_1',
        featureId: 'editors',
        previousBalance: 0n,
        newBalance: 3n,
        createdAt: new Date('2027-04-06T00:00:00Z'),
      },
    ]);
    expect(world.sent).toEqual(['seats.updated', 'state seats_updated']);
    expect(held(world, 'editors')).toEqual([3n, 0n]);
  });

  test('notifies the organization each time that the count rises to the included number of seats (CON-47)', () => {
    change(world, '2027-04-06', one('add', 'viewers', 1n));
    expect(world.sent).toEqual(['seats.updated', 'state seats_updated']);
    change(world, '2027-04-07', one('add', 'viewers', 1n));
    expect(world.sent).toEqual(['seats.updated', 'state seats_updated', 'seats.limit_reached']);
    expect(world.event('seats.limit_reached').data).toMatchObject({
      customerId: 'acme-7',
      currentSeats: 2,
      includedSeats: 2,
    });
    change(world, '2027-04-08', one('remove', 'viewers', 1n));
    change(world, '2027-04-09', one('add', 'viewers', 1n));
    expect(world.sent).toEqual([]);
    change(world, '2027-04-10', one('remove', 'viewers', 1n));
    world.advance('2027-05-06');
    expect(held(world, 'viewers')).toEqual([1n, 0n]);
    expect(world.sent).toContain('seats.updated');
    change(world, '2027-05-07', one('add', 'viewers', 1n));
    expect(world.sent).toEqual(['seats.updated', 'state seats_updated', 'seats.limit_reached']);
  });

  test("creates an event but no notification if the count doesn't change", () => {
    change(world, '2027-04-06', one('set', 'editors', 5n));
    expect(world.sent).toEqual(['seats.updated', 'state seats_updated', 'seats.limit_reached']);
    change(world, '2027-04-07', one('set', 'editors', 5n));
    expect(balances(world)).toEqual([['editors', 5n, 5n]]);
    expect(world.sent).toEqual([]);
  });

  test('records counts that exclude scheduled removals and start from the previous count (CON-44)', () => {
    change(world, '2027-04-06', one('set', 'editors', 6n));
    change(world, '2027-04-07', one('set', 'editors', 2n));
    expect([balances(world), held(world, 'editors')]).toEqual([[['editors', 6n, 2n]], [6n, 4n]]);
    change(world, '2027-04-08', one('add', 'editors', 5n));
    expect([balances(world), held(world, 'editors')]).toEqual([[['editors', 2n, 7n]], [7n, 0n]]);
    world.advance('2027-05-06');
    // Two additional seats are charged from April 6 (29 of 30 days). A third additional seat, the seventh seat in total, is charged from
    // April 8 (27 of 30 days).
    expect(
      world
        .linesOf(world.invoice)
        .map(({ lineType, chargeType, quantity, amount }) => [lineType, chargeType, quantity, amount]),
    ).toEqual([
      ['plan_base', 'advance', 1n, 2_000n],
      ['feature_seats', 'true_up', 2n, 2_223n],
      ['feature_seats', 'true_up', 1n, 1_035n],
      ['feature_seats', 'advance', 3n, 3_450n],
    ]);
  });

  test('updates several features in the given order, or no features if one is rejected (CON-46)', () => {
    change(world, '2027-04-06', one('set', 'viewers', 2n), one('set', 'editors', 4n));
    expect(balances(world)).toEqual([
      ['viewers', 0n, 2n],
      ['editors', 0n, 4n],
    ]);
    expect(world.sent).toContain('seats.limit_reached');
    const rejected = change(
      world,
      '2027-04-07',
      one('set', 'editors', 9n, 'seats.editors'),
      one('set', 'viewers', 3n, 'seats.viewers'),
    );
    expect(rejected).toMatchObject({
      code: 'included_limit_reached',
      param: 'seats.viewers',
      details: { current: 2, included: 2, remaining: 0 },
    });
    expectUnchanged(world);
    expect([held(world, 'editors'), held(world, 'viewers')]).toEqual([
      [4n, 0n],
      [2n, 0n],
    ]);
  });

  test('is limited to counts that are safe integers and can be billed', () => {
    const largest = 2n ** 53n - 1n;
    expect(change(world, '2027-04-06', one('set', 'editors', largest))).toMatchObject({
      code: 'validation_error',
      param: 'count',
    });
    expectUnchanged(world);
    const unlimited = subscribed({ viewers: { includedAmount: 0n, unlimited: true } });
    expect(change(unlimited, '2027-04-06', one('set', 'viewers', largest))).toMatchObject({ kind: 'ok' });
    expect(change(unlimited, '2027-04-07', one('add', 'viewers', 1n, 'seats.viewers'))).toMatchObject({
      code: 'validation_error',
      param: 'seats.viewers',
      details: [{ field: 'seats.viewers' }],
    });
    expectUnchanged(unlimited);
    expect(change(unlimited, '2027-04-07', one('remove', 'viewers', largest))).toMatchObject({ kind: 'ok' });
  });
});

describe('the validation of a seat change (CON-35)', () => {
  const rejection = (world: World, featureCode: string, op: CountChange['op'] = 'add', count = 1n) => {
    const outcome = change(world, null, one(op, featureCode, count));
    expectUnchanged(world);
    return 'code' in outcome ? [outcome.code, outcome.param] : outcome;
  };

  test('checks whether the subscription gives access before checking the feature', () => {
    const world = shop();
    expect(rejection(world, 'none')).toEqual(['no_active_subscription', 'customerId']);
    world.create(null, { planId: 'cove' });
    expect(rejection(world, 'editors')).toEqual(['no_active_subscription', 'customerId']);
    world.pay(null);
    world.cancel(null, true);
    expect(rejection(world, 'editors')).toEqual(['no_active_subscription', 'customerId']);
  });

  test.each([
    ['an unknown feature', {}, 'none', ['feature_not_found', 'featureCode']],
    ['a feature of another type', {}, 'exports', ['validation_error', 'featureCode']],
    [
      'another type precedes a disabled feature',
      { exports: { enabled: false } },
      'exports',
      ['validation_error', 'featureCode'],
    ],
    [
      'a feature outside the plan',
      { viewers: { attached: false } },
      'viewers',
      ['feature_not_in_plan', 'featureCode'],
    ],
    [
      'a disabled feature precedes the limit',
      { viewers: { enabled: false } },
      'viewers',
      ['feature_disabled', 'featureCode'],
    ],
    ['the limit', { viewers: { includedAmount: 0n } }, 'viewers', ['included_limit_reached', undefined]],
  ] as const)('rejects %s', (_title, changes, code, expected) => {
    expect(rejection(subscribed(changes), code)).toEqual(expected);
  });

  test('rejects the removal of more seats than the customer has', () => {
    expect(rejection(subscribed(), 'editors', 'remove')).toEqual(['insufficient_seats', 'count']);
  });

  test("rejects additional seats on a free plan, regardless of the feature's terms (CON-3)", () => {
    const world = subscribed({}, true);
    expect(change(world, null, one('set', 'editors', 4n))).toMatchObject({ kind: 'ok' });
    expect(rejection(world, 'editors')).toEqual(['included_limit_reached', undefined]);
  });
});

test('a trial rejects seats above the included number, and removes seats when it ends (CON-3, CON-45)', () => {
  const prices = [{ id: 'p1', interval: 'monthly', amount: 2_000n, trialDays: 10 }] as const;
  const world = new World('2027-04-05T10:00:00Z', catalog({ id: 'cove', seats: terms, prices }));
  world.create(null, { planId: 'cove' });
  world.pay(null);
  expect(world.subscription.status).toBe('trialing');
  expect(change(world, '2027-04-06', one('set', 'editors', 4n))).toMatchObject({ kind: 'ok' });
  expect(change(world, '2027-04-07', one('add', 'editors', 1n))).toMatchObject({
    code: 'included_limit_reached',
  });
  expectUnchanged(world);
  change(world, '2027-04-08', one('remove', 'editors', 1n));
  expect(held(world, 'editors')).toEqual([4n, 1n]);
  world.advance('2027-04-16');
  expect([world.subscription.status, held(world, 'editors')]).toEqual(['active', [3n, 0n]]);
  expect(world.linesOf(world.invoice).map(({ lineType, amount }) => [lineType, amount])).toEqual([
    ['plan_base', 2_000n],
  ]);
  expect(change(world, null, one('add', 'editors', 2n))).toMatchObject({ kind: 'ok' });
});

test('a past-due subscription accepts seat changes (CON-35)', () => {
  const world = subscribed();
  world.mood = 'declines';
  world.advance('2027-05-06');
  expect(world.subscription.status).toBe('past_due');
  expect(change(world, null, one('add', 'editors', 2n))).toMatchObject({ kind: 'ok' });
  expect(held(world, 'editors')).toEqual([2n, 0n]);
});

test("a feature that was removed and added again accepts seats, and the time in between isn't billed", () => {
  const world = shop();
  const { catalog: base } = world.aggregate;
  const version = (seq: bigint, date: string, attached: boolean) => ({
    ...termsRow('cove', 'editors', { ...terms.editors, attached }),
    id: `v${seq}`,
    seq,
    validFrom: new Date(date),
  });
  const versions = [
    version(1n, '2027-01-01', true),
    version(2n, '2027-04-20', false),
    version(3n, '2027-06-10', true),
  ];
  const featureVersions = new Map([['cove', new Map([['editors', versions]])]]);
  world.aggregate = { ...world.aggregate, catalog: { ...base, featureVersions } };
  world.create(null, { planId: 'cove' });
  world.pay(null);
  change(world, '2027-04-06', one('set', 'editors', 7n));
  change(world, '2027-04-07', one('remove', 'editors', 1n));
  world.advance('2027-07-06');
  const lines = world.aggregate.invoices.map((invoice) =>
    world.linesOf(invoice).map(({ lineType, chargeType, amount }) => `${lineType} ${chargeType} ${amount}`),
  );
  // 3 × 11.50 for 29 of 30 days.
  expect(lines.slice(1)).toEqual([
    ['plan_base advance 2000', 'feature_seats true_up 3335'],
    ['plan_base advance 2000'],
    ['plan_base advance 2000', 'feature_seats advance 2300'],
  ]);
  expect(held(world, 'editors')).toEqual([6n, 0n]);
  expect(world.sent.filter((kind) => kind === 'seats.updated')).toHaveLength(2);
});
