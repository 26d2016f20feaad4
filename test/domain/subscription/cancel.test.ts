import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, simplePlan } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

const pending = (interval: BillingInterval = 'monthly', trialDays = 0): World => {
  const world = new World('2027-01-31', simplePlan(interval, 3_400n, { trialDays }));
  world.create(null, { planId: 'cove' });
  return world;
};
const paid = (interval: BillingInterval = 'monthly', trialDays = 0): World => {
  const world = pending(interval, trialDays);
  world.pay(null, cardThat('pays', 'declines'));
  return world;
};
const inStatus: { readonly [status: string]: () => World } = {
  draft: () => {
    const world = new World('2027-01-31', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove', startDate: at('2027-03-01') });
    return world;
  },
  pending_payment: () => pending(),
  trialing: () => paid('monthly', 10),
  active: () => paid(),
  past_due: () => {
    const world = paid();
    world.advance('2027-02-28');
    return world;
  },
  canceled: () => {
    const world = paid();
    world.cancel(null, true);
    return world;
  },
};
const world = (status: string): World => {
  const made = inStatus[status]?.();
  expect(made?.subscription.status).toBe(status);
  if (made === undefined) throw new Error(status);
  expect(made.sent).toBeDefined();
  return made;
};

describe('a cancellation at the period end (SUB-23, SUB-25)', () => {
  test('is scheduled for a paid subscription, which continues until the end of the period', () => {
    const tested = world('active');
    expect(tested.cancel('2027-02-10T10:00:00Z', false, 'moving on')).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    expect(tested.sent).toEqual([
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'state cancellation_scheduled',
    ]);
    expect(tested.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      cancellationScheduledAt: at('2027-02-10T10:00:00Z'),
      cancelReason: 'moving on',
      cancelEffectiveAt: at('2027-02-28'),
      endDate: at('2027-02-28'),
    });
    expect(tested.event('subscription.cancellation_scheduled').data).toEqual({
      subscriptionId: tested.subscription.id,
      customerId: 'acme-7',
      status: 'active',
      canceledAt: '2027-02-10T10:00:00.000Z',
      cancelReason: 'moving on',
      effectiveAt: '2027-02-28T00:00:00.000Z',
    });
    expect(tested.event('subscription.updated').data).toMatchObject({
      canceledAt: '2027-02-10T10:00:00.000Z',
      endDate: '2027-02-28T00:00:00.000Z',
    });

    tested.advance('2027-06-30');
    expect(tested.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(tested.event('subscription.canceled').data).toEqual({
      subscriptionId: tested.subscription.id,
      customerId: 'acme-7',
      status: 'canceled',
      canceledAt: '2027-02-10T10:00:00.000Z',
      cancelReason: 'moving on',
      endDate: '2027-02-28T00:00:00.000Z',
    });
    expect(tested.items).toEqual([
      { kind: 'period_end', outcome: 'canceled', dueAt: at('2027-02-28'), invoiceId: null, detail: null },
    ]);
    expect(tested.aggregate.invoices).toHaveLength(1);
    expect(tested.deadlines).toEqual([]);
  });

  test('is rejected if repeated, but can be replaced by an immediate cancellation (SUB-27)', () => {
    const tested = world('active');
    tested.cancel('2027-02-10', false, 'later');
    expect(tested.sent).toHaveLength(3);
    expect(tested.cancel('2027-02-11')).toMatchObject({ kind: 'rejection', code: 'already_scheduled' });
    expectUnchanged(tested);
    expect(tested.cancel('2027-02-12', true)).toMatchObject({ kind: 'ok' });
    expect(tested.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(tested.subscription).toMatchObject({
      status: 'canceled',
      canceledAt: at('2027-02-12'),
      endDate: at('2027-02-12'),
      cancelReason: 'requested',
    });
    expect(tested.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
      cancellationScheduledAt: null,
      cancelEffectiveAt: null,
    });
  });

  test.each(['active', 'trialing'])(
    'can be undone while the subscription is %s, which then continues (SUB-29)',
    (status) => {
      const tested = world(status);
      const before = tested.subscription;
      tested.cancel('2027-02-01');
      expect(tested.sent).toHaveLength(3);
      expect(tested.uncancel('2027-02-05')).toMatchObject({ kind: 'ok', status: 'done' });
      expect(tested.sent).toEqual([
        'subscription.cancellation_revoked',
        'subscription.updated',
        'state cancellation_revoked',
      ]);
      expect(tested.event('subscription.updated').data).toEqual({
        subscriptionId: before.id,
        customerId: 'acme-7',
        status,
        cancelReason: null,
      });
      expect(tested.event('subscription.cancellation_revoked').data).toMatchObject({
        currentPeriodEnd: before.periodEnd?.toISOString(),
      });
      expect(tested.subscription).toEqual({ ...before, updatedAt: at('2027-02-05') });
    },
  );

  test('can be undone until the period end is processed', () => {
    const tested = world('active');
    tested.cancel('2027-02-10');
    expect(tested.uncancel('2027-03-05')).toMatchObject({ kind: 'ok' });
    tested.mood = 'pays';
    tested.advance('2027-03-05');
    expect(tested.subscription).toMatchObject({ status: 'active', periodStart: at('2027-02-28') });
  });

  test("can't be undone while the last charge is in progress, which then ends the subscription (SUB-25)", () => {
    const exports = { overageEnabled: true, rate: unitRate(10_000n) };
    const prices = [{ id: 'p1', interval: 'monthly' as const, amount: 1_000n }];
    const tested = new World('2027-01-31T00:00:00Z', catalog({ id: 'cove', prices, seats: { exports } }));
    tested.create(null, { planId: 'cove' });
    tested.pay(null);
    const { id: subscriptionId, customerId, windowStart } = tested.subscription;
    const used = {
      id: `${subscriptionId}:exports`,
      seq: 1n,
      customerId,
      subscriptionId,
      featureId: 'exports',
    };
    const noPrices = {
      consumed: 0n,
      waived: 0n,
      price: '0',
      recorded: '0',
      held: null,
      crossed: 0,
      covered: 0n,
    } as const;
    const counters = [
      {
        ...used,
        ...noPrices,
        windowStart: windowStart ?? tested.now,
        total: 20n,
        meter: null,
        latestAt: null,
        level: null,
      },
    ];
    tested.aggregate = { ...tested.aggregate, counters };
    tested.cancel(null);
    tested.mood = 'silent';
    const deadlineId = `period_end:${subscriptionId}`;
    tested.do('2027-02-28', { kind: 'period_end', subscriptionId, deadlineId });
    expect(tested.invoice).toMatchObject({ type: 'overage', total: 2_000n, status: 'outstanding' });
    expect(tested.uncancel(null)).toMatchObject({ code: 'subscription_already_canceled' });
    expectUnchanged(tested);
    const transactionId = tested.aggregate.transactions.at(-1)?.id ?? '';
    tested.do(null, { kind: 'charge.result', transactionId, result: { status: 'settled' } });
    expect(tested.subscription.status).toBe('canceled');
    expect(tested.invoice.status).toBe('paid');
  });
});

describe('an immediate cancellation (SUB-24, SUB-28a)', () => {
  test.each<[string, string[], string | undefined]>([
    ['draft', [], undefined],
    ['pending_payment', ['invoice.voided', 'subscription.canceled', 'state subscription_canceled'], 'void'],
    [
      'past_due',
      ['invoice.voided', 'credit_note.created', 'subscription.canceled', 'state subscription_canceled'],
      'void',
    ],
  ])(
    "takes effect immediately for a subscription with the status %s, even if the request isn't for an immediate cancellation",
    (status, events, invoice) => {
      const tested = world(status);
      tested.cancel('2027-03-01T08:00:00Z');
      expect(tested.sent).toEqual(events);
      expect(tested.subscription).toMatchObject({
        status: 'canceled',
        endDate: at('2027-03-01T08:00:00Z'),
        canceledAt: at('2027-03-01T08:00:00Z'),
        dunningInvoiceId: null,
      });
      expect(tested.aggregate.invoices.at(-1)?.status).toBe(invoice);
      expect(tested.deadlines).toEqual([]);
    },
  );

  test.each(['active', 'trialing'])(
    'takes effect immediately for a subscription with the status %s if requested',
    (status) => {
      const tested = world(status);
      tested.cancel('2027-02-01', true, 'now');
      expect(tested.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
      expect(tested.subscription).toMatchObject({
        status: 'canceled',
        endDate: at('2027-02-01'),
        cancelReason: 'now',
      });
      expect(tested.deadlines).toEqual([]);
    },
  );

  test('ends a free subscription', () => {
    const tested = new World('2027-01-31', catalog({ id: 'free', isFree: true }));
    tested.create(null, { planId: 'free' });
    expect(tested.sent).toHaveLength(4);
    tested.cancel('2027-02-10');
    expect(tested.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(tested.deadlines).toEqual([]);
  });

  test('cancels an open authentication at checkout', () => {
    const tested = pending();
    tested.pay(null, cardThat('asks', 'pays'));
    tested.cancel(null);
    expect(tested.subscription).toMatchObject({ status: 'canceled', pendingCheckout: null });
    expect(tested.aggregate.transactions).toMatchObject([{ status: 'failed', declineCode: 'canceled' }]);
  });
});

describe('a subscription whose status limits its operations (SUB-21, SUB-26)', () => {
  const rejections: readonly [string, string][] = [
    ['draft', 'not_scheduled_for_cancellation'],
    ['pending_payment', 'not_scheduled_for_cancellation'],
    ['trialing', 'not_scheduled_for_cancellation'],
    ['active', 'not_scheduled_for_cancellation'],
    ['past_due', 'not_scheduled_for_cancellation'],
    ['canceled', 'subscription_already_canceled'],
  ];
  test.each(rejections)(
    "rejects undoing a cancellation that isn't scheduled (status %s, error %s)",
    (status, code) => {
      const tested = world(status);
      expect(tested.uncancel('2027-03-01')).toMatchObject({ kind: 'rejection', code });
      expectUnchanged(tested);
    },
  );

  test.each([false, true])(
    "rejects another cancellation if it's already canceled (immediate: %s)",
    (immediate) => {
      const tested = world('canceled');
      expect(tested.cancel('2027-03-01', immediate)).toMatchObject({
        kind: 'rejection',
        code: 'subscription_already_canceled',
      });
      expectUnchanged(tested);
    },
  );

  test.each([false, true])(
    'rejects the cancellation of an active one-time purchase (immediate: %s)',
    (immediate) => {
      const tested = paid('one_time');
      expect(tested.cancel(null, immediate)).toMatchObject({
        kind: 'rejection',
        code: 'one_time_subscription_not_cancelable',
      });
      expectUnchanged(tested);
    },
  );

  test('allows the cancellation of an unpaid one-time purchase', () => {
    const tested = pending('one_time');
    expect(tested.cancel(null)).toMatchObject({ kind: 'ok' });
    expect(tested.subscription.status).toBe('canceled');
  });

  test.each(['draft', 'pending_payment', 'trialing', 'active', 'canceled'])(
    'rejects a payment retry in the status %s',
    (status) => {
      const tested = world(status);
      expect(
        tested.do('2027-03-01', { kind: 'subscription.retry', subscriptionId: tested.subscription.id }),
      ).toMatchObject({
        code: 'invalid_subscription_status',
      });
      expectUnchanged(tested);
    },
  );

  test.each(['draft', 'trialing', 'active', 'past_due', 'canceled'])(
    'rejects a checkout payment in the status %s',
    (status) => {
      const tested = world(status);
      expect(tested.pay('2027-03-01')).toMatchObject({ code: 'invalid_subscription_status' });
      expectUnchanged(tested);
    },
  );
});
