import { describe, expect, test } from 'vitest';
import { catalog, simplePlan } from '../subscription/catalog.ts';
import { change, running } from '../subscription/ladder.ts';
import { at, cardThat, customer, World } from '../subscription/world.ts';
import { entries } from './entry-texts.ts';

// Events with special effects on monthly recurring revenue (MET-6), and the days on which they take effect. recurring.test.ts covers
// revenue based on a subscription's current state.

/** Creates a subscription for 34.00 a month, paid on May 18. `later` is how the card behaves at renewals. */
function paid(later = 'pays', changes: ConstructorParameters<typeof World>[2] = {}): World {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n), changes);
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays', later));
  return world;
}

/** Creates an unpaid checkout for 34.00. */
function unpaid(): World {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  return world;
}

const transactionId = ({ aggregate }: World): string => aggregate.transactions[0]?.id ?? '';

const refund = (world: World, now: string, amountMinor: bigint | null) =>
  world.do(now, {
    kind: 'transaction.refund',
    transactionId: transactionId(world),
    refundId: `ref_${now}`,
    amountMinor,
    reason: null,
  });

const mark = (world: World, now: string, status: 'paid' | 'void') =>
  world.do(now, { kind: 'invoice.mark', invoiceId: world.invoice.id, status });

const begun = '2027-05-18 activated 0 → 340000';

/** Creates a subscription to the lower of two plans in a group. The higher plan can be given as a plan grant. */
function grants(): World {
  const made = catalog(
    {
      id: 'cove',
      prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }],
      seats: { exports: { includedAmount: 100n } },
    },
    { id: 'ridge', seats: { exports: { includedAmount: 500n } } },
  );
  const plans = new Map([...made.plans].map(([id, plan]) => [id, { ...plan, planGroupId: 'plg_1' }]));
  const world = new World('2027-05-18', { ...made, plans });
  world.create(null, { planId: 'cove' });
  world.pay(null);
  return world;
}

type Case = readonly [title: string, story: () => World, expected: readonly string[]];

const cases: readonly Case[] = [
  [
    'a plan grant has no effect before, during and after its duration',
    () => {
      const world = grants();
      const granted = world.do('2027-05-20', {
        kind: 'grant.create',
        subscriptionId: world.subscription.id,
        grantId: 'pgr_1',
        planId: 'ridge',
        reason: 'A taste.',
        source: 'api',
        duration: 'until_date',
        durationCycles: null,
        requestedExpiresAt: at('2027-06-25'),
      });
      expect(granted).toMatchObject({ kind: 'ok' });
      world.advance('2027-07-01');
      expect(world.aggregate.invoices.map(({ total }) => total)).toEqual([3_400n, 3_400n]);
      return world;
    },
    [begun],
  ],
  [
    'a partial refund has no effect',
    () => {
      const world = paid();
      expect(refund(world, '2027-05-20', 1_000n)).toMatchObject({ kind: 'ok' });
      return world;
    },
    [begun],
  ],
  [
    'a full refund cancels on its day',
    () => {
      const world = paid();
      refund(world, '2027-05-20', null);
      return world;
    },
    [begun, '2027-05-20 refunded 340000 → 0'],
  ],
  [
    'a won dispute has no effect',
    () => {
      const world = paid();
      world.do('2027-05-20', {
        kind: 'dispute.open',
        transactionId: transactionId(world),
        reason: 'fraudulent',
      });
      world.do('2027-05-25', {
        kind: 'dispute.resolve',
        transactionId: transactionId(world),
        outcome: 'won',
      });
      return world;
    },
    [begun],
  ],
  [
    'a lost dispute has no effect',
    () => {
      const world = paid();
      world.do('2027-05-20', {
        kind: 'dispute.open',
        transactionId: transactionId(world),
        reason: 'fraudulent',
      });
      world.do('2027-05-25', {
        kind: 'dispute.resolve',
        transactionId: transactionId(world),
        outcome: 'lost',
      });
      return world;
    },
    [begun],
  ],
  [
    'an invoice marked paid activates on its day',
    () => {
      const world = unpaid();
      mark(world, '2027-05-20', 'paid');
      return world;
    },
    ['2027-05-20 activated 0 → 340000'],
  ],
  [
    'an invoice marked void leaves a checkout at 0',
    () => {
      const world = unpaid();
      mark(world, '2027-05-20', 'void');
      return world;
    },
    [],
  ],
  [
    'a renewal marked paid ends the risk, at the same revenue',
    () => {
      const world = paid('declines');
      world.advance('2027-06-18');
      mark(world, '2027-06-20', 'paid');
      return world;
    },
    [begun, '2027-06-18 past_due 340000 → 340000', '2027-06-20 recovered 340000 → 340000'],
  ],
  [
    'a scheduled change takes effect at its execution',
    () => {
      const world = running('2027-05-18', { planId: 'ridge' });
      change(world, '2027-05-20', { newPlanId: 'cove' });
      expect(world.mrr).toHaveLength(1);
      world.advance('2027-06-19');
      return world;
    },
    ['2027-05-18 activated 0 → 1180000', '2027-06-18 plan_changed 1180000 → 340000'],
  ],
  [
    'a scheduled and withdrawn cancellation has no effect on both days',
    () => {
      const world = paid();
      world.cancel('2027-05-20');
      world.uncancel('2027-05-25');
      world.advance('2027-06-19');
      return world;
    },
    [begun],
  ],
  [
    'a reactivation takes effect at its settlement',
    () => {
      const world = paid();
      world.cancel('2027-05-20', true);
      world.mood = 'asks';
      const { id: subscriptionId } = world.subscription;
      world.do('2027-05-25', { kind: 'subscription.reactivate', subscriptionId, offerId: null });
      expect(world.mrr).toHaveLength(2);
      world.mood = 'pays';
      world.do('2027-05-26', {
        kind: 'recovery.pay',
        subscriptionId,
        invoiceId: world.invoice.id,
        method: cardThat('pays'),
        abandoned: null,
      });
      return world;
    },
    [begun, '2027-05-20 canceled 340000 → 0', '2027-05-26 reactivated 0 → 340000'],
  ],
  [
    'a deleted customer is reduced to 0',
    () => {
      const world = paid();
      world.do('2027-05-20', { kind: 'customer.delete', subscriptionIds: [], links: [] });
      return world;
    },
    [begun, '2027-05-20 customer_deleted 340000 → 0'],
  ],
  [
    'tax is excluded',
    () => {
      const world = paid('pays', {
        customer: { ...customer, country: 'DE' },
        taxRegistrations: [{ country: 'DE', region: null, rateBps: 1_900 }],
      });
      expect(world.invoice).toMatchObject({ taxAmount: 646n, total: 4_046n });
      return world;
    },
    [begun],
  ],
];

describe('a special case of recurring revenue (MET-6)', () => {
  test.each(cases)('changes revenue on the expected days: %s', (_title, story, expected) => {
    expect(entries(story())).toEqual(expected);
  });
});
