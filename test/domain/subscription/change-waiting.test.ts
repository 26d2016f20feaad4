import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { directionOf } from '../../../src/domain/subscription/plan-change/change-direction.ts';
import {
  previewChange,
  scheduledSeatsBeyond,
} from '../../../src/domain/subscription/plan-change/change-preview.ts';
import type { ChangeRequest } from '../../../src/domain/subscription/plan-change/change-target.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, type PlanSketch } from './catalog.ts';
import { amounts, change, ladder, monthly, offers, running, yearly } from './ladder.ts';
import { at, card, cardThat, expectUnchanged, World } from './world.ts';

type Place = readonly [rank: number, interval: BillingInterval | null];
const positionOf = ([sortOrder, interval]: Place) => ({ isFree: interval === null, interval, sortOrder });

describe('the direction of a plan change', () => {
  // Plan ranks: Cove 1, Ridge 2, Atlas 3, and a free plan 4.
  const cases: readonly (readonly [string, Place, Place, string])[] = [
    ['1: free to paid', [4, null], [1, 'monthly'], 'checkout'],
    ['1: free to one-time', [4, null], [1, 'one_time'], 'checkout'],
    ['2, SUB-E9: paid to free, ranked higher', [3, 'monthly'], [4, null], 'scheduled'],
    ['2: paid to free, ranked lower', [3, 'yearly'], [1, null], 'scheduled'],
    ['2: one-time to free, without a period end', [3, 'one_time'], [4, null], 'refused'],
    ['3: free to free', [4, null], [1, null], 'immediate'],
    ['4: a longer interval of the plan', [1, 'weekly'], [1, 'monthly'], 'immediate'],
    ['4, SUB-E9: a longer interval of a higher plan', [1, 'monthly'], [3, 'yearly'], 'immediate'],
    ['4: a longer interval of a lower plan', [3, 'monthly'], [1, 'quarterly'], 'immediate'],
    ['5, SUB-E9: a shorter interval of a higher plan', [2, 'yearly'], [3, 'monthly'], 'scheduled'],
    ['5: a shorter interval of the plan', [2, 'quarterly'], [2, 'monthly'], 'scheduled'],
    ['6: the same interval on a higher plan', [1, 'monthly'], [2, 'monthly'], 'immediate'],
    ['7: the same interval on a lower plan', [2, 'monthly'], [1, 'monthly'], 'scheduled'],
    ['8: one-time, higher (OQ-14)', [1, 'one_time'], [2, 'one_time'], 'immediate'],
    ['9: one-time, lower (OQ-14)', [2, 'one_time'], [1, 'one_time'], 'refused'],
  ];
  test.each(cases)('follows rule %s', (_row, from, to, direction) => {
    expect(directionOf(positionOf(from), positionOf(to))).toBe(direction);
  });
});

describe('the validation of a plan change, in the order of the checks (SUB-37)', () => {
  const plans: readonly PlanSketch[] = [
    ...ladder,
    { id: 'isle', group: 'other', prices: [monthly('isle_m', 100n)] },
    { id: 'gone', deletedAt: at('2027-01-01'), prices: [monthly('gone_m', 100n)] },
    { id: 'bare' },
    { id: 'once', prices: [{ id: 'once_p', interval: 'one_time', amount: 9_900n }] },
    { id: 'more', prices: [{ id: 'more_p', interval: 'one_time', amount: 19_900n }] },
    { id: 'hidden', isPublic: false, prices: [monthly('hidden_m', 13_000n)] },
  ];
  const cases: readonly (readonly [string, string, Partial<ChangeRequest>, string])[] = [
    ['an unknown plan', 'cove', { newPlanId: 'none', offerId: 'none' }, 'plan_not_found'],
    ['a deleted plan', 'cove', { newPlanId: 'gone' }, 'plan_not_found'],
    [
      'a hidden plan, by the customer (OQ-18)',
      'cove',
      { newPlanId: 'hidden', isPortal: true },
      'plan_unavailable',
    ],
    ['the current plan', 'cove', { newPlanId: 'cove', offerId: 'none' }, 'no_change_requested'],
    ['the current plan and interval', 'cove', { newBillingInterval: 'monthly' }, 'no_change_requested'],
    [
      'a plan of another group',
      'cove',
      { newPlanId: 'isle', newBillingInterval: 'weekly' },
      'plans_not_in_same_group',
    ],
    [
      'a free plan by the month',
      'cove',
      { newPlanId: 'gratis', newBillingInterval: 'monthly' },
      'free_plan_change_not_supported',
    ],
    [
      'a free plan with an offer',
      'cove',
      { newPlanId: 'gratis', offerId: 'half' },
      'free_plan_change_not_supported',
    ],
    [
      'an interval of a free plan',
      'gratis',
      { newBillingInterval: 'monthly' },
      'free_plan_change_not_supported',
    ],
    ['a one-time plan', 'cove', { newPlanId: 'once' }, 'validation_error'],
    ['from a one-time plan to a recurring plan', 'once', { newPlanId: 'ridge' }, 'validation_error'],
    ['from a one-time plan to an interval', 'once', { newBillingInterval: 'monthly' }, 'validation_error'],
    ['from a one-time plan to a lower plan', 'more', { newPlanId: 'once' }, 'validation_error'],
    ['from a one-time plan to a free plan', 'more', { newPlanId: 'gratis' }, 'validation_error'],
    ['a plan without prices', 'cove', { newPlanId: 'bare' }, 'no_prices_configured'],
    ['an unsold interval', 'cove', { newBillingInterval: 'weekly' }, 'price_not_found'],
    [
      'an offer on a scheduled change (OFR-32)',
      'ridge',
      { newPlanId: 'cove', offerId: 'half' },
      'offer_not_applicable',
    ],
    ['an unknown offer', 'cove', { newPlanId: 'ridge', offerId: 'none' }, 'offer_not_found'],
    [
      'an offer with a trial (OFR-32)',
      'cove',
      { newPlanId: 'ridge', offerId: 'trial' },
      'offer_not_applicable',
    ],
  ];
  test.each(cases)('rejects %s', (_what, planId, request, code) => {
    const world = running('2027-03-09', { planId }, { plans });
    expect(change(world, '2027-03-10', request)).toMatchObject({ kind: 'rejection', code });
    expectUnchanged(world);
  });

  test("accepts a hidden plan if it's requested with a secret key", () => {
    const world = running('2027-03-09', { planId: 'cove' }, { plans });
    expect(change(world, null, { newPlanId: 'hidden' })).toMatchObject({ kind: 'ok' });
  });

  test("uses the current interval if the new plan has a price for it, and the default price's interval otherwise (OQ-80)", () => {
    const world = running('2027-03-09', { planId: 'cove' });
    change(world, null, { newPlanId: 'atlas' });
    expect(world.subscription).toMatchObject({ priceId: 'atlas_m' });
    const [cove, ridge] = ladder;
    const other = running(
      '2027-03-09',
      { planId: 'cove' },
      {
        plans: [
          { ...cove, id: 'cove' },
          { ...ridge, id: 'ridge', prices: [yearly('y', 99_000n)] },
        ],
      },
    );
    change(other, null, { newPlanId: 'ridge' });
    expect(other.subscription).toMatchObject({ priceId: 'y', billingInterval: 'yearly' });
  });

  test('rejects a change if the subscription is scheduled to end (OQ-12), disputed (SUB-22), past due, or canceled (SUB-21)', () => {
    const world = running('2027-03-09', { planId: 'cove' }, { method: cardThat('pays', 'declines') });
    world.cancel(null);
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({ code: 'already_scheduled' });
    world.uncancel(null);
    const { id: transactionId } = world.aggregate.transactions[0] ?? { id: '' };
    world.do(null, { kind: 'dispute.open', transactionId, reason: 'fraudulent' });
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({
      code: 'subscription_has_open_dispute',
    });
    world.do(null, { kind: 'dispute.resolve', transactionId, outcome: 'won' });
    world.advance('2027-04-09');
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({ code: 'subscription_not_active' });
    world.cancel(null, true);
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({ code: 'subscription_not_active' });
  });

  test('rejects an immediate change without a stored payment method', () => {
    const world = running('2027-03-09', { planId: 'cove' });
    world.aggregate = { ...world.aggregate, paymentMethods: [] };
    expect(change(world, null, { newPlanId: 'ridge' })).toMatchObject({ code: 'no_payment_method' });
    expectUnchanged(world);
    expect(change(world, null, { newPlanId: 'gratis' })).toMatchObject({ kind: 'ok' });
  });
});

describe('a plan change from a one-time plan, without a credit (OQ-14)', () => {
  test('charges the full price', () => {
    const plans: readonly PlanSketch[] = [
      { id: 'once', prices: [{ id: 'once_p', interval: 'one_time', amount: 9_900n }] },
      { id: 'more', prices: [{ id: 'more_p', interval: 'one_time', amount: 19_900n }] },
    ];
    const world = running('2027-03-09', { planId: 'once' }, { plans });
    change(world, '2027-03-20', { newPlanId: 'more' });
    expect(amounts(world)).toEqual(['plan_base advance 19900']);
    expect(world.subscription).toMatchObject({
      planId: 'more',
      billingInterval: 'one_time',
      periodStart: at('2027-03-20'),
    });
    expect(world.deadlines).toEqual(['2027-04-20 window_reset:sub']);
  });
});

describe('a plan change with seats (SUB-46)', () => {
  const seats = (includedAmount: bigint, overageEnabled = false) => ({
    editors: { includedAmount, overageEnabled, rate: unitRate(10_000n) },
  });
  const plans: readonly PlanSketch[] = [
    { id: 'cove', prices: [monthly('cove_m', 3_400n), yearly('cove_y', 33_600n)], seats: seats(9n) },
    { id: 'reef', prices: [monthly('reef_m', 5_000n)], seats: seats(4n) },
    { id: 'ridge', prices: [monthly('ridge_m', 11_800n)], seats: seats(4n, true) },
  ];
  const seated = (count: number) =>
    running('2027-03-09', { planId: 'cove', initialSeats: { editors: count } }, { plans });
  test("is rejected if the seats exceed the included number and the new plan doesn't allow overage", () => {
    const world = seated(5);
    expect(change(world, '2027-03-10', { newPlanId: 'reef' })).toMatchObject({
      code: 'seat_limit_exceeded',
      details: { featureCode: 'editors', current: 5, included: 4 },
    });
    expectUnchanged(world);
    expect(change(seated(4), '2027-03-10', { newPlanId: 'reef' })).toMatchObject({ kind: 'ok' });
  });
  test('ignores seats that are scheduled to be removed, and removes them with the change (CON-45)', () => {
    const world = seated(5);
    world.aggregate = {
      ...world.aggregate,
      counts: world.aggregate.counts.map((count) => ({ ...count, pendingRemovals: 1n })),
    };
    expect(change(world, '2027-03-10', { newPlanId: 'reef' })).toMatchObject({ kind: 'ok' });
    expect(world.aggregate.counts).toMatchObject([{ count: 4n, pendingRemovals: 0n }]);
  });
  test('is accepted if the new plan allows overage, or if only the interval changes', () => {
    expect(change(seated(9), '2027-03-10', { newPlanId: 'ridge' })).toMatchObject({ kind: 'ok' });
    expect(change(seated(9), '2027-03-10', { newBillingInterval: 'yearly' })).toMatchObject({ kind: 'ok' });
  });
  test("is accepted with a warning about the seats if it's scheduled (SUB-48)", () => {
    const lower: readonly PlanSketch[] = [
      { id: 'reef', prices: [monthly('reef_m', 2_000n)], seats: seats(4n) },
      { id: 'cove', prices: [monthly('cove_m', 3_400n)], seats: seats(9n) },
    ];
    const world = running('2027-03-09', { planId: 'cove', initialSeats: { editors: 6 } }, { plans: lower });
    expect(change(world, '2027-03-10', { newPlanId: 'reef' })).toMatchObject({ kind: 'ok' });
    const deps = { newId: () => 'x', tax: () => ({ failure: 'none' }) } as never;
    const about = { subscriptionId: world.subscription.id, now: world.now };
    expect(scheduledSeatsBeyond(world.aggregate, about, deps)).toMatchObject({
      feature: { code: 'editors' },
      seats: 6n,
      included: 4n,
    });
    world.advance('2027-04-09');
    // The seats remain, and adding seats is rejected (CON-52).
    expect(world.aggregate.counts).toMatchObject([{ count: 6n }]);
    expect(amounts(world)).toEqual(['plan_base advance 2000']);
  });
});

describe('a plan change scheduled for the period end (SUB-48)', () => {
  const waiting = (request: Partial<ChangeRequest>) => {
    const world = running('2027-03-09', { planId: 'ridge' });
    change(world, '2027-03-10', request);
    return world;
  };
  test('sends an event, and is returned with the subscription until the end of the period', () => {
    const world = waiting({ newPlanId: 'cove' });
    expect(world.sent).toEqual(['subscription.plan_change_scheduled']);
    expect(world.event('subscription.plan_change_scheduled').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      status: 'active',
      currentPlan: { id: 'ridge', name: 'RIDGE' },
      scheduledPlan: { id: 'cove', name: 'COVE' },
      billingInterval: 'monthly',
      scheduledBillingInterval: null,
      effectiveAt: '2027-04-09T00:00:00.000Z',
    });
    expect(world.subscription.scheduledChange).toEqual({
      changeType: 'plan_downgrade',
      newPlanId: 'cove',
      newPlanName: 'COVE',
      newBillingInterval: null,
      scheduledFor: '2027-04-09T00:00:00.000Z',
    });
    expect(world.aggregate.invoices).toHaveLength(1);
  });
  test("isn't changed by an identical request", () => {
    const world = waiting({ newPlanId: 'cove' });
    expect(change(world, '2027-03-11', { newPlanId: 'cove', newBillingInterval: 'monthly' })).toMatchObject({
      status: 'unchanged',
    });
    expectUnchanged(world);
  });
  test('is replaced by another request', () => {
    const world = waiting({ newPlanId: 'cove' });
    world.sent;
    change(world, '2027-03-11', { newPlanId: 'gratis' });
    expect(world.sent).toEqual(['subscription.plan_change_revoked', 'subscription.plan_change_scheduled']);
    expect(world.event('subscription.plan_change_revoked').data).toMatchObject({
      revokedPlan: { id: 'cove', name: 'COVE' },
      revokedBillingInterval: null,
    });
  });
  test('is removed by an immediate change only after the customer pays for that change', () => {
    const world = waiting({ newPlanId: 'cove' });
    world.sent;
    world.mood = 'declines';
    expect(change(world, '2027-03-11', { newPlanId: 'atlas' })).toMatchObject({ code: 'charge_failed' });
    expect(world.subscription.scheduledChange).not.toBeNull();
    world.mood = null;
    world.sent;
    change(world, '2027-03-12', { newPlanId: 'atlas' });
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.plan_change_revoked',
      'subscription.plan_changed',
      'state plan_change',
    ]);
    expect(world.subscription).toMatchObject({ planId: 'atlas', scheduledChange: null });
  });
  test.each([
    [false, ['subscription.cancellation_scheduled', 'subscription.updated', 'state cancellation_scheduled']],
    [true, ['subscription.canceled', 'state subscription_canceled']],
  ])('is removed by a cancellation (immediate: %s) (SUB-23, SUB-24)', (immediate, events) => {
    const world = waiting({ newPlanId: 'cove' });
    world.sent;
    world.cancel('2027-03-11', immediate);
    expect(world.sent).toEqual(['subscription.plan_change_revoked', ...events]);
    expect(world.subscription.scheduledChange).toBeNull();
  });
  test('is canceled by a request for the current plan, or explicitly (OQ-13)', () => {
    const world = waiting({ newPlanId: 'cove' });
    world.sent;
    expect(change(world, '2027-03-11', { newPlanId: 'ridge' })).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual(['subscription.plan_change_revoked']);
    const revoke = () =>
      world.do(null, { kind: 'subscription.revoke_change', subscriptionId: world.subscription.id });
    expect(revoke()).toMatchObject({ code: 'no_change_requested' });
    change(world, null, { newPlanId: 'cove' });
    expect(revoke()).toMatchObject({ kind: 'ok' });
    world.advance('2027-04-09');
    expect(world.invoice).toMatchObject({ total: 11_800n });
    expect(world.items.map(({ outcome }) => outcome)).toEqual(['renewed']);
  });
});

describe('the processing of a scheduled plan change (SUB-49)', () => {
  test('occurs before the renewal, which uses the new price and the same anchor, without the offer (SUB-61)', () => {
    const world = running('2027-03-31', { planId: 'ridge', offerId: 'off35' });
    change(world, '2027-04-02', { newPlanId: 'cove' });
    world.sent;
    world.advance('2027-04-30');
    expect(amounts(world)).toEqual(['plan_base advance 3400']);
    expect(world.invoice).toMatchObject({
      type: 'recurring',
      status: 'paid',
      periodStart: at('2027-04-30'),
      periodEnd: at('2027-05-31'),
    });
    expect(world.sent).toEqual([
      'invoice.upcoming',
      'subscription.plan_changed',
      'state plan_change',
      'invoice.created',
      'payment.received',
    ]);
    expect(world.event('subscription.plan_changed').data).toMatchObject({
      previousPlan: { id: 'ridge' },
      currentPlan: { id: 'cove' },
      credit: 0,
      charge: 3_400,
      totalCharged: 3_400,
    });
    expect(world.items).toMatchObject([
      { kind: 'period_end', outcome: 'plan_changed', invoiceId: world.invoice.id },
    ]);
    expect(world.aggregate.offerApplications).toMatchObject([{ endedAt: at('2027-04-30') }]);
    expect(world.subscription).toMatchObject({
      planId: 'cove',
      priceId: 'cove_m',
      scheduledChange: null,
      anchorDate: at('2027-03-31'),
    });
  });
  test('keeps the billing day when changing to a shorter interval, including February 29 (GLO-18)', () => {
    const world = running('2027-02-28', { planId: 'cove', billingInterval: 'yearly' });
    change(world, '2027-06-01', { newBillingInterval: 'monthly' });
    expect(world.subscription.scheduledChange).toMatchObject({
      changeType: 'interval_change',
      newBillingInterval: 'monthly',
    });
    world.advance('2028-02-28');
    expect(world.invoice).toMatchObject({
      total: 3_400n,
      periodStart: at('2028-02-28'),
      periodEnd: at('2028-03-28'),
    });
    const leap = running('2024-02-29', { planId: 'cove', billingInterval: 'yearly' });
    change(leap, '2024-06-01', { newBillingInterval: 'monthly' });
    leap.advance('2025-03-31');
    // The year ended on the 28th, but the anchor is still the 29th.
    expect(leap.aggregate.invoices.slice(1).map(({ periodEnd }) => periodEnd)).toEqual([
      at('2025-03-29'),
      at('2025-04-29'),
    ]);
  });
  test('changes to weekly periods that start at the end of the current period', () => {
    const [cove, ...others] = ladder;
    const plans = [
      {
        ...cove,
        id: 'cove',
        prices: [...(cove?.prices ?? []), { id: 'cove_w', interval: 'weekly' as const, amount: 900n }],
      },
      ...others,
    ];
    const world = running('2027-03-31', { planId: 'cove' }, { plans });
    change(world, '2027-04-03', { newBillingInterval: 'weekly' });
    world.advance('2027-05-07');
    expect(world.aggregate.invoices.slice(1).map(({ periodStart, total }) => [periodStart, total])).toEqual([
      [at('2027-04-30'), 900n],
      [at('2027-05-07'), 900n],
    ]);
    expect(world.subscription.anchorDate).toEqual(at('2027-04-30'));
  });
  test('changes the plan even if the renewal is declined, which starts dunning', () => {
    const world = running('2027-03-09', { planId: 'ridge' }, { method: cardThat('pays', 'declines') });
    change(world, '2027-03-10', { newPlanId: 'cove' });
    world.advance('2027-04-09');
    expect(world.subscription).toMatchObject({ planId: 'cove', status: 'past_due' });
    expect(world.items).toMatchObject([{ outcome: 'declined' }]);
  });
  test("changes to a free plan, and charges only for the paid plan's overage", () => {
    const plans: readonly PlanSketch[] = [
      {
        id: 'cove',
        prices: [monthly('cove_m', 3_400n)],
        seats: { editors: { includedAmount: 1n, overageEnabled: true, rate: unitRate(90_000n) } },
      },
      { id: 'gratis', isFree: true, seats: { editors: { includedAmount: 1n } } },
    ];
    const world = running('2027-03-09', { planId: 'cove', initialSeats: { editors: 1 } }, { plans });
    world.aggregate = {
      ...world.aggregate,
      counts: world.aggregate.counts.map((count) => ({
        ...count,
        seq: 5n,
        count: 2n,
        steps: [{ on: '2027-03-09', mark: '2' }],
      })),
    };
    change(world, '2027-03-10', { newPlanId: 'gratis' });
    world.sent;
    world.advance('2027-04-09');
    // One seat for the 31-day period, and no seats in advance.
    expect(amounts(world)).toEqual(['feature_seats true_up 900']);
    expect(world.invoice).toMatchObject({
      type: 'overage',
      status: 'paid',
      periodStart: at('2027-03-09'),
      periodEnd: at('2027-04-09'),
    });
    expect(world.sent).toEqual([
      'invoice.upcoming',
      'subscription.plan_changed',
      'state plan_change',
      'invoice.created',
      'payment.received',
    ]);
    expect(world.event('subscription.plan_changed').data).toMatchObject({
      billingInterval: null,
      charge: 0,
      totalCharged: 900,
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      priceId: null,
      billingInterval: null,
      effectiveBaseMinor: 0n,
    });
    expect(world.deadlines).toEqual(['2027-05-09 window_reset:sub']);
  });
  test.each<[string, readonly PlanSketch[]]>([
    [
      'deleted',
      [{ id: 'cove', deletedAt: at('2027-04-01'), prices: [monthly('cove_m', 3_400n)] }, ...ladder.slice(1)],
    ],
    [
      'without a price in the interval',
      [
        {
          id: 'cove',
          prices: [{ ...monthly('cove_m', 3_400n), archivedAt: at('2027-04-01') }, yearly('cove_y', 33_600n)],
        },
        ...ladder.slice(1),
      ],
    ],
  ])('is skipped if the plan has been %s (SUB-50)', (_how, plans) => {
    const world = running('2027-03-09', { planId: 'ridge' });
    change(world, '2027-03-10', { newPlanId: 'cove' });
    world.sent;
    world.aggregate = { ...world.aggregate, catalog: catalog(...plans) };
    world.advance('2027-04-09');
    expect(world.sent).toEqual([
      'invoice.upcoming',
      'subscription.plan_change_revoked',
      'invoice.created',
      'payment.received',
    ]);
    expect(world.subscription).toMatchObject({ planId: 'ridge', scheduledChange: null, status: 'active' });
    expect(world.invoice.total).toBe(11_800n);
    expect(world.items).toMatchObject([{ outcome: 'renewed' }]);
  });
});

describe('a change from a free plan, which requires a checkout (SUB-47)', () => {
  const free = () => running('2027-03-09', { planId: 'gratis' });
  test('takes effect on the payment day, without proration', () => {
    const world = free();
    const before = world.subscription;
    expect(change(world, '2027-03-15T12:00:00Z', { newPlanId: 'cove', offerId: 'half' })).toMatchObject({
      kind: 'ok',
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual(['invoice.created', 'checkout.ready']);
    expect(world.subscription).toEqual({
      ...before,
      checkoutInvoiceId: world.invoice.id,
      updatedAt: world.now,
    });
    world.advance('2027-04-09');
    expect(world.items.map(({ outcome }) => outcome)).toEqual(['reset']);
    world.sent;
    expect(world.pay('2027-04-12T09:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment_method.attached',
      'payment.received',
      'subscription.plan_changed',
      'state plan_change',
    ]);
    expect(amounts(world)).toEqual(['plan_base advance 3400', 'discount standard -1700']);
    expect(world.invoice).toMatchObject({
      type: 'plan_change',
      status: 'paid',
      periodStart: at('2027-04-12'),
      periodEnd: at('2027-05-12'),
    });
    expect(world.subscription).toMatchObject({
      planId: 'cove',
      priceId: 'cove_m',
      provider: 'platform',
      checkoutInvoiceId: null,
      pendingCheckout: null,
    });
    expect(world.aggregate.offerApplications).toMatchObject([{ status: 'applied', offerId: 'half' }]);
    expect(world.deadlines).toEqual(['2027-05-09 daily_scan:sub:upcoming', '2027-05-12 period_end:sub']);
  });
  test('is replaced by a second request, which voids the first invoice', () => {
    const world = free();
    change(world, null, { newPlanId: 'cove', offerId: 'half' });
    world.sent;
    change(world, '2027-03-16', { newPlanId: 'ridge', newBillingInterval: 'yearly' });
    expect(world.sent).toEqual(['invoice.voided', 'invoice.created', 'checkout.ready']);
    expect(world.aggregate.offerApplications).toMatchObject([{ status: 'expired' }]);
    world.pay('2027-03-17');
    expect(world.subscription).toMatchObject({ planId: 'ridge', billingInterval: 'yearly' });
    expect(world.pay(null)).toMatchObject({ code: 'invalid_subscription_status' });
  });
  test('keeps the checkout open after a declined charge, and completes an authentication in the checkout', () => {
    const world = free();
    change(world, null, { newPlanId: 'cove' });
    expect(world.pay(null, cardThat('declines'))).toMatchObject({ code: 'charge_failed' });
    expect(world.subscription).toMatchObject({
      planId: 'gratis',
      checkoutInvoiceId: world.invoice.id,
      pendingCheckout: null,
    });
    expect(world.pay(null, cardThat('asks'))).toMatchObject({ status: 'requires_action' });
    world.do(null, { kind: 'checkout.authenticate', subscriptionId: world.subscription.id, succeed: true });
    expect(world.subscription).toMatchObject({ planId: 'cove', status: 'active' });
  });
  test('rejects a promo code (OFR-36)', () => {
    const world = free();
    change(world, null, { newPlanId: 'cove' });
    expect(world.pay(null, card, { promoCode: 'SALE' })).toMatchObject({
      code: 'offer_not_applicable',
      param: 'promoCode',
    });
    expectUnchanged(world);
  });
  test('rejects an offer that reduces the total below the minimum charge, and stores the card if the total is 0 (BIL-34, BIL-35)', () => {
    const amountOff = (id: string, amount: number) => ({
      ...(offers[0] as (typeof offers)[number]),
      id,
      phases: [{ type: 'amount_off', durationCycles: 1, amounts: [{ currency: 'usd', amount }] }] as never,
    });
    const world = new World('2027-03-09', catalog(...ladder), {
      offers: [amountOff('most', 3_380), amountOff('all', 3_400)],
    });
    world.create(null, { planId: 'gratis' });
    expect(change(world, null, { newPlanId: 'cove', offerId: 'most' })).toMatchObject({
      code: 'offer_not_applicable',
      details: { reason: 'below_minimum' },
    });
    expectUnchanged(world);
    change(world, null, { newPlanId: 'cove', offerId: 'all' });
    world.sent;
    world.pay(null);
    expect(world.sent).toEqual(['payment_method.attached', 'subscription.plan_changed', 'state plan_change']);
    expect(world.invoice).toMatchObject({ total: 0n, status: 'paid' });
    expect(world.aggregate.transactions).toEqual([]);
  });
  test('takes effect if the invoice is marked as paid, and is canceled if the invoice is marked as void or the subscription ends (BIL-26)', () => {
    const world = free();
    change(world, null, { newPlanId: 'cove' });
    const first = world.invoice.id;
    world.do(null, { kind: 'invoice.mark', invoiceId: first, status: 'void' });
    expect(world.subscription).toMatchObject({ status: 'active', planId: 'gratis', checkoutInvoiceId: null });
    change(world, null, { newPlanId: 'cove' });
    world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'paid' });
    expect(world.subscription).toMatchObject({
      status: 'active',
      planId: 'cove',
      periodEnd: at('2027-04-09'),
    });
    const other = free();
    change(other, null, { newPlanId: 'cove' });
    other.cancel(null);
    expect(other.invoice.status).toBe('void');
    expect(other.subscription.status).toBe('canceled');
  });
});

describe('a change between free plans', () => {
  test('resets allowances without a charge', () => {
    const world = running(
      '2027-03-09',
      { planId: 'gratis' },
      { plans: [...ladder, { id: 'libre', isFree: true }] },
    );
    expect(change(world, '2027-03-20', { newPlanId: 'libre' })).toMatchObject({
      kind: 'ok',
      invoiceId: null,
    });
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.sent).toEqual(['subscription.plan_changed', 'state plan_change']);
    expect(world.event('subscription.plan_changed').data).toMatchObject({
      credit: 0,
      charge: 0,
      totalCharged: 0,
      billingInterval: null,
    });
    expect(world.deadlines).toEqual(['2027-04-20 window_reset:sub']);
  });
});

describe('the preview of an immediate plan change (SUB-51, SUB-52)', () => {
  const deps = { newId: (prefix: string) => `${prefix}_x`, tax: () => ({ failure: 'none' }) } as never;
  const preview = (world: World, now: string, request: Partial<ChangeRequest>) =>
    previewChange(
      world.aggregate,
      {
        subscriptionId: world.subscription.id,
        request: { newPlanId: null, newBillingInterval: null, offerId: null, isPortal: false, ...request },
        now: at(now),
      },
      deps,
    );
  test('returns the credit, the charge, their difference, the remaining days, and the offer', () => {
    const world = running('2027-03-09', { planId: 'cove' });
    expect(preview(world, '2027-03-27T16:20:00Z', { newPlanId: 'ridge', offerId: 'half' })).toMatchObject({
      currency: 'usd',
      creditMinor: 1_426n,
      chargeMinor: 5_900n,
      totalMinor: 4_474n,
      effectiveDate: at('2027-03-27T16:20:00Z'),
      daysRemaining: 13,
      totalDays: 31,
      isUpgrade: true,
      offerApplication: {
        offerId: 'half',
        status: 'quoted',
        subtotalMinor: 11_800n,
        discountMinor: 5_900n,
        totalMinor: 5_900n,
      },
    });
  });
  test('never returns a negative total', () => {
    const world = running('2027-02-01', { planId: 'ridge', billingInterval: 'yearly' });
    expect(preview(world, '2027-04-12', { newPlanId: 'atlas' })).toMatchObject({
      creditMinor: 95_370n,
      chargeMinor: 70_000n,
      totalMinor: 0n,
    });
  });
  test('returns 0 for a change between free plans', () => {
    const world = running(
      '2027-03-09',
      { planId: 'gratis' },
      { plans: [...ladder, { id: 'libre', isFree: true }] },
    );
    expect(preview(world, '2027-03-10', { newPlanId: 'libre' })).toMatchObject({
      creditMinor: 0n,
      chargeMinor: 0n,
      totalMinor: 0n,
      isUpgrade: true,
    });
  });
  test('is rejected for a scheduled change, and for a change that would be rejected', () => {
    const world = running('2027-03-09', { planId: 'ridge' });
    expect(preview(world, '2027-03-10', { newPlanId: 'cove' })).toMatchObject({
      code: 'plan_change_scheduled',
    });
    expect(preview(world, '2027-03-10', { newPlanId: 'ridge' })).toMatchObject({
      code: 'no_change_requested',
    });
    expect(preview(world, '2027-03-10', { newPlanId: 'none' })).toMatchObject({ code: 'plan_not_found' });
  });
});
