import { describe, expect, test } from 'vitest';
import type { TransactionStatus } from '../../../src/domain/rows/enums.ts';
import type { Outcome, TransactionRow } from '../../../src/domain/subscription/state/aggregate.ts';
import { simplePlan } from './catalog.ts';
import { cardThat, expectUnchanged, World } from './world.ts';

// Payment attempt statuses (PAY-21): valid transitions by status and trigger. All other triggers are rejected or have no effect.

/** Creates a monthly subscription at 34.00 whose checkout has the given payment behavior. */
function requested(mood: World['mood'], first = 'pays'): World {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  world.mood = mood;
  world.pay(null, cardThat(first));
  world.mood = 'pays';
  return world;
}

const only = ({ aggregate }: World): TransactionRow => {
  const [row, ...more] = aggregate.transactions;
  if (row === undefined || more.length > 0) throw new Error('There is one attempt in these tests.');
  return row;
};

const target = (world: World) => ({ transactionId: only(world).id });
const refund = (world: World, refundId: string, amountMinor: bigint | null): Outcome =>
  world.do('2027-05-20', {
    kind: 'transaction.refund',
    ...target(world),
    refundId,
    amountMinor,
    reason: null,
  });
const dispute = (world: World): Outcome =>
  world.do('2027-05-20', { kind: 'dispute.open', ...target(world), reason: 'fraudulent' });
const resolve = (world: World, outcome: 'won' | 'lost'): Outcome =>
  world.do('2027-05-21', { kind: 'dispute.resolve', ...target(world), outcome });
const answer = (world: World, status: 'settled' | 'unknown'): Outcome =>
  world.do('2027-05-20', { kind: 'charge.result', ...target(world), result: { status } });

const provided = {
  pending: () => requested('silent'),
  succeeded: () => requested(null),
  failed: () => requested(null, 'declines'),
  refunded: () => {
    const world = requested(null);
    refund(world, 'ref_1', null);
    return world;
  },
  'disputed, open': () => {
    const world = requested(null);
    dispute(world);
    return world;
  },
  'disputed, lost': () => {
    const world = requested(null);
    dispute(world);
    resolve(world, 'lost');
    return world;
  },
} as const;

const triggers = {
  'no result': (world: World) => answer(world, 'unknown'),
  'a settlement': (world: World) => answer(world, 'settled'),
  'a decline': (world: World) =>
    world.do('2027-05-20', {
      kind: 'charge.result',
      ...target(world),
      result: { status: 'declined', declineCode: 'no', message: 'No.' },
    }),
  'a partial refund': (world: World) => refund(world, 'ref_2', 400n),
  'a full refund': (world: World) => refund(world, 'ref_2', null),
  'an excessive refund': (world: World) => refund(world, 'ref_2', 3_401n),
  'a chargeback': dispute,
  'a won dispute': (world: World) => resolve(world, 'won'),
  'a lost dispute': (world: World) => resolve(world, 'lost'),
  'a retry': (world: World) => world.do('2027-05-20', { kind: 'transaction.retry', ...target(world) }),
} as const satisfies Record<string, (world: World) => Outcome>;

type Cell = readonly [from: keyof typeof provided, by: keyof typeof triggers, to: TransactionStatus];

/** All valid transitions of a payment attempt's status. */
const steps: readonly Cell[] = [
  ['pending', 'a settlement', 'succeeded'],
  ['pending', 'a decline', 'failed'],
  ['succeeded', 'a partial refund', 'succeeded'],
  ['succeeded', 'a full refund', 'refunded'],
  ['succeeded', 'a chargeback', 'disputed'],
  ['disputed, open', 'a won dispute', 'succeeded'],
  ['disputed, open', 'a lost dispute', 'disputed'],
];

/** Outcome of all other triggers. Repeated results have no effect, and requests are rejected. */
const otherOutcomes: Readonly<Record<keyof typeof triggers, string>> = {
  'no result': 'ok',
  'a settlement': 'ok',
  'a decline': 'ok',
  'a chargeback': 'ok',
  'a partial refund': 'validation_error',
  'a full refund': 'validation_error',
  'an excessive refund': 'validation_error',
  'a won dispute': 'validation_error',
  'a lost dispute': 'validation_error',
  'a retry': 'no_outstanding_invoice',
};

/** Returns the expected outcome, including exceptions for specific statuses. */
const outcomeOf = (from: keyof typeof provided, by: keyof typeof triggers): string =>
  from === 'pending' && by === 'a retry' ? 'charge_in_progress' : otherOutcomes[by];

describe('the status of a payment attempt (PAY-21)', () => {
  test.each(steps)('changes from %s by %s to %s', (from, by, to) => {
    const world = provided[from]();
    triggers[by](world);
    expect(only(world).status).toBe(to);
  });

  const froms = Object.keys(provided) as (keyof typeof provided)[];
  const others = froms.flatMap((from) =>
    (Object.keys(triggers) as (keyof typeof triggers)[])
      .filter((by) => !steps.some(([a, b]) => a === from && b === by))
      .map((by) => [from, by] as const),
  );
  // 6 statuses × 10 triggers minus the valid transitions.
  test('has 53 combinations without a transition', () => expect(others).toHaveLength(53));

  test.each(others)('stays %s after %s', (from, by) => {
    const world = provided[from]();
    const before = only(world);
    const outcome = triggers[by](world);
    expect(outcome.kind === 'rejection' ? outcome.code : outcome.kind).toBe(outcomeOf(from, by));
    expectUnchanged(world);
    expect(only(world)).toEqual(before);
  });
});

test("a paid invoice isn't charged again and has one successful attempt (PAY-21)", () => {
  const world = requested(null);
  expect(world.pay('2027-05-19')).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
  expectUnchanged(world);
  expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['succeeded']);
});
