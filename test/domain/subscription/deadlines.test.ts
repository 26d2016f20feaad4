import { expect, test } from 'vitest';
import {
  comesBefore,
  deadline,
  deadlineRanks,
  retryDelayMs,
} from '../../../src/domain/subscription/state/deadlines.ts';
import { minuteMs } from '../../../src/domain/time/period.ts';
import { simplePlan } from './catalog.ts';
import { at, card, cardThat, World } from './world.ts';

test('simultaneous deadlines are processed in the documented order, and each type has a unique rank (BIL-2)', () => {
  const inOrder = Object.entries(deadlineRanks).toSorted(([, a], [, b]) => a - b);
  const listed = [
    'quote_expiry',
    'checkout_expiry',
    'dunning_retry',
    'start',
    'trial_end',
    'period_end',
    'window_reset',
    'lot_expiry',
    'daily_scan',
  ];
  expect(inOrder.map(([kind]) => kind).filter((kind) => listed.includes(kind))).toEqual(listed);
  expect(new Set(Object.values(deadlineRanks)).size).toBe(inOrder.length);
});

test("a payment retry is settled before a simultaneous period end, which isn't postponed (BIL-2, BIL-8)", () => {
  const world = new World('2027-01-01', simplePlan('weekly', 1_000n));
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays', 'declines'));
  // The renewal on January 8 is declined. The fourth retry is 7 days later, at the next period end.
  world.advance('2027-01-14');
  expect(world.subscription.status).toBe('past_due');
  world.mood = 'pays';
  world.advance('2027-01-15');
  expect(world.items.slice(-2).map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['dunning_retry', 'recovered'],
    ['period_end', 'renewed'],
  ]);
  expect(world.parked).toEqual([]);
});

test("the subscription's payment method is charged, even if the customer stored another one later (BIL-31)", () => {
  const world = new World('2027-01-31', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  world.pay(null, card);
  const [stamped] = world.aggregate.paymentMethods;
  if (stamped === undefined) throw new Error('nothing was stored');
  const later = {
    ...stamped,
    id: 'pm_later',
    seq: 99n,
    reference: 'tok_declines',
    createdAt: at('2027-02-02'),
  };
  world.aggregate = { ...world.aggregate, paymentMethods: [stamped, later] };
  world.advance('2027-02-28');
  expect(world.subscription).toMatchObject({ status: 'active', paymentMethodId: stamped.id });
  expect(world.aggregate.transactions.at(-1)).toMatchObject({
    status: 'succeeded',
    paymentMethodId: stamped.id,
  });
});

test('the anchor moves on activation, at the end of a trial, and on reactivation, but not on renewal or recovery (SUB-61)', () => {
  const world = new World('2027-01-20T10:00:00Z', simplePlan('monthly', 3_400n, { trialDays: 11 }));
  world.create(null, { planId: 'cove' });
  const anchors = [world.subscription.anchorDate];
  world.pay(null, cardThat('pays', 'pays'));
  anchors.push(world.subscription.anchorDate);
  world.advance('2027-01-31');
  anchors.push(world.subscription.anchorDate);
  world.advance('2027-02-28');
  anchors.push(world.subscription.anchorDate);
  world.mood = 'declines';
  world.advance('2027-03-31');
  world.mood = 'pays';
  world.do('2027-04-01T12:00:00Z', {
    kind: 'subscription.reactivate',
    subscriptionId: world.subscription.id,
    offerId: null,
  });
  expect(world.subscription.status).toBe('active');
  anchors.push(world.subscription.anchorDate);
  world.cancel('2027-04-05', true);
  world.do('2027-04-09T12:00:00Z', {
    kind: 'subscription.reactivate',
    subscriptionId: world.subscription.id,
    offerId: null,
  });
  anchors.push(world.subscription.anchorDate);
  // In order: created, trial started, trial ended, renewed, recovered, reactivated.
  expect(anchors).toEqual([
    null,
    at('2027-01-20'),
    at('2027-01-31'),
    at('2027-01-31'),
    at('2027-01-31'),
    at('2027-04-09'),
  ]);
});

test.each([
  [1, 1],
  [2, 2],
  [6, 32],
  [7, 60],
  [40, 60],
])('a deadline that failed %i times is retried after %i minutes', (attempts, minutes) => {
  expect(retryDelayMs(attempts)).toBe(minutes * minuteMs);
});

test('deadlines are ordered by due time, and then by rank (BIL-2)', () => {
  const world = new World('2027-01-01', simplePlan('weekly', 1_000n));
  world.create(null, { planId: 'cove' });
  const retry = deadline(world.subscription, 'dunning_retry', at('2027-01-15'), 4, { slot: 4 });
  const scan = deadline(world.subscription, 'daily_scan', at('2027-01-15'), 'upcoming');
  expect([comesBefore(retry, scan), comesBefore(scan, retry)]).toEqual([true, false]);
  const earlier = { ...scan, dueAt: at('2027-01-14') };
  expect([comesBefore(earlier, retry), comesBefore(retry, earlier)]).toEqual([true, false]);
});
