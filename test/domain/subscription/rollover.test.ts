import { expect, test } from 'vitest';
import { amountsIn } from '../../../src/domain/lots/account.ts';
import type { Rollover } from '../../../src/domain/pricing/pools.ts';
import { catalog } from './catalog.ts';
import { cardThat, World } from './world.ts';

// Rollover of a plan's unused amounts, with 1,000 included credits or a balance of 0.10 per window (PRM-22).

const twoWindows = { windows: 2, cap: 1_500 };

function open(
  rollover: Rollover | null,
  consumptionModel: 'credits' | 'balance' = 'credits',
  { planId, only }: { readonly planId: string; readonly only?: string } = { planId: 'cove' },
): World {
  const made = catalog(
    { id: 'cove', prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }] },
    { id: 'bay', prices: [{ id: 'p2', interval: 'monthly', amount: 4_400n }] },
  );
  const world = new World('2027-04-05T09:00:00Z', {
    ...made,
    plans: new Map(
      [...made.plans].map(([id, plan]) => {
        const own = only === undefined || only === id ? rollover : null;
        return [id, { ...plan, consumptionModel, pools: [{ pool: consumptionModel, rollover: own }] }];
      }),
    ),
    priceVersions: new Map(
      [...made.priceVersions].map(([id, rows]) => [
        id,
        rows.map((row) => ({ ...row, includedCredits: 1_000n, includedBalanceRate: 1_000n })),
      ]),
    ),
  });
  world.create(null, { planId });
  world.pay(null, cardThat('pays'));
  void world.sent;
  return world;
}

const use = (world: World, amount: bigint) =>
  world.do(null, {
    kind: 'balance.adjust',
    subscriptionId: world.subscription.id,
    pool: null,
    amount: -amount,
    reason: null,
  });

/** Returns the remaining amounts of the open lots by source, oldest first. */
const lots = (world: World) =>
  world.aggregate.lots
    .filter(({ isOpen }) => isOpen)
    .toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime())
    .map(({ source, remaining }) => [source, remaining]);

/** Asserts that the amount of the account equals the sum of its lots. */
function expectSum(world: World, amount: bigint): void {
  expect(world.aggregate.lots.reduce((sum, { remaining }) => sum + remaining, 0n)).toBe(amount);
  const [account] = world.aggregate.accounts;
  const of = (pool: string) => (account === undefined ? 0n : amountsIn(account, pool).amount);
  expect(of('credits') + of('balance')).toBe(amount);
}

test.each(['credits', 'balance'] as const)(
  'unused %s roll over for two windows, up to the maximum, oldest amount first (PRM-22, PRM-E41)',
  (model) => {
    const world = open(twoWindows, model);
    use(world, 600n);
    world.advance('2027-05-06');
    expect(lots(world)).toEqual([
      ['rollover', 400n],
      ['plan', 1_000n],
    ]);
    expect(world.sent).not.toContain('credits.expired');
    use(world, 300n);
    world.advance('2027-06-06');
    expect(lots(world)).toEqual([
      ['rollover', 100n],
      ['rollover', 1_000n],
      ['plan', 1_000n],
    ]);
    use(world, 60n);
    void world.sent;
    world.advance('2027-07-06');
    expect(lots(world)).toEqual([
      ['rollover', 500n],
      ['rollover', 1_000n],
      ['plan', 1_000n],
    ]);
    expect(world.sent.filter((kind) => kind === 'lot.expired')).toHaveLength(2);
    const expired = world.events.filter(({ kind }) => kind === 'lot.expired');
    expect(expired.map(({ data }) => data)).toMatchObject([{ amount: 40 }, { amount: 500 }]);
    use(world, 2_000n);
    expect(lots(world).filter(([, remaining]) => remaining !== 0n)).toEqual([['plan', 500n]]);
    expectSum(world, 500n);
  },
);

test('a rolled-over lot ends with its last window, without a notice (PRM-22)', () => {
  const world = open({ windows: 1, cap: null });
  world.advance('2027-05-06');
  const rolled = world.aggregate.lots.find(({ source }) => source === 'rollover');
  expect(rolled).toMatchObject({ amount: 1_000n, expiresAt: new Date('2027-06-05'), endsWithWindow: false });
  expect(world.deadlines.filter((text) => text.includes('lot_'))).toHaveLength(1);
  world.cancel(null, true);
  void world.sent;
  world.advance('2027-06-06');
  expect(world.sent).toEqual(['lot.expired']);
});

test('amounts that roll over never expire if the rollover has no number of windows (PRM-22)', () => {
  const world = open({ windows: null, cap: null });
  world.advance('2027-08-06');
  expectSum(world, 5_000n);
  use(world, 4_500n);
  expect(lots(world).find(([source]) => source === 'plan')).toEqual(['plan', 500n]);
});

test('a plan change ends the lot of the plan but keeps the rolled-over lots (PRM-147)', () => {
  const world = open(twoWindows);
  world.advance('2027-05-06');
  const changed = world.do(null, {
    kind: 'subscription.change_plan',
    subscriptionId: world.subscription.id,
    request: { newPlanId: 'bay', newBillingInterval: null, offerId: null, isPortal: false },
    successUrl: null,
  });
  expect(changed).toMatchObject({ kind: 'ok' });
  expect(lots(world)).toEqual([
    ['rollover', 1_000n],
    ['plan', 1_000n],
  ]);
});

test('a plan without a rollover expires its unused credits (CON-19)', () => {
  const world = open(null);
  world.advance('2027-05-06');
  expect(lots(world)).toEqual([['plan', 1_000n]]);
  expect(world.sent).toContain('credits.expired');
});

test.each([
  ['bay', ['rollover', 'plan']],
  ['cove', ['plan']],
])(
  'a scheduled plan change rolls over by the terms of the ending plan: only %s has a rollover (PRM-22)',
  (only, sources) => {
    const world = open(twoWindows, 'credits', { planId: 'bay', only });
    const changed = world.do(null, {
      kind: 'subscription.change_plan',
      subscriptionId: world.subscription.id,
      request: { newPlanId: 'cove', newBillingInterval: null, offerId: null, isPortal: false },
      successUrl: null,
    });
    expect(changed).toMatchObject({ kind: 'ok' });
    expect(world.subscription.scheduledChange).not.toBeNull();
    world.advance('2027-05-06');
    expect(world.subscription.planId).toBe('cove');
    expect(lots(world).map(([source]) => source)).toEqual(sources);
  },
);
