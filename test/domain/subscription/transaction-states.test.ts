import { describe, expect, test } from 'vitest';
import type { TransactionStatus } from '../../../src/domain/enums.ts';
import type { Outcome, TransactionRow } from '../../../src/domain/subscription/state/aggregate.ts';
import { simplePlan } from './catalog.ts';
import { cardThat, expectUnchanged, World } from './world.ts';

// The states of an attempt as data (PAY-21): what each trigger does in each, everything else being rejected or of no consequence.

/** A monthly subscription at 34.00 whose checkout is paid in a manner. */
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

const about = (world: World) => ({ transactionId: only(world).id });
const refund = (world: World, refundId: string, amountMinor: bigint | null): Outcome =>
  world.do('2027-05-20', {
    kind: 'transaction.refund',
    ...about(world),
    refundId,
    amountMinor,
    reason: null,
  });
const dispute = (world: World): Outcome =>
  world.do('2027-05-20', { kind: 'dispute.open', ...about(world), reason: 'fraudulent' });
const resolve = (world: World, outcome: 'won' | 'lost'): Outcome =>
  world.do('2027-05-21', { kind: 'dispute.resolve', ...about(world), outcome });
const answer = (world: World, status: 'settled' | 'unknown'): Outcome =>
  world.do('2027-05-20', { kind: 'charge.result', ...about(world), result: { status } });

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
  'no answer': (world: World) => answer(world, 'unknown'),
  'the answer that it settled': (world: World) => answer(world, 'settled'),
  'the answer that it was declined': (world: World) =>
    world.do('2027-05-20', {
      kind: 'charge.result',
      ...about(world),
      result: { status: 'declined', declineCode: 'no', message: 'No.' },
    }),
  'a refund of a part': (world: World) => refund(world, 'ref_2', 400n),
  'a full refund': (world: World) => refund(world, 'ref_2', null),
  'a refund of more': (world: World) => refund(world, 'ref_2', 3_401n),
  'a chargeback': dispute,
  'a dispute won': (world: World) => resolve(world, 'won'),
  'a dispute lost': (world: World) => resolve(world, 'lost'),
  'a retry': (world: World) => world.do('2027-05-20', { kind: 'transaction.retry', ...about(world) }),
} as const satisfies Record<string, (world: World) => Outcome>;

type Cell = readonly [from: keyof typeof provided, by: keyof typeof triggers, to: TransactionStatus];

/** Every step there is. */
const steps: readonly Cell[] = [
  ['pending', 'the answer that it settled', 'succeeded'],
  ['pending', 'the answer that it was declined', 'failed'],
  ['succeeded', 'a refund of a part', 'succeeded'],
  ['succeeded', 'a full refund', 'refunded'],
  ['succeeded', 'a chargeback', 'disputed'],
  ['disputed, open', 'a dispute won', 'succeeded'],
  ['disputed, open', 'a dispute lost', 'disputed'],
];

/** How everything else ends, nothing changing: told again it is of no consequence, asked for it is rejected. */
const endings: Readonly<Record<keyof typeof triggers, string>> = {
  'no answer': 'ok',
  'the answer that it settled': 'ok',
  'the answer that it was declined': 'ok',
  'a chargeback': 'ok',
  'a refund of a part': 'validation_error',
  'a full refund': 'validation_error',
  'a refund of more': 'validation_error',
  'a dispute won': 'validation_error',
  'a dispute lost': 'validation_error',
  'a retry': 'no_outstanding_invoice',
};

/** What an ending is in one state only. */
const endingOf = (from: keyof typeof provided, by: keyof typeof triggers): string =>
  from === 'pending' && by === 'a retry' ? 'charge_in_progress' : endings[by];

describe('PAY-21: an attempt that is', () => {
  test.each(steps)('%s is by %s then %s', (from, by, to) => {
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
  // 6 states × 10 triggers, less the steps.
  test('has every other pair looked at', () => expect(others).toHaveLength(53));

  test.each(others)('%s stays so by %s', (from, by) => {
    const world = provided[from]();
    const before = only(world);
    const outcome = triggers[by](world);
    expect(outcome.kind === 'rejection' ? outcome.code : outcome.kind).toBe(endingOf(from, by));
    expectUnchanged(world);
    expect(only(world)).toEqual(before);
  });
});

test('PAY-21: an invoice that is paid is not charged again, so that it has one attempt that succeeded', () => {
  const world = requested(null);
  expect(world.pay('2027-05-19')).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
  expectUnchanged(world);
  expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['succeeded']);
});
