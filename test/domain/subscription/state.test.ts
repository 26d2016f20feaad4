import { describe, expect, test } from 'vitest';
import { moveInvoice } from '../../../src/domain/invoicing/state.ts';
import type { InvoiceStatus, SubscriptionStatus } from '../../../src/domain/rows/enums.ts';
import {
  moveSubscription,
  subscriptionTransitions,
} from '../../../src/domain/subscription/state/transitions.ts';
import {
  billingDayOfMonth,
  currentPeriod,
  nextBillingDate,
} from '../../../src/domain/subscription/state/view.ts';
import enums from '../../contract/enums.json' with { type: 'json' };
import { simplePlan } from './catalog.ts';
import { at, cardThat, draftOf, World } from './world.ts';

const made = (): World => {
  const world = new World('2027-01-31', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  return world;
};

describe('the state machine', () => {
  const legal: readonly [SubscriptionStatus, readonly SubscriptionStatus[]][] = [
    ['draft', ['pending_payment', 'active', 'canceled']],
    ['pending_payment', ['trialing', 'active', 'canceled']],
    ['trialing', ['pending_payment', 'active', 'past_due', 'canceled']],
    ['active', ['past_due', 'canceled']],
    ['past_due', ['active', 'canceled']],
    ['canceled', ['active']],
  ];

  test("defines the contract's subscription statuses (SUB-1)", () => {
    expect(Object.keys(subscriptionTransitions).toSorted()).toEqual(
      enums.SubscriptionStatus.values.toSorted(),
    );
  });

  test.each(legal)('changes a subscription from %s only to %s', (from, targets) => {
    const world = made();
    const row = { ...world.subscription, status: from };
    for (const [to] of legal) {
      const draft = draftOf({ ...world.aggregate, subscriptions: [row] });
      if (targets.includes(to)) expect(moveSubscription(draft, row, to).status).toBe(to);
      else expect(() => moveSubscription(draft, row, to)).toThrow(`cannot become ${to}`);
    }
  });

  test('defines void and uncollectible as final invoice statuses, and reopens only paid invoices (BIL-24, INS-40)', () => {
    const { invoice } = made();
    const steps = (status: InvoiceStatus): string[] =>
      (['draft', 'outstanding', 'paid', 'void', 'uncollectible'] as const).filter((to) => {
        try {
          return moveInvoice({ ...invoice, status }, to, at('2027-02-01')).status === to;
        } catch {
          return false;
        }
      });
    expect(steps('draft')).toEqual(['outstanding', 'paid', 'void']);
    expect(steps('outstanding')).toEqual(['draft', 'paid', 'void', 'uncollectible']);
    expect([steps('paid'), steps('void'), steps('uncollectible')]).toEqual([['outstanding'], [], []]);
    expect(moveInvoice(invoice, 'paid', at('2027-02-01')).paidAt).toEqual(at('2027-02-01'));
    expect(moveInvoice(invoice, 'void', at('2027-02-01')).paidAt).toBeNull();
    const paid = { ...invoice, status: 'paid', paidAt: at('2027-02-01') } as const;
    expect(moveInvoice(paid, 'outstanding', at('2027-02-15')).paidAt).toBeNull();
  });
});

describe("a subscription's period (SUB-60, SUB-62, SUB-63)", () => {
  test('includes the dates, remaining days, billing day, and next renewal of an active subscription', () => {
    const world = made();
    world.pay(null);
    world.advance('2027-02-28');
    expect(currentPeriod(world.subscription, at('2027-03-10T23:00:00Z'))).toEqual({
      start: at('2027-02-28'),
      end: at('2027-03-31'),
      daysRemaining: 21,
    });
    expect(billingDayOfMonth(world.subscription)).toBe(31);
    expect(nextBillingDate(world.subscription)).toEqual(at('2027-03-31'));
    world.cancel(null);
    expect(nextBillingDate(world.subscription)).toBeNull();
  });

  test('keeps the billing day after a boundary is clamped to the end of a month (SUB-E6)', () => {
    const world = new World('2027-08-31', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null);
    world.advance('2028-02-29');
    expect(billingDayOfMonth(world.subscription)).toBe(31);
    expect(world.subscription).toMatchObject({ periodStart: at('2028-02-29'), periodEnd: at('2028-03-31') });
  });

  test('is null before the activation', () => {
    const { subscription } = made();
    expect([
      currentPeriod(subscription, at('2027-02-01')),
      billingDayOfMonth(subscription),
      nextBillingDate(subscription),
    ]).toEqual([null, null, null]);
  });

  test('includes the end of a trial and the next retry, no billing day on weekly plans, and no next date on one-time plans', () => {
    const trial = new World('2027-01-31', simplePlan('monthly', 1_000n, { trialDays: 5 }));
    trial.create(null, { planId: 'cove' });
    trial.pay(null);
    expect(nextBillingDate(trial.subscription)).toEqual(at('2027-02-05'));

    const failing = made();
    failing.pay(null, cardThat('pays', 'declines'));
    failing.advance('2027-03-01');
    expect(nextBillingDate(failing.subscription)).toEqual(at('2027-03-03'));

    const weekly = new World('2027-01-31', simplePlan('weekly', 1_000n));
    weekly.create(null, { planId: 'cove' });
    weekly.pay(null);
    expect([billingDayOfMonth(weekly.subscription), nextBillingDate(weekly.subscription)]).toEqual([
      null,
      at('2027-02-07'),
    ]);

    const once = new World('2027-01-31', simplePlan('one_time', 1_000n));
    once.create(null, { planId: 'cove' });
    once.pay(null);
    expect([billingDayOfMonth(once.subscription), nextBillingDate(once.subscription)]).toEqual([31, null]);
  });
});
