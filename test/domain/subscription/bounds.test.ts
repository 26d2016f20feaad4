import { describe, expect, test } from 'vitest';
import { largestAmount } from '../../../src/domain/money/money.ts';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, type PlanSketch, termsRow } from './catalog.ts';
import { change } from './ladder.ts';
import { expectUnchanged, World } from './world.ts';

// Amounts above the maximum of a line item, 9,000,000,000,000.00 (GLO-14a).

const sold = (planId: string, code: string, unitPriceRate: bigint) =>
  termsRow(planId, code, { overageEnabled: true, rate: unitRate(unitPriceRate) });

/** Plan at 10.00, with exports at 2.00 each and editors at 5.00 each. */
const plan = (interval: BillingInterval = 'monthly', base = 1_000n): PlanSketch => ({
  id: 'cove',
  prices: [{ id: 'p1', interval, amount: base }],
  seats: { exports: sold('cove', 'exports', 20_000n), editors: sold('cove', 'editors', 50_000n) },
});

const subscribed = (...plans: readonly PlanSketch[]): World => {
  const world = new World('2027-04-01T09:00:00Z', catalog(...plans));
  world.create(null, { planId: 'cove' });
  world.pay(null);
  void world.sent;
  return world;
};

/** Sets a usage total as though it had been recorded before the limit existed. */
function used(world: World, total: bigint): void {
  const { id, customerId, windowStart } = world.subscription;
  const row = {
    id: `${id}:exports`,
    seq: 1n,
    customerId,
    subscriptionId: id,
    featureId: 'exports',
    windowStart: windowStart ?? world.now,
    total,
    consumed: 0n,
    waived: 0n,
    price: '0',
    recorded: '0',
    held: null,
    crossed: 0,
    covered: 0n,
    meter: null,
    latestAt: null,
    level: null,
  } as const;
  world.aggregate = { ...world.aggregate, counters: [row] };
}

const refused = (param: string, message: string) => ({
  kind: 'rejection',
  code: 'validation_error',
  param,
  message,
});
const huge = 10n ** 17n;

describe('a number of seats whose price exceeds the invoice maximum', () => {
  // 5.00 × 1,800,000,000,000 are 9·10¹⁴ cents.
  const maximum = 1_800_000_000_000;

  test('is rejected at creation and at checkout, while the maximum is accepted', () => {
    const world = new World('2027-04-01', catalog(plan()));
    const outcome = world.create(null, { planId: 'cove', initialSeats: { editors: maximum + 1 } });
    expect(outcome).toMatchObject(
      refused(
        'initialSeats.editors',
        'The number of seats exceeds the maximum that can be billed. Request fewer seats.',
      ),
    );
    expectUnchanged(world);
    world.create(null, { planId: 'cove', initialSeats: { editors: maximum } });
    expect(world.invoice.total).toBe(largestAmount + 1_000n);
    const update = (count: number) =>
      world.do(null, {
        kind: 'checkout.update',
        subscriptionId: world.subscription.id,
        billingInterval: null,
        seats: { editors: count },
        locale: null,
        quoted: {},
      });
    expect(update(maximum + 1)).toMatchObject(
      refused(
        'seats.editors',
        'The number of seats exceeds the maximum that can be billed. Request fewer seats.',
      ),
    );
    expectUnchanged(world);
    expect(update(3)).toMatchObject({ kind: 'ok' });
    expect(world.invoice.total).toBe(2_500n);
  });

  test('prevents an immediate and a scheduled change to a plan that charges for the seats', () => {
    const expensivePlan = (id: string, amount: bigint): PlanSketch => ({
      id,
      prices: [{ id: `${id}_m`, interval: 'monthly', amount }],
      seats: { editors: sold(id, 'editors', 9_000_000_000_000_000n) },
    });
    const world = new World(
      '2027-04-01',
      catalog(expensivePlan('low', 500n), plan(), expensivePlan('ridge', 9_000n)),
    );
    world.create(null, { planId: 'cove', initialSeats: { editors: 1_000 } });
    world.pay(null);
    for (const newPlanId of ['ridge', 'low']) {
      expect(change(world, '2027-04-10', { newPlanId })).toMatchObject(
        refused(
          'newPlanId',
          'On the new plan, the charge for editors (quantity: 1000) would exceed the maximum invoice total.',
        ),
      );
      expectUnchanged(world);
    }
  });
});

describe("accepted usage that can't be billed", () => {
  test('makes the renewal and a plan change fail without changes', () => {
    const ridge: PlanSketch = { id: 'ridge', prices: [{ id: 'r1', interval: 'monthly', amount: 9_000n }] };
    const world = subscribed(plan(), ridge);
    used(world, huge);
    expect(() => world.advance('2027-05-02')).toThrow('failed item: validation_error');
    expectUnchanged(world);
    expect(change(world, '2027-04-20', { newPlanId: 'ridge' })).toMatchObject(
      refused(
        'newPlanId',
        'The line item “EXPORTS: 100000000000000000 beyond 0 included” exceeds the maximum invoice total.',
      ),
    );
    expectUnchanged(world);
    used(world, 10n);
    world.advance('2027-05-02');
    expect(world.invoice.total).toBe(3_000n);
  });

  test("doesn't prevent scheduled or immediate cancellations, which waive the usage charge (SUB-25a)", () => {
    const world = subscribed(plan());
    world.do('2027-04-11T09:00:00Z', {
      kind: 'counts.change',
      type: 'seats',
      changes: [{ eventId: 'e1', featureCode: 'editors', op: 'add', count: 3n }],
    });
    used(world, huge);
    world.cancel(null);
    world.advance('2027-05-02');
    expect(world.subscription).toMatchObject({ status: 'canceled', endDate: new Date('2027-05-01') });
    // 3 editors for 20 of 30 days.
    expect(world.invoice).toMatchObject({ type: 'overage', status: 'paid', total: 1_000n });
    expect(world.event('subscription.charges_waived').data).toMatchObject({
      subscriptionId: world.subscription.id,
      currency: 'usd',
      charges: [{ description: 'EXPORTS', amount: '20000000000000000000' }],
    });

    const other = subscribed(plan());
    used(other, huge);
    expect(other.cancel('2027-04-20', true)).toMatchObject({ kind: 'ok' });
    expect(other.subscription).toMatchObject({ status: 'canceled', endDate: new Date('2027-04-20') });
  });

  test("doesn't prevent usage window resets if the subscription is scheduled to end", () => {
    const world = subscribed(plan('yearly', 12_000n));
    used(world, huge);
    expect(() => world.advance('2027-05-02')).toThrow('failed item: validation_error');
    expectUnchanged(world);
    world.cancel(null);
    world.advance('2028-04-02');
    expect(world.subscription).toMatchObject({ status: 'canceled', endDate: new Date('2028-04-01') });
    expect(world.aggregate.invoices.map(({ total }) => total)).toEqual([12_000n]);
    expect(world.sent.filter((kind) => kind === 'subscription.charges_waived')).toHaveLength(1);
  });
});
