import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/enums.ts';
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

describe('at the period’s end (SUB-23, SUB-25)', () => {
  test('a paid subscription is scheduled and keeps running until then', () => {
    const it = world('active');
    expect(it.cancel('2027-02-10T10:00:00Z', false, 'moving on')).toMatchObject({
      kind: 'ok',
      status: 'done',
    });
    expect(it.sent).toEqual([
      'subscription.cancellation_scheduled',
      'subscription.updated',
      'state cancellation_scheduled',
    ]);
    expect(it.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      cancellationScheduledAt: at('2027-02-10T10:00:00Z'),
      cancelReason: 'moving on',
      cancelEffectiveAt: at('2027-02-28'),
      endDate: at('2027-02-28'),
    });
    expect(it.event('subscription.cancellation_scheduled').data).toEqual({
      subscriptionId: it.subscription.id,
      customerId: 'acme-7',
      status: 'active',
      canceledAt: '2027-02-10T10:00:00.000Z',
      cancelReason: 'moving on',
      effectiveAt: '2027-02-28T00:00:00.000Z',
    });
    expect(it.event('subscription.updated').data).toMatchObject({
      canceledAt: '2027-02-10T10:00:00.000Z',
      endDate: '2027-02-28T00:00:00.000Z',
    });

    it.advance('2027-06-30');
    expect(it.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(it.event('subscription.canceled').data).toEqual({
      subscriptionId: it.subscription.id,
      customerId: 'acme-7',
      status: 'canceled',
      canceledAt: '2027-02-10T10:00:00.000Z',
      cancelReason: 'moving on',
      endDate: '2027-02-28T00:00:00.000Z',
    });
    expect(it.items).toEqual([
      { kind: 'period_end', outcome: 'canceled', dueAt: at('2027-02-28'), invoiceId: null, detail: null },
    ]);
    expect(it.aggregate.invoices).toHaveLength(1);
    expect(it.deadlines).toEqual([]);
  });

  test('a second one is rejected, an immediate one ends it now (SUB-27)', () => {
    const it = world('active');
    it.cancel('2027-02-10', false, 'later');
    expect(it.sent).toHaveLength(3);
    expect(it.cancel('2027-02-11')).toMatchObject({ kind: 'rejection', code: 'already_scheduled' });
    expectUnchanged(it);
    expect(it.cancel('2027-02-12', true)).toMatchObject({ kind: 'ok' });
    expect(it.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(it.subscription).toMatchObject({
      status: 'canceled',
      canceledAt: at('2027-02-12'),
      endDate: at('2027-02-12'),
      cancelReason: 'requested',
    });
    expect(it.subscription).toMatchObject({
      cancelAtPeriodEnd: false,
      cancellationScheduledAt: null,
      cancelEffectiveAt: null,
    });
  });

  test.each(['active', 'trialing'])('withdrawn, a subscription that is %s continues (SUB-29)', (status) => {
    const it = world(status);
    const before = it.subscription;
    it.cancel('2027-02-01');
    expect(it.sent).toHaveLength(3);
    expect(it.uncancel('2027-02-05')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(it.sent).toEqual([
      'subscription.cancellation_revoked',
      'subscription.updated',
      'state cancellation_revoked',
    ]);
    expect(it.event('subscription.updated').data).toEqual({
      subscriptionId: before.id,
      customerId: 'acme-7',
      status,
      cancelReason: null,
    });
    expect(it.event('subscription.cancellation_revoked').data).toMatchObject({
      currentPeriodEnd: before.periodEnd?.toISOString(),
    });
    expect(it.subscription).toEqual({ ...before, updatedAt: at('2027-02-05') });
  });

  test('it can be withdrawn as long as the boundary has not been executed', () => {
    const it = world('active');
    it.cancel('2027-02-10');
    expect(it.uncancel('2027-03-05')).toMatchObject({ kind: 'ok' });
    it.mood = 'pays';
    it.advance('2027-03-05');
    expect(it.subscription).toMatchObject({ status: 'active', periodStart: at('2027-02-28') });
  });
});

describe('immediately (SUB-24, SUB-28a)', () => {
  test.each<[string, string[], string | undefined]>([
    ['draft', [], undefined],
    ['pending_payment', ['invoice.voided', 'subscription.canceled', 'state subscription_canceled'], 'void'],
    ['past_due', ['invoice.voided', 'subscription.canceled', 'state subscription_canceled'], 'void'],
  ])('%s, even when not asked to', (status, events, invoice) => {
    const it = world(status);
    it.cancel('2027-03-01T08:00:00Z');
    expect(it.sent).toEqual(events);
    expect(it.subscription).toMatchObject({
      status: 'canceled',
      endDate: at('2027-03-01T08:00:00Z'),
      canceledAt: at('2027-03-01T08:00:00Z'),
      dunningInvoiceId: null,
    });
    expect(it.aggregate.invoices.at(-1)?.status).toBe(invoice);
    expect(it.deadlines).toEqual([]);
  });

  test.each(['active', 'trialing'])('%s, when asked to', (status) => {
    const it = world(status);
    it.cancel('2027-02-01', true, 'now');
    expect(it.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(it.subscription).toMatchObject({
      status: 'canceled',
      endDate: at('2027-02-01'),
      cancelReason: 'now',
    });
    expect(it.deadlines).toEqual([]);
  });

  test('a free plan', () => {
    const it = new World('2027-01-31', catalog({ id: 'free', isFree: true }));
    it.create(null, { planId: 'free' });
    expect(it.sent).toHaveLength(4);
    it.cancel('2027-02-10');
    expect(it.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(it.deadlines).toEqual([]);
  });

  test('an authentication open at the checkout is given up', () => {
    const it = pending();
    it.pay(null, cardThat('asks', 'pays'));
    it.cancel(null);
    expect(it.subscription).toMatchObject({ status: 'canceled', pendingCheckout: null });
    expect(it.aggregate.transactions).toMatchObject([{ status: 'failed', declineCode: 'canceled' }]);
  });
});

describe('rejections by status (SUB-21, SUB-26)', () => {
  const rejections: readonly [string, string][] = [
    ['draft', 'not_scheduled_for_cancellation'],
    ['pending_payment', 'not_scheduled_for_cancellation'],
    ['trialing', 'not_scheduled_for_cancellation'],
    ['active', 'not_scheduled_for_cancellation'],
    ['past_due', 'not_scheduled_for_cancellation'],
    ['canceled', 'subscription_already_canceled'],
  ];
  test.each(rejections)('uncancel of one that is %s and not scheduled: %s', (status, code) => {
    const it = world(status);
    expect(it.uncancel('2027-03-01')).toMatchObject({ kind: 'rejection', code });
    expectUnchanged(it);
  });

  test.each([false, true])('cancel of a canceled one (immediate: %s)', (immediate) => {
    const it = world('canceled');
    expect(it.cancel('2027-03-01', immediate)).toMatchObject({
      kind: 'rejection',
      code: 'subscription_already_canceled',
    });
    expectUnchanged(it);
  });

  test.each([false, true])(
    'a purchase made once is never canceled when active (immediate: %s)',
    (immediate) => {
      const it = paid('one_time');
      expect(it.cancel(null, immediate)).toMatchObject({
        kind: 'rejection',
        code: 'one_time_subscription_not_cancelable',
      });
      expectUnchanged(it);
    },
  );

  test('a purchase not paid yet is', () => {
    const it = pending('one_time');
    expect(it.cancel(null)).toMatchObject({ kind: 'ok' });
    expect(it.subscription.status).toBe('canceled');
  });

  test.each(['draft', 'pending_payment', 'trialing', 'active', 'canceled'])(
    'a retry of one that is %s',
    (status) => {
      const it = world(status);
      expect(
        it.do('2027-03-01', { kind: 'subscription.retry', subscriptionId: it.subscription.id }),
      ).toMatchObject({
        code: 'invalid_subscription_status',
      });
      expectUnchanged(it);
    },
  );

  test.each(['draft', 'trialing', 'active', 'past_due', 'canceled'])(
    'a checkout of one that is %s',
    (status) => {
      const it = world(status);
      expect(it.pay('2027-03-01')).toMatchObject({ code: 'invalid_subscription_status' });
      expectUnchanged(it);
    },
  );
});
