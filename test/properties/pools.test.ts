import { expect, test } from 'vitest';
import { amountsIn, balanceOf, otherAmountOf, planAmountOf } from '../../src/domain/lots/account.ts';
import { adjustPool, grantRaise, purchaseUnits, topUpBalance } from '../../src/domain/lots/movements.ts';
import type { EntryDraft } from '../../src/domain/lots/posting.ts';
import { resetPool } from '../../src/domain/lots/reset.ts';
import { rateToMinor } from '../../src/domain/money/money.ts';
import { admit, type Meter, setTotal } from '../../src/domain/usage/admission.ts';
import type { UsageTerms } from '../../src/domain/usage/terms.ts';
import { attributeDeficit, type Drawn, overageUnits } from '../../src/domain/usage/window.ts';
import { account, counter, poolTerms, terms } from '../domain/usage/facts.ts';
import { histories, type Random, randomOf } from '../support/random.ts';
import { creditRates, unitRates } from '../support/rates.ts';

// Random histories for the pure usage core, compared with a model that uses plain numbers and has no entries, alerts, or accounts.

/** A subscription's expected usage, credits, and balance. */
type Model = { total: number; plan: number; purchased: number; balance: number; included: number };

/** State of the tested code, including all of its entries, and state of the model. */
type World = { meter: Meter; readonly entries: EntryDraft[]; draws: Drawn[]; readonly model: Model };

const zero: Model = { total: 0, plan: 0, purchased: 0, balance: 0, included: 0 };

/** Applies a result from the core. Returns `true` if the operation was accepted. */
function take(
  world: World,
  result: { meter?: Meter; account?: Meter['account']; entries?: readonly EntryDraft[] } | { code: string },
): boolean {
  if ('code' in result) return false;
  const { counter } = world.meter;
  world.meter =
    'meter' in result && result.meter !== undefined
      ? result.meter
      : { account: result.account ?? world.meter.account, counter };
  world.entries.push(...(result.entries ?? []));
  return !('rejection' in result);
}

const sum = (rows: readonly { readonly amount: bigint }[]): bigint =>
  rows.reduce((total, { amount }) => total + amount, 0n);

const payment = { sourceId: 'inv_1', description: null, paidMinor: 1_000n };

/** Deducts usage from the model. If the model has too few units, returns `false` and changes nothing. */
function drawn(model: Model, { pool, allowsOverage }: UsageTerms, units: number, cost: number): boolean {
  const kind = pool?.pool;
  if (pool === null && !allowsOverage && model.total + units > model.included) return false;
  if (kind === 'credits' && cost > model.plan + model.purchased) return false;
  if (kind === 'balance' && pool?.canOverdraw === false && cost > model.balance) return false;
  model.total += units;
  if (kind === 'credits') {
    const fromPlan = Math.min(cost, model.plan);
    model.plan -= fromPlan;
    model.purchased -= cost - fromPlan;
  }
  if (kind === 'balance') model.balance -= cost;
  return true;
}

function draw(world: World, random: Random, provided: UsageTerms): void {
  const units = 1 + random.below(40);
  const cost = units * 7;
  const before = world.entries.length;
  const isAccepted = take(world, admit(provided, world.meter, { units: BigInt(units), cost: BigInt(cost) }));
  expect(isAccepted).toBe(drawn(world.model, provided, units, cost));
  const entries = world.entries.slice(before);
  expect(entries.reduce((total, { amount }) => total - amount, 0n)).toBe(
    isAccepted && provided.pool !== null ? BigInt(cost) : 0n,
  );
  world.draws.push(...entries.map(({ amount }) => ({ featureId: random.pick(['ftr_1', 'ftr_2']), amount })));
}

function set(world: World, random: Random, provided: UsageTerms): void {
  if (provided.pool !== null) return;
  const { model } = world;
  const total = random.below(300);
  const isAllowed = provided.allowsOverage || total <= model.included || total <= model.total;
  expect(take(world, setTotal(provided, world.meter, BigInt(total)))).toBe(isAllowed);
  if (isAllowed) model.total = total;
}

function raise(world: World, random: Random, provided: UsageTerms): void {
  const { model } = world;
  const included = random.below(1_500);
  take(
    world,
    grantRaise(world.meter.account, provided.pool === null ? [] : [provided.pool], {
      credits: BigInt(included),
      balance: BigInt(included),
    }),
  );
  const more = Math.max(0, included - model.included);
  if (provided.pool?.pool === 'credits') model.plan += more;
  if (provided.pool?.pool === 'balance') model.balance += more;
  model.included += more;
}

function supply(world: World, random: Random, provided: UsageTerms): void {
  const amount = random.below(500) - 250;
  const { model } = world;
  const { account: held } = world.meter;
  if (provided.pool?.pool === 'credits') {
    const isAllowed = model.plan + model.purchased + amount >= 0;
    expect(
      take(
        world,
        amount > 0 && random.below(2) === 0
          ? purchaseUnits(held, 'credits', BigInt(amount), payment)
          : adjustPool(held, 'credits', BigInt(amount), false, null),
      ),
    ).toBe(isAllowed);
    if (!isAllowed) return;
    const fromPlan = Math.min(model.plan, Math.max(0, -amount));
    model.plan -= fromPlan;
    model.purchased += amount + fromPlan;
  }
  if (provided.pool?.pool === 'balance') {
    const isAllowed = provided.pool.canOverdraw || amount >= 0 || model.balance + amount >= 0;
    const isTopUp = amount > 0 && random.below(2) === 0;
    expect(
      take(
        world,
        isTopUp
          ? topUpBalance(held, BigInt(amount), payment)
          : adjustPool(held, 'balance', BigInt(amount), provided.pool.canOverdraw, null),
      ),
    ).toBe(isAllowed);
    if (isAllowed) model.balance += amount;
  }
}

/** Ends the usage window. Checks the billed overage or deficit once, and starts the next window with new included units. */
function reset(world: World, random: Random, provided: UsageTerms): void {
  const { model, meter } = world;
  if (provided.pool === null) {
    const billed = provided.allowsOverage ? Math.max(0, model.total - model.included) : 0;
    expect(overageUnits(provided, meter.counter)).toBe(BigInt(billed));
  }
  if (balanceOf(meter.account) < 0n) {
    const deficit = -balanceOf(meter.account);
    const shares = attributeDeficit(deficit, world.draws.toReversed(), 'usd');
    expect(shares.reduce((total, { amount }) => total + amount, 0n)).toBe(deficit);
    expect(shares.reduce((total, { amountMinor }) => total + amountMinor, 0n)).toBe(
      rateToMinor(deficit, 'usd'),
    );
    expect(shares.every(({ amount, amountMinor }) => amount >= 0n && amountMinor >= 0n)).toBe(true);
  }
  const included = random.below(1_000);
  if (provided.pool?.pool === 'credits')
    take(world, resetPool(meter.account, 'credits', BigInt(included), false));
  if (provided.pool?.pool === 'balance')
    take(world, resetPool(meter.account, 'balance', BigInt(included), false));
  Object.assign(model, { total: 0, plan: provided.pool?.pool === 'credits' ? included : 0, included });
  if (provided.pool?.pool === 'balance') model.balance = included;
  world.meter = { account: world.meter.account, counter: counter() };
  world.draws = [];
}

/** Expects the core to equal the model, and the account to equal the sums of its lots and of its entries. */
function expectModel({ meter, entries, model }: World, provided: UsageTerms): void {
  const { account: held } = meter;
  expect([
    meter.counter.total,
    planAmountOf(held, 'credits'),
    otherAmountOf(held, 'credits'),
    amountsIn(held, 'credits').amount,
    amountsIn(held, 'balance').amount,
  ]).toEqual(
    [model.total, model.plan, model.purchased, model.plan + model.purchased, model.balance].map(BigInt),
  );
  const { credits = [], balance = [] } = Object.groupBy(entries, ({ asset }) =>
    asset === 'credits' ? 'credits' : 'balance',
  );
  expect([sum(credits), sum(balance)]).toEqual(
    ['credits', 'balance'].map((pool) => amountsIn(held, pool).amount),
  );
  const byLot = Map.groupBy(entries, ({ lotId }) => lotId);
  for (const { id, source, remaining } of held.lots) {
    expect(remaining).toBe(sum(byLot.get(id) ?? []));
    expect(source === 'overdraft' ? remaining <= 0n : remaining >= 0n).toBe(true);
    byLot.delete(id);
  }
  for (const closed of byLot.values()) expect(sum(closed)).toBe(0n);
  expect(amountsIn(held, 'balance').amount >= 0n || provided.pool?.canOverdraw).toBe(true);
}

const kinds = [
  ['a hard metered limit', { allowsOverage: false }],
  ['metered overage', { allowsOverage: true }],
  ['credits', { pool: poolTerms('credits'), rates: creditRates(7n) }],
  ['a blocking balance', { pool: poolTerms('balance'), rates: unitRates(7n) }],
  ['an open balance', { pool: poolTerms('balance', true), rates: unitRates(7n) }],
] as const;

test.each(kinds)(
  'a usage history of %s matches the model, and credits and balances equal the sum of their entries (CON-7, CON-10, CON-58)',
  (_what, changes) => {
    for (let seed = 1; seed <= histories(200); seed++) {
      const random = randomOf(seed);
      const world: World = {
        meter: { account: account(), counter: counter() },
        entries: [],
        draws: [],
        model: { ...zero },
      };
      const steps = [draw, draw, draw, draw, set, raise, supply, reset];
      for (let step = 0; step < 40; step++) {
        // The included units are part of the terms, so the core receives the model's current number.
        const isInvoiced = !('pool' in changes);
        const includedAmount = isInvoiced ? BigInt(world.model.included) : 0n;
        const provided = terms({ ...changes, includedAmount });
        random.pick(steps)(world, random, provided);
        expectModel(world, provided);
      }
    }
  },
);
