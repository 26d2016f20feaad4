import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { simplePlan } from './catalog.ts';
import { at, card, cardThat, expectUnchanged, World } from './world.ts';

const opened = (interval: BillingInterval = 'monthly', amount = 3_400n, trialDays = 0): World => {
  const world = new World('2027-01-31T09:30:00Z', simplePlan(interval, amount, { trialDays }));
  world.create(null, { planId: 'cove' });
  expect(world.sent.length).toBeGreaterThan(0);
  return world;
};

describe('the payment of a checkout (SUB-15)', () => {
  test('activates the subscription, and starts the period on the payment day, including on the invoice', () => {
    const world = opened();
    expect(world.pay('2027-02-02T10:00:00Z')).toMatchObject({
      kind: 'ok',
      status: 'done',
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual([
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-02-02'),
      periodStart: at('2027-02-02'),
      periodEnd: at('2027-03-02'),
      windowEnd: at('2027-03-02'),
      termsFrom: at('2027-02-02T10:00:00Z'),
      activatedAt: at('2027-02-02T10:00:00Z'),
      checkoutInvoiceId: null,
      pendingCheckout: null,
      paymentMethodId: world.aggregate.paymentMethods[0]?.id,
      effectiveBaseMinor: 3_400n,
    });
    expect(world.invoice).toMatchObject({
      status: 'paid',
      paidAt: at('2027-02-02T10:00:00Z'),
      periodStart: at('2027-02-02'),
      periodEnd: at('2027-03-02'),
    });
    // The first invoice is issued when it's paid (BIL-30).
    expect(world.invoice).toMatchObject({
      finalizedAt: at('2027-02-02T10:00:00Z'),
      issueDate: at('2027-02-02'),
      dueDate: at('2027-02-02'),
    });
    expect(world.aggregate.transactions).toMatchObject([
      {
        status: 'succeeded',
        amountMinor: 3_400n,
        taxMinor: 0n,
        invoiceId: world.invoice.id,
        paymentMethodId: world.subscription.paymentMethodId,
        paidAt: at('2027-02-02T10:00:00Z'),
      },
    ]);
    expect(world.deadlines).toEqual(['2027-02-27 daily_scan:sub:upcoming', '2027-03-02 period_end:sub']);
    expect(
      world.ledger.map(({ fact, debitAccount, creditAccount, amountMinor }) => [
        fact,
        debitAccount,
        creditAccount,
        amountMinor,
      ]),
    ).toEqual([
      ['invoice.issued', 'receivable', 'revenue', 3_400n],
      ['payment.settled', 'processor_clearing', 'receivable', 3_400n],
      ['funds.captured', 'merchant_pending', 'merchant_settlement', 3_400n],
    ]);
    expect(world.event('payment.received').data).toEqual({
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0001',
      invoiceTotal: 3_400,
      customerId: 'acme-7',
      subscriptionId: world.subscription.id,
      paymentTransactionId: world.aggregate.transactions[0]?.id,
      provider: 'platform',
      grossAmount: 3_400,
      currency: 'usd',
      orgNetAmount: 3_400,
      customerEmail: 'pay@acme.test',
      paidAt: '2027-02-02T10:00:00.000Z',
    });
    expect(world.event('payment_method.attached').data['card']).toEqual({
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2040,
    });
  });

  test('keeps the amount of the first invoice after a price change (SUB-20, BIL-30)', () => {
    const world = new World('2027-01-31', simplePlan('monthly', 3_400n, { edits: { '2027-02-01': 9_900n } }));
    world.create(null, { planId: 'cove' });
    world.pay('2027-02-02');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 3_400n });
    world.advance('2027-03-02');
    expect(world.invoice).toMatchObject({
      status: 'paid',
      total: 9_900n,
      periodStart: at('2027-03-02'),
      periodEnd: at('2027-04-02'),
    });
  });

  test('stores the entered address and tax ID for the customer', () => {
    const world = opened();
    world.pay(null, card, {
      billingAddress: { line1: 'Kirkegata 1', city: 'Oslo', country: 'NO' },
      taxDocument: 'NO 999',
    });
    expect(world.aggregate.customer).toMatchObject({
      address: { city: 'Oslo' },
      country: 'NO',
      taxDocument: 'NO 999',
    });
  });

  test('opens monthly usage windows indefinitely for a one-time plan', () => {
    const world = opened('one_time', 49_900n);
    world.pay(null);
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-01-31'),
      periodEnd: at('2027-02-28'),
      windowEnd: at('2027-02-28'),
    });
    expect(world.deadlines).toEqual(['2027-02-28 window_reset:sub']);
  });
});

describe('a checkout with a total of 0 (SUB-17, BIL-35)', () => {
  test('stores a payment method and activates the subscription without a transaction', () => {
    const world = opened('monthly', 0n);
    expect(world.invoice).toMatchObject({ status: 'outstanding', total: 0n });
    world.pay(null);
    expect(world.sent).toEqual([
      'payment_method.attached',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.event('subscription.activated').data).toMatchObject({
      provider: null,
      invoiceTotal: 0,
      invoiceNumber: 'INV-0001',
    });
    expect(world.invoice).toMatchObject({ status: 'paid' });
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.ledger).toEqual([]);
  });

  test('writes off a total below the minimum charge', () => {
    const world = opened('monthly', 49n);
    world.pay(null);
    expect(world.sent).toEqual([
      'payment_method.attached',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.aggregate.transactions).toEqual([]);
    expect(
      world.ledger.map(({ fact, debitAccount, amountMinor }) => [fact, debitAccount, amountMinor]),
    ).toEqual([
      ['invoice.issued', 'receivable', 49n],
      ['invoice.below_minimum', 'write_off', 49n],
    ]);
  });

  test('charges a total equal to the minimum charge', () => {
    const world = opened('monthly', 50n);
    world.pay(null);
    expect(world.aggregate.transactions).toMatchObject([{ status: 'succeeded', amountMinor: 50n }]);
  });
});

describe('a declined checkout payment (SUB-18)', () => {
  test('records only a transaction, and can be retried', () => {
    const world = opened();
    const before = world.aggregate;
    expect(world.pay('2027-02-01', cardThat('declines'))).toEqual({
      kind: 'rejection',
      code: 'charge_failed',
      message: 'The card was declined.',
      details: { declineCode: 'card_declined' },
    });
    expect(world.sent).toEqual([]);
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'card_declined', paymentMethodId: null, amountMinor: 3_400n },
    ]);
    const { transactions: _transactions, ...rest } = world.aggregate;
    expect(rest).toEqual({ ...before, transactions: undefined });
    expect(world.pay('2027-02-02')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('records nothing if the setup of a trial is declined', () => {
    const world = opened('monthly', 3_400n, 10);
    const before = world.aggregate;
    expect(world.pay(null, cardThat('declines'))).toMatchObject({ code: 'charge_failed' });
    expect(world.aggregate).toEqual(before);
    expect(world.sent).toEqual([]);
  });
});

describe('an authentication at the checkout (SUB-16)', () => {
  const authenticate = (world: World, succeed: boolean) =>
    world.do(null, { kind: 'checkout.authenticate', subscriptionId: world.subscription.id, succeed });

  test('completes the payment if it succeeds', () => {
    const world = opened();
    expect(world.pay(null, cardThat('asks', 'pays'))).toMatchObject({
      kind: 'ok',
      status: 'requires_action',
    });
    expect(world.sent).toEqual([]);
    expect(world.subscription).toMatchObject({
      status: 'pending_payment',
      pendingCheckout: { state: 'requires_action' },
    });
    expect(world.aggregate.transactions).toMatchObject([{ status: 'pending' }]);
    expect(authenticate(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.aggregate.transactions).toMatchObject([{ status: 'succeeded' }]);
  });

  test('is treated as a declined payment if it fails', () => {
    const world = opened();
    world.pay(null, cardThat('asks', 'pays'));
    expect(authenticate(world, false)).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'authentication_failed' },
    });
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_failed' },
    ]);
    expect(world.subscription).toMatchObject({ status: 'pending_payment', pendingCheckout: null });
    expect(world.sent).toEqual([]);
  });

  test('starts a trial only after the payer completes the authentication', () => {
    const world = opened('monthly', 3_400n, 10);
    expect(world.pay(null, cardThat('asks', 'pays'))).toMatchObject({ status: 'requires_action' });
    expect(world.subscription).toMatchObject({ status: 'pending_payment', trialEndsAt: null });
    authenticate(world, true);
    expect(world.sent).toEqual(['payment_method.attached', 'trial.started', 'state trial_started']);
    expect(world.subscription.status).toBe('trialing');
  });

  test('is abandoned if the payer pays with another card', () => {
    const world = opened();
    world.pay(null, cardThat('asks', 'pays'));
    expect(world.pay(null, card)).toMatchObject({ status: 'done' });
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_abandoned' },
      { status: 'succeeded' },
    ]);
  });

  test('is canceled only if the request identifies the attempt, because another attempt could still charge the customer', () => {
    const world = opened();
    world.pay(null, cardThat('asks', 'pays'));
    const first = world.subscription.pendingCheckout?.attemptId ?? '';
    world.pay(null, cardThat('asks', 'pays'));
    const before = world.aggregate;
    for (const abandoned of [null, first]) {
      expect(world.pay(null, card, { abandoned })).toMatchObject({
        kind: 'rejection',
        code: 'charge_in_progress',
      });
      expect(world.aggregate).toEqual(before);
    }
    expect(authenticate(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test('is rejected if no authentication was requested', () => {
    const world = opened();
    expect(authenticate(world, true)).toMatchObject({ kind: 'rejection', code: 'payment_not_found' });
    expectUnchanged(world);
  });
});

describe("a checkout payment that can't be made", () => {
  test('is rejected after an earlier payment', () => {
    const world = opened();
    world.pay(null);
    expect(world.pay(null)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
    expectUnchanged(world);
  });

  test("is rejected while an attempt is pending, and that attempt's result completes the checkout later (BIL-32)", () => {
    const world = opened();
    world.mood = 'silent';
    expect(world.pay(null)).toMatchObject({ kind: 'ok', status: 'unanswered' });
    expect(world.pay(null)).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    expectUnchanged(world);
    expect(world.cancel(null)).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    const [transaction] = world.aggregate.transactions;
    const answer = {
      kind: 'charge.result',
      transactionId: transaction?.id ?? '',
      result: { status: 'settled' },
    } as const;
    expect(world.do('2027-02-01', answer)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.subscription).toMatchObject({ status: 'active', periodStart: at('2027-02-01') });
    expect(world.do('2027-02-02', answer)).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
  });

  test('is rejected if the transaction or the subscription is unknown', () => {
    const world = opened();
    expect(
      world.do(null, { kind: 'charge.result', transactionId: 'txn_x', result: { status: 'settled' } }),
    ).toMatchObject({
      code: 'transaction_not_found',
    });
    expectUnchanged(world);
    expect(world.do(null, { kind: 'subscription.uncancel', subscriptionId: 'sub_x' })).toMatchObject({
      code: 'subscription_not_found',
    });
    expectUnchanged(world);
  });
});
