import { describe, expect, test } from 'vitest';
import { nextRetryAt, nextSlot, slotTimes, usualRetryTerms } from '../../../src/domain/payments/dunning.ts';
import type { MethodDetails, RetryTerms } from '../../../src/domain/rows/rows.ts';
import { accessEndsAt, nextAutomaticRetryAt } from '../../../src/domain/subscription/state/view.ts';
import { addDays } from '../../../src/domain/time/period.ts';
import { simplePlan } from './catalog.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

/** Changes the organization's settings for payment retries. */
const setRetryTerms = (world: World, retryTerms: RetryTerms): void => {
  const { environment } = world.aggregate;
  world.aggregate = { ...world.aggregate, environment: { ...environment, retryTerms } };
};

/** A monthly subscription whose renewal on June 18 fails at 00:04 UTC. */
const pastDue = (terms: RetryTerms = usualRetryTerms): World => {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  setRetryTerms(world, terms);
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays', 'declines'));
  world.advance('2027-06-17');
  expect(world.sent).toHaveLength(9);
  world.advance('2027-06-18', '2027-06-18T00:04:00Z');
  return world;
};
/** Retries a failed charge as the merchant. */
const retry = (world: World, now: string) => {
  const failed = world.aggregate.transactions.find(({ status }) => status === 'failed');
  return world.do(now, { kind: 'transaction.retry', transactionId: failed?.id ?? '' });
};
/** Pays as the customer, with the stored payment method or another one. */
const payerRetry = (world: World, now: string) =>
  world.do(now, { kind: 'subscription.retry', subscriptionId: world.subscription.id });
const payerPays = (world: World, now: string, method: MethodDetails) =>
  world.do(now, {
    kind: 'recovery.pay',
    subscriptionId: world.subscription.id,
    invoiceId: world.invoice.id,
    method,
    abandoned: null,
  });
const outcomes = (world: World): string[] =>
  world.items.map(({ outcome, dueAt }) => `${dueAt.toISOString().slice(5, 16)} ${outcome}`);

test('payment retries run 1, 3, 5, and 7 whole days after the first failure (BIL-41)', () => {
  const failedAt = at('2027-06-18T00:04:00Z');
  const terms = usualRetryTerms;
  expect(slotTimes(failedAt, terms)).toEqual([1, 3, 5, 7].map((each) => addDays(failedAt, each)));
  expect([0, 1, 3, 4].map((attempts) => nextSlot(attempts, terms))).toEqual([1, 2, 4, null]);
  expect(nextRetryAt(failedAt, 2, terms)).toEqual(at('2027-06-23T00:04:00Z'));
  expect(nextRetryAt(failedAt, 4, terms)).toBeNull();
  expect(nextRetryAt(null, 0, terms)).toBeNull();
});

test('a scheduled retry that was used up by a manual retry makes no charge', () => {
  const world = pastDue();
  retry(world, '2027-06-18T12:00:00Z');
  expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
  const { transactions } = world.aggregate;
  const { id: subscriptionId } = world.subscription;
  const deadlineId = `dunning_retry:${subscriptionId}:1`;
  expect(
    world.do('2027-06-19T00:04:00Z', { kind: 'dunning_retry', subscriptionId, deadlineId, slot: 1 }),
  ).toMatchObject({ kind: 'ok', status: 'unchanged' });
  expect(world.aggregate.transactions).toEqual(transactions);
});

test('the first failed charge makes the subscription past due and schedules the retries (BIL-40)', () => {
  const world = pastDue();
  expect(world.sent).toEqual([
    'invoice.created',
    'payment.failed',
    'subscription.past_due',
    'state past_due',
  ]);
  expect(world.event('payment.failed').data).toEqual({
    invoiceId: world.invoice.id,
    invoiceNumber: 'INV-0002',
    customerId: 'acme-7',
    subscriptionId: world.subscription.id,
    provider: 'platform',
    failureCode: 'card_declined',
    failureMessage: 'The card was declined.',
    recoveryUrl: `https://pay.test/recover/${world.invoice.id}`,
  });
  expect(world.event('subscription.past_due').data).toMatchObject({
    status: 'past_due',
    invoiceId: world.invoice.id,
    invoiceNumber: 'INV-0002',
  });
  expect(world.subscription).toMatchObject({
    status: 'past_due',
    dunningInvoiceId: world.invoice.id,
    dunningStartedAt: at('2027-06-18T00:04:00Z'),
    dunningAttempts: 0,
    periodStart: at('2027-06-18'),
    periodEnd: at('2027-07-18'),
  });
  expect(world.invoice.status).toBe('outstanding');
  expect(world.deadlines).toEqual([
    '2027-06-19 daily_scan:sub:inv',
    '2027-06-19T00:04 dunning_retry:sub:1',
    '2027-06-21T00:04 dunning_retry:sub:2',
    '2027-06-23T00:04 dunning_retry:sub:3',
    '2027-06-25T00:04 dunning_retry:sub:4',
    '2027-07-15 daily_scan:sub:upcoming',
    '2027-07-18 period_end:sub',
  ]);
});

test('four declined retries exhaust dunning, mark the invoice uncollectible, and cancel the subscription (BIL-43, BIL-46)', () => {
  const world = pastDue();
  expect(world.sent).toHaveLength(4);
  world.advance('2027-06-24');
  expect(world.sent).toEqual(['invoice.overdue']);
  expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 3 });
  world.advance('2027-12-31');
  expect(world.sent).toEqual([
    'payment.retry_failed',
    'subscription.canceled',
    'state subscription_canceled',
  ]);
  expect(world.event('payment.retry_failed').data).toMatchObject({
    reason: 'card_declined',
    invoiceId: world.invoice.id,
    provider: 'platform',
  });
  expect(world.event('subscription.canceled').data).toMatchObject({
    cancelReason: 'dunning_exhausted',
    canceledAt: '2027-06-25T00:04:00.000Z',
    endDate: '2027-06-25T00:04:00.000Z',
  });
  expect(world.invoice).toMatchObject({ status: 'uncollectible', paidAt: null });
  expect(world.aggregate.transactions.map(({ status }) => status)).toEqual([
    'succeeded',
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
  ]);
  expect(outcomes(world)).toEqual([
    '06-18T00:00 declined',
    '06-19T00:04 declined',
    '06-21T00:04 declined',
    '06-23T00:04 declined',
    '06-25T00:04 exhausted',
  ]);
  expect(world.deadlines).toEqual([]);
  expect(world.ledger.at(-1)).toMatchObject({ fact: 'invoice.uncollectible', amountMinor: 3_400n });
});

test("the merchant's attempts use up the next retries, and the fourth declined charge ends dunning (BIL-E2)", () => {
  const world = pastDue();
  expect(retry(world, '2027-06-18T12:00:00Z')).toEqual({
    kind: 'rejection',
    code: 'charge_failed',
    message: 'The card was declined.',
    details: { declineCode: 'card_declined' },
  });
  expect(world.deadlines.filter((line) => line.includes('dunning'))).toEqual([
    '2027-06-21T00:04 dunning_retry:sub:2',
    '2027-06-23T00:04 dunning_retry:sub:3',
    '2027-06-25T00:04 dunning_retry:sub:4',
  ]);
  world.advance('2027-06-23T12:00:00Z');
  expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 3 });
  expect(retry(world, '2027-06-24T09:00:00Z')).toMatchObject({ code: 'charge_failed' });
  expect(world.subscription).toMatchObject({
    status: 'canceled',
    canceledAt: at('2027-06-24T09:00:00Z'),
    cancelReason: 'dunning_exhausted',
  });
  world.advance('2027-06-30');
  expect(outcomes(world)).toEqual(['06-18T00:00 declined', '06-21T00:04 declined', '06-23T00:04 declined']);
});

describe("a payer's attempt during dunning (BIL-42)", () => {
  const declined = {
    kind: 'rejection',
    code: 'charge_failed',
    message: 'The card was declined.',
    details: { declineCode: 'card_declined' },
  };
  const card = cardThat('declines', 'declines');

  test("doesn't use up or move a retry, and doesn't end the subscription", () => {
    const world = pastDue();
    const [before, deadlines] = [world.subscription, world.deadlines];
    for (let minute = 10; minute < 15; minute++) {
      expect(payerRetry(world, `2027-06-18T12:${minute}:00Z`)).toEqual(declined);
      expect(payerPays(world, `2027-06-18T12:${minute}:30Z`, card)).toEqual(declined);
    }
    expect(world.subscription).toEqual({ ...before, updatedAt: expect.any(Date) });
    expect(world.deadlines).toEqual(deadlines);
    expect(world.aggregate.transactions.map(({ isPayerRetry }) => isPayerRetry)).toEqual([
      false,
      false,
      ...Array(10).fill(true),
    ]);
    world.advance('2027-12-31');
    expect(outcomes(world)).toEqual([
      '06-18T00:00 declined',
      '06-19T00:04 declined',
      '06-21T00:04 declined',
      '06-23T00:04 declined',
      '06-25T00:04 exhausted',
    ]);
    expect(world.subscription).toMatchObject({ status: 'canceled', canceledAt: at('2027-06-25T00:04:00Z') });
  });

  test('is limited to ten attempts per hour across all payment methods', () => {
    const world = pastDue();
    for (let minute = 10; minute < 20; minute++) payerRetry(world, `2027-06-18T12:${minute}:00Z`);
    for (const act of [payerRetry, (it: World, now: string) => payerPays(it, now, card)]) {
      expect(act(world, '2027-06-18T13:09:59Z')).toMatchObject({
        kind: 'rejection',
        code: 'rate_limited',
        retryAfter: 1,
      });
      expectUnchanged(world);
    }
    // The merchant's attempts have no limit.
    expect(retry(world, '2027-06-18T13:09:59Z')).toEqual(declined);
    expect(payerPays(world, '2027-06-18T13:10:00Z', card)).toEqual(declined);
    expect(payerPays(world, '2027-06-18T13:10:01Z', card)).toMatchObject({
      code: 'rate_limited',
      retryAfter: 59,
    });
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
  });

  test('postpones a due retry until its result is known', () => {
    const world = pastDue();
    world.mood = 'silent';
    payerRetry(world, '2027-06-19');
    world.advance('2027-06-19T00:04:00Z');
    expect(world.parked).toEqual([`dunning_retry:${world.subscription.id}:1`]);
    const pending = world.aggregate.transactions.find(({ status }) => status === 'pending');
    world.mood = 'declines';
    const result = { status: 'declined', declineCode: 'card_declined', message: 'No.' } as const;
    world.do('2027-06-19T06:00:00Z', { kind: 'charge.result', transactionId: pending?.id ?? '', result });
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 0 });
    world.advance('2027-06-19T06:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
  });
});

test.each([
  ['a scheduled retry', (world: World) => world.advance('2027-06-21T00:04:00Z'), '2027-06-21T00:04:00Z'],
  ['the merchant', (world: World) => retry(world, '2027-06-20T08:00:00Z'), '2027-06-20T08:00:00Z'],
  ['the payer', (world: World) => payerRetry(world, '2027-06-20T08:00:00Z'), '2027-06-20T08:00:00Z'],
])(
  'a successful payment by %s reactivates the subscription with the same anchor, period, and invoice number (BIL-44)',
  (_how, act, when) => {
    const world = pastDue();
    world.advance('2027-06-20');
    expect(world.sent).toHaveLength(5);
    const before = world.subscription;
    world.mood = 'pays';
    act(world);
    expect(world.sent).toEqual(['payment.received', 'payment.recovered', 'state subscription_activated']);
    expect(world.event('payment.recovered').data).toEqual({
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0002',
      invoiceTotal: 3_400,
      customerId: 'acme-7',
      subscriptionId: world.subscription.id,
      provider: 'platform',
    });
    expect(world.subscription).toEqual({
      ...before,
      status: 'active',
      dunningInvoiceId: null,
      dunningStartedAt: null,
      dunningAttempts: 0,
      retryTerms: null,
      updatedAt: at(when),
    });
    expect(world.invoice).toMatchObject({ status: 'paid', number: 2n, paidAt: at(when) });
    expect(world.deadlines).toEqual(['2027-07-15 daily_scan:sub:upcoming', '2027-07-18 period_end:sub']);
  },
);

test.each(['asks', 'none'] as const)(
  'a retry with the provider result "%s" is treated as a decline (BIL-45)',
  (how) => {
    const world = pastDue();
    if (how === 'asks') world.mood = 'asks';
    else world.aggregate = { ...world.aggregate, paymentMethods: [] };
    world.advance('2027-06-19T00:04:00Z');
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
    expect(world.items.at(-1)).toMatchObject({
      outcome: 'declined',
      detail: how === 'asks' ? 'authentication_required' : 'no_payment_method',
    });
  },
);

test('a renewal without a payment method is treated as a failed charge', () => {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  world.pay(null);
  world.aggregate = { ...world.aggregate, paymentMethods: [] };
  world.advance('2027-06-18');
  expect(world.sent.slice(-4)).toEqual([
    'invoice.created',
    'payment.failed',
    'subscription.past_due',
    'state past_due',
  ]);
  expect(world.event('payment.failed').data).toMatchObject({ failureCode: 'no_payment_method' });
  expect(world.aggregate.transactions).toHaveLength(1);
});

test("an attempt without a payment method is rejected, and doesn't use up a retry", () => {
  const world = pastDue();
  world.aggregate = { ...world.aggregate, paymentMethods: [] };
  expect(retry(world, '2027-06-18T12:00:00Z')).toMatchObject({
    kind: 'rejection',
    code: 'no_payment_method',
  });
  expectUnchanged(world);
});

test("a pending attempt doesn't use up a retry, and blocks other attempts until the provider responds (BIL-32)", () => {
  const world = pastDue();
  world.mood = 'silent';
  world.advance('2027-06-19T00:04:00Z');
  expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 0 });
  expect(retry(world, '2027-06-20')).toMatchObject({ code: 'charge_in_progress' });
  expectUnchanged(world);
  world.advance('2027-06-21T00:04:00Z');
  expect(world.parked).toEqual([`dunning_retry:${world.subscription.id}:2`]);
  const pending = world.aggregate.transactions.find(({ status }) => status === 'pending');
  const result = { status: 'declined', declineCode: 'card_declined', message: 'No.' } as const;
  world.do('2027-06-21T06:00:00Z', { kind: 'charge.result', transactionId: pending?.id ?? '', result });
  expect(world.subscription).toMatchObject({ dunningAttempts: 1 });
  expect(world.deadlines.filter((line) => line.includes('dunning'))[0]).toBe(
    '2027-06-21T00:04 dunning_retry:sub:2',
  );
  world.mood = 'pays';
  world.advance('2027-06-21T06:00:00Z');
  expect(world.subscription.status).toBe('active');
});

describe('the period end of a past-due subscription (BIL-8)', () => {
  const weekly = (): World => {
    const world = new World('2027-06-02', simplePlan('weekly', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays', 'declines'));
    world.advance('2027-06-09', '2027-06-09T12:00:00Z');
    world.advance('2027-06-16');
    expect(world.subscription).toMatchObject({
      status: 'past_due',
      dunningAttempts: 3,
      periodStart: at('2027-06-09'),
    });
    expect(world.parked).toEqual([`period_end:${world.subscription.id}`]);
    expect(world.aggregate.invoices).toHaveLength(2);
    return world;
  };

  test('is processed immediately after the settlement, before later deadlines', () => {
    const world = weekly();
    world.mood = 'pays';
    world.advance('2027-06-16T12:00:00Z');
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-06-16'),
      periodEnd: at('2027-06-23'),
    });
    expect(world.invoice).toMatchObject({
      status: 'paid',
      periodStart: at('2027-06-16'),
      issueDate: at('2027-06-16'),
      paidAt: at('2027-06-16T12:00:00Z'),
    });
    expect(world.sent.slice(-5)).toEqual([
      'payment.received',
      'payment.recovered',
      'state subscription_activated',
      'invoice.created',
      'payment.received',
    ]);
  });

  test('is removed if dunning is exhausted', () => {
    const world = weekly();
    world.advance('2027-08-01');
    expect(world.subscription.status).toBe('canceled');
    expect(world.aggregate.invoices).toHaveLength(2);
    expect(world.deadlines).toEqual([]);
  });

  test('is removed by a cancellation, which voids the invoice (BIL-48)', () => {
    const world = weekly();
    expect(world.sent.length).toBeGreaterThan(0);
    world.cancel(null);
    expect(world.sent).toEqual([
      'invoice.voided',
      'credit_note.created',
      'subscription.canceled',
      'state subscription_canceled',
    ]);
    expect(world.invoice.status).toBe('void');
    expect(world.deadlines).toEqual([]);
  });
});

test('a clock run has items for settled renewals and for a declined renewal (BIL-55, BIL-E4)', () => {
  const at30 = (method: string): World => {
    const world = new World('2027-02-12', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays', method));
    world.advance('2027-03-01T09:30:00Z');
    world.advance('2027-04-15T21:30:00Z');
    return world;
  };
  expect(outcomes(at30('pays'))).toEqual(['03-12T00:00 renewed', '04-12T00:00 renewed']);
  expect(outcomes(at30('declines'))).toEqual([
    '03-12T00:00 declined',
    '03-13T00:00 declined',
    '03-15T00:00 declined',
    '03-17T00:00 declined',
    '03-19T00:00 exhausted',
  ]);
});

test('a one-time purchase becomes active when dunning is exhausted, even though an invoice is unpaid (BIL-11)', () => {
  const world = pastDue();
  world.aggregate = {
    ...world.aggregate,
    subscriptions: [{ ...world.subscription, billingInterval: 'one_time' }],
  };
  expect(world.sent).toHaveLength(4);
  world.advance('2027-06-25T00:04:00Z');
  expect(world.sent).toEqual(['invoice.overdue', 'payment.retry_failed']);
  expect(world.subscription).toMatchObject({ status: 'active', dunningAttempts: 0, dunningInvoiceId: null });
  expect(world.invoice.status).toBe('uncollectible');
});

describe("the organization's retry days", () => {
  const patient: RetryTerms = { retryDays: [2, 10, 40], lastRetryAction: 'cancel' };

  test('determine the retries, and the end of the subscription in the next billing period (BIL-41, BIL-43)', () => {
    const world = pastDue(patient);
    expect(world.deadlines.filter((text) => text.includes('dunning_retry'))).toEqual([
      '2027-06-20T00:04 dunning_retry:sub:1',
      '2027-06-28T00:04 dunning_retry:sub:2',
      '2027-07-28T00:04 dunning_retry:sub:3',
    ]);
    expect(accessEndsAt(world.subscription)).toEqual(at('2027-07-28T00:04:00Z'));
    world.advance('2027-07-20');
    // The renewal of July 18 waits.
    expect(world.subscription).toMatchObject({
      status: 'past_due',
      dunningAttempts: 2,
      periodEnd: at('2027-07-18'),
    });
    world.advance('2027-07-29');
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      canceledAt: at('2027-07-28T00:04:00Z'),
      retryTerms: null,
    });
    expect(world.aggregate.invoices).toHaveLength(2);
  });

  test("don't change the retries of a subscription that is past due", () => {
    const world = pastDue();
    setRetryTerms(world, patient);
    world.advance('2027-06-25T00:04:00Z');
    expect(world.subscription).toMatchObject({ status: 'canceled', canceledAt: at('2027-06-25T00:04:00Z') });
  });
});

describe('a subscription that stays past due after the last retry', () => {
  const kept: RetryTerms = { retryDays: [1], lastRetryAction: 'keep_past_due' };
  const exhausted = (): World => {
    const world = pastDue(kept);
    expect(accessEndsAt(world.subscription)).toBeNull();
    world.advance('2027-06-19T00:04:00Z');
    return world;
  };

  test('keeps its outstanding invoice, and sends `payment.retry_failed` once (BIL-43)', () => {
    const world = exhausted();
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
      'state past_due',
      'invoice.overdue',
      'payment.retry_failed',
    ]);
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1, retryTerms: kept });
    expect(world.invoice.status).toBe('outstanding');
    expect(nextAutomaticRetryAt(world.subscription)).toBeNull();
    retry(world, '2027-06-30T08:00:00Z');
    world.advance('2027-09-30');
    expect(
      world.sent.filter((kind) => kind.startsWith('payment') || kind.startsWith('subscription')),
    ).toEqual([]);
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 1 });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual([
      'succeeded',
      'failed',
      'failed',
      'failed',
    ]);
  });

  test('is active again after the customer pays, and then renews for the periods in between (BIL-44)', () => {
    const world = exhausted();
    payerPays(world, '2027-08-20T08:00:00Z', cardThat('pays'));
    expect(world.subscription).toMatchObject({ status: 'active', dunningAttempts: 0, retryTerms: null });
    world.advance('2027-08-21');
    expect(world.subscription).toMatchObject({ status: 'active', periodEnd: at('2027-09-18') });
    expect(world.aggregate.invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid']);
  });

  test('is always active if it was purchased once, and its invoice is uncollectible (BIL-11)', () => {
    const world = pastDue(kept);
    world.aggregate = {
      ...world.aggregate,
      subscriptions: [{ ...world.subscription, billingInterval: 'one_time' }],
    };
    world.advance('2027-06-19T00:04:00Z');
    expect(world.subscription).toMatchObject({ status: 'active', retryTerms: null });
    expect(world.invoice.status).toBe('uncollectible');
  });
});
