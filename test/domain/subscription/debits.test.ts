import { describe, expect, it, test } from 'vitest';
import type { MethodDetails } from '../../../src/domain/rows/rows.ts';
import { simplePlan } from './catalog.ts';
import {
  account,
  ach,
  date,
  euro,
  german,
  latest,
  renewedBy,
  sepa,
  settles,
  stages,
  subscribed,
  timeline,
} from './debit-world.ts';
import { card, cardThat, World } from './world.ts';

// Bank debits of the simulated bank: renewals, returns, dunning, first payments, cancellations, and ended mandates
// (INS-20 to INS-63). The dates follow the bank calendars.

describe('a renewal by SEPA debit', () => {
  it('is scheduled, sent after the notice, and settled after 5 business days (INS-E1)', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-02T00:00:00Z');
    expect(timeline(world)).toEqual(['03-02T00:00 invoice.created', '03-02T00:00 payment.scheduled']);
    expect([world.subscription.status, world.invoice.status, date(world.invoice.dueDate)]).toEqual([
      'active',
      'outstanding',
      '2027-03-04',
    ]);
    expect([latest(world).stage, latest(world).status]).toEqual(['scheduled', 'pending']);
    world.advance('2027-03-04T00:05:00Z');
    expect(timeline(world)).toEqual(['03-04T00:05 payment.processing']);
    expect([date(latest(world).expectedOn), date(latest(world).latestOn)]).toEqual([
      '2027-03-11',
      '2027-03-24',
    ]);
    world.advance('2027-03-11T06:00:00Z');
    expect(timeline(world)).toEqual(['03-11T06:00 payment.received']);
    expect(world.invoice.status).toBe('paid');
    expect(latest(world)).toMatchObject({ stage: 'settled', status: 'succeeded', instrument: 'sepa_debit' });
    expect(latest(world).reports?.map(({ stage }) => stage)).toEqual(['scheduled', 'processing', 'settled']);
    expect(world.items.at(-1)).toMatchObject({ kind: 'attempt_step', outcome: 'collected' });
  });

  it('reopens the invoice after a return, and dunning makes no attempt (INS-E2)', () => {
    const world = renewedBy(sepa('returns', '3002'));
    world.advance('2027-03-24');
    void world.sent;
    expect(world.invoice.status).toBe('paid');
    world.advance('2027-03-25T06:00:00Z');
    expect(timeline(world)).toEqual([
      '03-25T06:00 payment.returned',
      '03-25T06:00 invoice.reopened',
      '03-25T06:00 payment.failed',
      '03-25T06:00 subscription.past_due',
    ]);
    expect(world.invoice).toMatchObject({ status: 'outstanding', paidAt: null });
    expect(latest(world)).toMatchObject({ stage: 'returned', status: 'failed', declineCode: 'MD06' });
    expect(world.items.at(-1)).toMatchObject({ outcome: 'returned', detail: 'MD06' });
    const attempts = world.aggregate.transactions.length;
    world.advance('2027-03-31');
    expect([world.subscription.dunningAttempts, world.aggregate.transactions.length]).toEqual([3, attempts]);
    world.advance('2027-04-01T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'uncollectible']);
  });

  it('can be paid by another payment method after a return (INS-E2)', () => {
    const world = renewedBy(sepa('returns', '3002'));
    world.advance('2027-03-26');
    void world.sent;
    world.do('2027-03-29', {
      kind: 'recovery.pay',
      subscriptionId: world.subscription.id,
      invoiceId: world.invoice.id,
      method: cardThat('pays'),
      abandoned: null,
    });
    expect(world.sent).toEqual([
      'payment_method.updated',
      'payment.received',
      'payment.recovered',
      'state subscription_activated',
    ]);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
  });

  it('is retried after a decline, and the retries move by the duration of each attempt (INS-E3)', () => {
    const world = renewedBy(sepa('lacks_funds', '3001'));
    world.advance('2027-03-09T06:00:00Z');
    expect(world.subscription.status).toBe('past_due');
    world.advance('2027-03-10T06:00:00Z');
    expect([latest(world).stage, date(latest(world).collectionOn)]).toEqual(['scheduled', '2027-03-12']);
    world.advance('2027-03-16T12:00:00Z');
    expect(latest(world).stage).toBe('processing');
    world.advance('2027-03-17T06:00:00Z');
    expect(latest(world)).toMatchObject({ stage: 'declined', declineCode: 'AM04' });
    const slots = (): string[] =>
      world.aggregate.deadlines
        .filter(({ kind }) => kind === 'dunning_retry')
        .map(({ dueAt, state }) => `${dueAt.toISOString().slice(5, 16)} ${state}`);
    expect(slots()).toEqual(['03-19T06:00 ready', '03-21T06:00 ready', '03-23T06:00 ready']);
    world.advance('2027-03-19T06:00:00Z');
    expect([latest(world).stage, date(latest(world).collectionOn)]).toEqual(['scheduled', '2027-03-22']);
    world.advance('2027-03-25T06:00:00Z');
    expect(slots()).toEqual(['03-27T06:00 ready', '03-29T06:00 ready']);
    expect(world.aggregate.transactions.filter(({ instrument }) => instrument === 'sepa_debit')).toHaveLength(
      3,
    );
    world.advance('2027-03-27T06:00:00Z');
    expect([world.subscription.dunningAttempts, world.subscription.status]).toEqual([3, 'past_due']);
    world.advance('2027-03-29T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'uncollectible']);
    expect(world.aggregate.transactions.filter(({ instrument }) => instrument === 'sepa_debit')).toHaveLength(
      3,
    );
  });

  it('recovers the subscription after two declines (INS-E3)', () => {
    const world = renewedBy(sepa('lacks_funds_twice', '3004'));
    world.advance('2027-03-31T05:00:00Z');
    expect(world.subscription.status).toBe('past_due');
    void world.sent;
    world.advance('2027-03-31T06:00:00Z');
    expect(timeline(world)).toEqual(['03-31T06:00 payment.received', '03-31T06:00 payment.recovered']);
    expect([world.subscription.status, world.subscription.dunningAttempts]).toEqual(['active', 0]);
  });

  it('is collected while the previous renewal is processing (INS-E4)', () => {
    const world = new World('2027-02-22', euro('weekly'), german);
    world.create(null, { planId: 'cove' });
    world.pay(null, card);
    world.do(null, {
      kind: 'method.update',
      subscriptionId: world.subscription.id,
      method: settles,
      abandoned: null,
    });
    world.advance('2027-03-09');
    expect(stages(world).slice(1)).toEqual(['processing', 'scheduled']);
    world.advance('2027-04-02T06:00:00Z');
    const debits = world.aggregate.transactions.filter(({ instrument }) => instrument === 'sepa_debit');
    expect(debits.slice(0, 4).map(({ collectionOn, paidAt }) => [date(collectionOn), date(paidAt)])).toEqual([
      ['2027-03-03', '2027-03-10'],
      ['2027-03-10', '2027-03-17'],
      ['2027-03-17', '2027-03-24'],
      ['2027-03-24', '2027-04-02'],
    ]);
    expect(world.subscription.status).toBe('active');
  });
});

describe('a first payment by SEPA debit', () => {
  it('activates the subscription when the debit is accepted (INS-E5)', () => {
    const world = subscribed('2027-03-04', settles);
    expect(world.subscription).toMatchObject({ status: 'active' });
    expect(date(world.subscription.periodStart)).toBe('2027-03-04');
    expect(world.invoice.status).toBe('outstanding');
    expect(world.sent.slice(-5)).toEqual([
      'mandate.created',
      'payment_method.attached',
      'subscription.activated',
      'state subscription_activated',
      'payment.scheduled',
    ]);
    world.advance('2027-03-11T06:00:00Z');
    expect(world.sent).toEqual(['payment.processing', 'payment.received']);
    expect(world.invoice.status).toBe('paid');
  });

  it('makes the subscription past due if it fails (INS-34, INS-E5)', () => {
    const world = subscribed('2027-03-04', sepa('lacks_funds', '3001'));
    world.advance('2027-03-09T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['past_due', 'outstanding']);
  });
});

describe('a first payment by SEPA debit whose organization waits for the result (INS-33, INS-E5)', () => {
  const opened = (method: MethodDetails, when = '2027-03-04'): World => {
    const world = new World(when, euro(), german);
    world.aggregate = {
      ...world.aggregate,
      environment: { ...world.aggregate.environment, accessWhileProcessing: 'wait' },
    };
    world.create(null, { planId: 'cove' });
    world.pay(null, method);
    return world;
  };

  it('gives access on the day of the settlement', () => {
    const world = opened(settles);
    expect(world.subscription).toMatchObject({ status: 'pending_payment', periodStart: null });
    expect(world.sent.slice(-2)).toEqual(['mandate.created', 'payment.scheduled']);
    expect(world.pay(null, card)).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    world.advance('2027-03-11T06:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'active', pendingCheckout: null });
    expect([date(world.subscription.periodStart), world.invoice.status]).toEqual(['2027-03-11', 'paid']);
    expect(world.sent).toEqual([
      'payment.processing',
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'state subscription_activated',
    ]);
    world.advance('2027-04-30');
    expect(world.subscription.status).toBe('active');
  });

  it('can be paid again after a failure, without dunning', () => {
    const world = opened(sepa('lacks_funds', '3001'));
    void world.sent;
    world.advance('2027-03-09T06:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'pending_payment', pendingCheckout: null });
    expect(latest(world)).toMatchObject({ stage: 'declined', declineCode: 'AM04' });
    expect(world.sent).toEqual(['payment.processing']);
    world.pay('2027-03-10', card);
    expect([world.subscription.status, date(world.subscription.periodStart)]).toEqual([
      'active',
      '2027-03-10',
    ]);
  });

  it('can be paid again after the mandate was revoked before the debit was sent', () => {
    const world = opened(settles, '2027-03-06');
    expect(latest(world).stage).toBe('scheduled');
    const [mandate] = world.aggregate.mandates;
    world.do(null, {
      kind: 'mandate.revoke',
      mandateId: mandate?.id ?? '',
      subscriptionIds: [],
      by: 'customer',
    });
    expect(world.subscription).toMatchObject({ status: 'pending_payment', pendingCheckout: null });
    expect(latest(world)).toMatchObject({ stage: 'canceled', status: 'failed' });
    world.pay(null, card);
    expect(world.subscription.status).toBe('active');
  });

  const expiring = (method: MethodDetails): World => {
    const world = new World('2027-03-04', euro(), german);
    const { environment } = world.aggregate;
    world.aggregate = {
      ...world.aggregate,
      environment: { ...environment, accessWhileProcessing: 'wait', checkoutExpiryHours: 48 },
    };
    world.create(null, { planId: 'cove' });
    world.pay(null, method);
    return world;
  };

  it('starts its time limit again after a failure', () => {
    const world = expiring(sepa('lacks_funds', '3001'));
    world.advance('2027-03-09T06:00:00Z');
    expect(latest(world)).toMatchObject({ stage: 'declined' });
    world.advance('2027-03-11T05:59:59Z');
    expect(world.subscription.status).toBe('pending_payment');
    world.advance('2027-03-11T06:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'canceled', cancelReason: 'checkout_expired' });
  });

  it('can be paid after a failure that followed its first time limit', () => {
    const world = expiring(sepa('lacks_funds', '3001'));
    world.advance('2027-03-09T06:00:00Z');
    world.pay('2027-03-10', card);
    expect(world.subscription.status).toBe('active');
    world.advance('2027-03-12');
    expect(world.subscription.status).toBe('active');
  });

  it('keeps its payment method if the mandate is revoked before the settlement', () => {
    const world = expiring(settles);
    world.advance('2027-03-09');
    expect(latest(world).stage).toBe('processing');
    const [mandate] = world.aggregate.mandates;
    world.do(null, {
      kind: 'mandate.revoke',
      mandateId: mandate?.id ?? '',
      subscriptionIds: [],
      by: 'customer',
    });
    world.advance('2027-03-11T06:00:00Z');
    const [method, ...others] = world.aggregate.paymentMethods;
    expect(others).toEqual([]);
    expect(world.subscription).toMatchObject({ status: 'active', paymentMethodId: method?.id });
  });

  it("doesn't expire while the debit is processing", () => {
    const world = expiring(settles);
    world.advance('2027-03-10');
    expect(world.subscription.status).toBe('pending_payment');
    world.advance('2027-03-11T06:00:00Z');
    expect(world.subscription.status).toBe('active');
  });
});

describe('a debit of a canceled subscription (INS-37, INS-E12)', () => {
  const canceled = (method: MethodDetails): World => {
    const world = new World('2027-05-17', simplePlan('monthly', 5_831n));
    world.create(null, { planId: 'cove' });
    world.pay(null, card);
    world.do(null, { kind: 'method.update', subscriptionId: world.subscription.id, method, abandoned: null });
    world.advance('2027-06-18');
    expect([latest(world).stage, date(latest(world).expectedOn)]).toEqual(['processing', '2027-06-23']);
    world.cancel(null, true);
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'outstanding']);
    return world;
  };

  it('voids the invoice without dunning if it fails', () => {
    const world = canceled(account('ach_debit_is_unfunded_2227'));
    world.advance('2027-06-21T06:00:00Z');
    expect([world.subscription.status, world.invoice.status, latest(world).declineCode]).toEqual([
      'canceled',
      'void',
      'R01',
    ]);
  });

  it('pays the invoice if it settles, and the subscription stays canceled', () => {
    const world = canceled(ach);
    world.advance('2027-06-23T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'paid']);
  });

  it('is canceled with its invoice if it was only scheduled', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-03');
    world.cancel(null, true);
    expect([world.invoice.status, latest(world).stage]).toEqual(['void', 'canceled']);
    world.advance('2027-04-01');
    expect(latest(world).stage).toBe('canceled');
  });
});

test('a mandate that the bank ended cancels the scheduled debit, and the account is no longer charged (INS-63, INS-E13)', () => {
  const world = renewedBy(sepa('revokes', '3005'), '2027-01-02');
  world.advance('2027-03-02');
  expect(stages(world)).toEqual(['settled', 'settled', 'scheduled']);
  void world.sent;
  world.advance('2027-03-03T08:00:00Z');
  expect(timeline(world)).toEqual([
    '03-03T08:00 mandate.revoked',
    '03-03T08:00 payment.failed',
    '03-03T08:00 subscription.past_due',
  ]);
  expect(latest(world)).toMatchObject({ stage: 'canceled', status: 'failed' });
  expect(world.aggregate.mandates.at(-1)).toMatchObject({ status: 'revoked', reason: 'MD01', debits: 2 });
  expect(world.event('payment.failed').data).toMatchObject({ failureCode: 'no_payment_method' });
  const id = world.subscription.id;
  expect(world.do('2027-03-03T09:00:00Z', { kind: 'subscription.retry', subscriptionId: id })).toMatchObject({
    kind: 'rejection',
    code: 'no_payment_method',
  });
});

test("an account can't pay in a currency that its instrument doesn't support", () => {
  const world = new World('2027-03-04', simplePlan('monthly', 5_831n), german);
  world.create(null, { planId: 'cove' });
  expect(world.pay(null, settles)).toMatchObject({
    kind: 'rejection',
    code: 'provider_unsupported',
    details: { reason: 'currency_not_supported' },
  });
  expect([world.subscription.status, world.aggregate.transactions]).toEqual(['pending_payment', []]);
});
