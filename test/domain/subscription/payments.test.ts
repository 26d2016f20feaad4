import { describe, expect, test } from 'vitest';
import { replay } from '../../../src/domain/ledger/verify.ts';
import type { PaymentRow } from '../../../src/domain/rows/payment-rows.ts';
import type { Aggregate } from '../../../src/domain/subscription/state/aggregate.ts';
import { at, card, cardThat, customer, expectUnchanged, World } from './world.ts';

const german: Partial<Aggregate> = {
  customer: { ...customer, country: 'DE' },
  taxRegistrations: [{ country: 'DE', region: null, rateBps: 1_900 }],
};
const terms = {
  paymentId: 'pay_1',
  subtotalMinor: 18_450n,
  currency: 'eur',
  description: 'Workshop',
  metadata: { order: 'A-7' },
};

const newWorld = (changes: Partial<Aggregate> = german): World =>
  new World('2027-03-01T09:00:00Z', undefined, changes);

const routing = { provider: 'platform', namedProvider: null, connectionId: null } as const;

const create = (world: World, more: object = {}) =>
  world.do(null, {
    kind: 'payment.create',
    ...terms,
    successUrl: null,
    saveCard: 'always',
    routing,
    ...more,
  });
/** Attempt that waits for the payer. The next payment abandons the attempt. */
const awaited = (world: World): string | null =>
  world.aggregate.payments.find(({ id }) => id === 'pay_1')?.attempt?.attemptId ?? null;
const pay = (world: World, method = card, more: object = {}) =>
  world.do(null, {
    kind: 'payment.pay',
    paymentId: 'pay_1',
    method,
    billingAddress: null,
    taxDocument: null,
    abandoned: awaited(world),
    ...more,
  });
const charge = (world: World, more: object = {}) =>
  world.do(null, { kind: 'payment.charge', ...terms, paymentId: 'pay_2', ...more });
const cancel = (world: World, abandoned = awaited(world)) =>
  world.do(null, { kind: 'payment.cancel', paymentId: 'pay_1', abandoned });
const authenticate = (world: World, succeed: boolean) =>
  world.do(null, { kind: 'payment.authenticate', paymentId: 'pay_1', succeed });

function payment(world: World, id = 'pay_1'): PaymentRow {
  const row = world.aggregate.payments.find((one) => one.id === id);
  if (row === undefined) throw new Error(`no ${id}`);
  return row;
}

/** Payment link without a customer. The test customer is the payer. */
const unassigned = (status: PaymentRow['status'], payerId: string | null): Partial<Aggregate> => ({
  payments: [
    {
      id: 'pay_1',
      seq: 7n,
      customerId: null,
      payerId,
      kind: 'link',
      searchText: 'workshop',
      status,
      ...routing,
      currency: 'usd',
      subtotalMinor: 4_200n,
      taxMinor: 0n,
      totalMinor: 4_200n,
      description: 'Workshop',
      metadata: null,
      successUrl: null,
      saveCard: 'always',
      cardSavedAt: null,
      attempt: null,
      failureCode: null,
      failureMessage: null,
      wrongCodes: 0,
      invoiceId: null,
      createdAt: at('2027-02-01'),
      updatedAt: at('2027-02-01'),
    },
  ],
});

describe('a payment link', () => {
  // 184.50 × 19% = 35.055 → 35.06; 184.50 + 35.06 = 219.56.
  test('is declined, and then paid with another card, with exact records and events (PAY-1, PAY-3, PAY-8, PAY-9, PAY-E1)', () => {
    const world = newWorld();
    create(world);
    expect(payment(world)).toMatchObject({
      status: 'pending',
      subtotalMinor: 18_450n,
      taxMinor: 3_506n,
      totalMinor: 21_956n,
    });
    expect(world.sent).toEqual(['payment_link.created']);
    expect(pay(world, cardThat('declines'))).toMatchObject({
      kind: 'rejection',
      code: 'payment_failed',
      details: { declineCode: 'card_declined', paymentId: 'pay_1' },
    });
    expect(payment(world)).toMatchObject({
      status: 'failed',
      attempt: null,
      failureCode: 'card_declined',
      invoiceId: null,
    });
    expect(world.sent).toEqual(['payment_link.failed']);
    expect(world.event('payment_link.failed').data).toMatchObject({
      status: 'failed',
      amount: 21_956,
      failureCode: 'card_declined',
    });
    expect(world.aggregate.invoices).toEqual([]);
    expect(world.aggregate.paymentMethods).toEqual([]);
    expect(pay(world)).toMatchObject({ kind: 'ok', status: 'done', invoiceId: world.invoice.id });
    expect(world.sent).toEqual(['invoice.created', 'payment.received', 'payment_link.completed']);
    expect(payment(world)).toMatchObject({
      status: 'succeeded',
      failureCode: null,
      invoiceId: world.invoice.id,
    });
    expect(world.invoice).toMatchObject({
      type: 'one_time_payment',
      status: 'paid',
      subscriptionId: null,
      subtotal: 18_450n,
      taxAmount: 3_506n,
      total: 21_956n,
      metadata: { order: 'A-7' },
    });
    expect(world.linesOf(world.invoice)).toMatchObject([
      { lineType: 'one_time', description: 'Workshop', amount: 18_450n },
    ]);
    const [failed, settled] = world.aggregate.transactions;
    expect(failed).toMatchObject({ status: 'failed', invoiceId: null, paymentId: 'pay_1' });
    expect(settled).toMatchObject({
      status: 'succeeded',
      invoiceId: world.invoice.id,
      paymentId: 'pay_1',
      amountMinor: 21_956n,
    });
    expect(settled?.paymentMethodId).toBe(world.aggregate.paymentMethods[0]?.id);
    expect(world.event('payment_link.completed').data).toMatchObject({
      paymentId: 'pay_1',
      status: 'succeeded',
      amount: 21_956,
      customerId: 'acme-7',
      invoiceId: world.invoice.id,
      paymentTransactionId: settled?.id,
    });
    const balances = replay(world.ledger);
    expect(balances.get('revenue eur')).toBe(-18_450n);
    expect(balances.get('tax_payable eur')).toBe(-3_506n);
    expect(balances.get('processor_clearing eur')).toBe(21_956n);
    expect(balances.get('receivable eur cus_1')).toBe(0n);
  });

  test.each([
    { saveCard: 'always', agreed: null, isSaved: true },
    { saveCard: 'always', agreed: true, isSaved: true },
    { saveCard: 'always', agreed: false, isSaved: false },
    { saveCard: 'optional', agreed: null, isSaved: false },
    { saveCard: 'optional', agreed: true, isSaved: true },
    { saveCard: 'optional', agreed: false, isSaved: false },
    { saveCard: 'never', agreed: null, isSaved: false },
    { saveCard: 'never', agreed: true, isSaved: false },
  ] as const)(
    'saves the card only with consent: setting $saveCard, consent $agreed, saved $isSaved (PAY-8)',
    ({ saveCard, agreed, isSaved }) => {
      const world = newWorld();
      create(world, { saveCard });
      pay(world, cardThat('asks'), { saveCard: agreed });
      expect(world.aggregate.paymentMethods).toEqual([]);
      authenticate(world, true);
      expect(payment(world)).toMatchObject({
        status: 'succeeded',
        cardSavedAt: isSaved ? at('2027-03-01T09:00:00Z') : null,
      });
      const [method] = world.aggregate.paymentMethods;
      expect(method?.removedAt).toEqual(isSaved ? null : at('2027-03-01T09:00:00Z'));
      // The transaction stores the card in both cases, so the payment can be refunded.
      expect(world.aggregate.transactions[0]?.paymentMethodId).toBe(method?.id);
      // Charges of the saved card require authentication.
      expect(charge(world)).toMatchObject({ code: isSaved ? 'payment_failed' : 'no_payment_method' });
    },
  );

  test("is taxed at the payer's location, which is stored after the payment (PAY-4, PAY-18)", () => {
    const world = newWorld({ ...german, customer });
    create(world);
    expect(payment(world)).toMatchObject({ taxMinor: 0n, totalMinor: 18_450n });
    const billingAddress = { line1: '1 Weg', city: 'Berlin', postalCode: '10115', country: 'DE' };
    pay(world, cardThat('declines'), { billingAddress, taxDocument: 'DE136695976' });
    expect(payment(world)).toMatchObject({ taxMinor: 3_506n, totalMinor: 21_956n });
    expect(world.aggregate.customer).toMatchObject({ country: null, taxDocument: null });
    pay(world, card, { billingAddress, taxDocument: 'DE136695976' });
    expect(world.aggregate.customer).toMatchObject({
      country: 'DE',
      address: billingAddress,
      taxDocument: 'DE136695976',
    });
    expect(world.invoice.total).toBe(21_956n);
  });

  test("keeps the requested amount if the charge's result is late, regardless of later tax changes", () => {
    const world = newWorld();
    create(world);
    world.mood = 'silent';
    expect(pay(world)).toMatchObject({ kind: 'ok', status: 'unanswered' });
    expect(payment(world).status).toBe('processing');
    world.aggregate = { ...world.aggregate, taxRegistrations: [] };
    const [transaction] = world.aggregate.transactions;
    const answer = {
      kind: 'charge.result',
      transactionId: transaction?.id ?? '',
      result: { status: 'settled' },
    } as const;
    expect(world.do(null, answer)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.invoice).toMatchObject({ taxAmount: 3_506n, total: 21_956n });
    expect(world.do(null, answer)).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expectUnchanged(world);
  });

  test('handles a successful and a failed authentication (PAY-4)', () => {
    const world = newWorld();
    create(world);
    expect(pay(world, cardThat('asks'))).toMatchObject({ kind: 'ok', status: 'requires_action' });
    expect(payment(world).status).toBe('requires_action');
    expect(authenticate(world, false)).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'authentication_failed' },
    });
    expect(payment(world).status).toBe('failed');
    expect(authenticate(world, true)).toMatchObject({ code: 'payment_not_found' });
    pay(world, cardThat('asks'));
    expect(authenticate(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(payment(world).status).toBe('succeeded');
    expect(authenticate(world, true)).toMatchObject({ code: 'no_outstanding_invoice' });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect(world.sent).toEqual([
      'payment_link.created',
      'payment_link.failed',
      'invoice.created',
      'payment.received',
      'payment_link.completed',
    ]);
  });

  test('can be paid with another card during an authentication, which is canceled', () => {
    const world = newWorld();
    create(world);
    pay(world, cardThat('asks'));
    expect(pay(world)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_abandoned' },
      { status: 'succeeded' },
    ]);
    expect(world.sent).not.toContain('payment_link.failed');
  });

  test('cancels an authentication only if the attempt is abandoned and can no longer charge the payer (PAY-4)', () => {
    const world = newWorld();
    create(world);
    pay(world, cardThat('asks'));
    const first = awaited(world);
    pay(world, cardThat('asks'));
    const before = world.aggregate;
    for (const abandoned of [null, first]) {
      expect(pay(world, card, { abandoned })).toMatchObject({
        kind: 'rejection',
        code: 'charge_in_progress',
      });
      expect(cancel(world, abandoned)).toMatchObject({ kind: 'rejection', code: 'payment_not_cancelable' });
      expect(world.aggregate).toEqual(before);
    }
    expect(authenticate(world, true)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  test.each([
    ['succeeded', 'no_outstanding_invoice'],
    ['canceled', 'no_outstanding_invoice'],
    ['processing', 'charge_in_progress'],
  ] as const)('rejects a payment in the status %s with the error %s (PAY-4)', (status, code) => {
    const world = newWorld(unassigned(status, 'cus_1'));
    expect(pay(world)).toMatchObject({ kind: 'rejection', code });
    expectUnchanged(world);
  });

  test('is assigned to the payer if the link has no customer (PAY-2)', () => {
    const world = newWorld(unassigned('failed', 'cus_9'));
    pay(world, cardThat('declines'));
    expect(payment(world)).toMatchObject({ customerId: null, payerId: 'cus_1' });
    expect(world.event('payment_link.failed').data['customerId']).toBeNull();
    pay(world);
    expect(payment(world)).toMatchObject({ customerId: 'cus_1', payerId: 'cus_1' });
    expect(world.event('payment_link.completed').data['customerId']).toBe('acme-7');
  });

  test('rejects payment and cancellation while another payer is authenticating', () => {
    const world = newWorld(unassigned('requires_action', 'cus_9'));
    expect(pay(world)).toMatchObject({ code: 'charge_in_progress' });
    expectUnchanged(world);
    expect(cancel(world)).toMatchObject({ code: 'payment_not_cancelable' });
    expectUnchanged(world);
  });

  test.each([
    ['pending', null],
    ['failed', null],
    ['requires_action', null],
    ['canceled', null],
    ['processing', 'payment_not_cancelable'],
    ['succeeded', 'payment_not_cancelable'],
  ] as const)('handles a cancellation in the status %s with the error %s (PAY-5, PAY-E2)', (status, code) => {
    const world = newWorld(unassigned(status, 'cus_1'));
    const outcome = cancel(world);
    if (code === null)
      expect(outcome).toMatchObject({ kind: 'ok', status: status === 'canceled' ? 'unchanged' : 'done' });
    else expect(outcome).toMatchObject({ kind: 'rejection', code });
    if (code !== null || status === 'canceled') return expectUnchanged(world);
    expect(payment(world).status).toBe('canceled');
    expect(world.sent).toEqual(['payment_link.canceled']);
  });

  test('cancels an open authentication when the link is canceled', () => {
    const world = newWorld();
    create(world);
    pay(world, cardThat('asks'));
    cancel(world);
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_abandoned' },
    ]);
  });

  test('stores the card and writes off an amount below the minimum charge (BIL-35)', () => {
    const world = newWorld({});
    create(world, { currency: 'usd', subtotalMinor: 49n });
    expect(pay(world, cardThat('declines'))).toMatchObject({ code: 'payment_failed' });
    expect(pay(world)).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.aggregate.transactions).toEqual([]);
    expect(world.aggregate.paymentMethods).toHaveLength(1);
    expect(world.invoice).toMatchObject({ status: 'paid', total: 49n });
    expect(world.event('payment_link.completed').data['paymentTransactionId']).toBeNull();
    expect(world.sent).toEqual([
      'payment_link.created',
      'payment_link.failed',
      'invoice.created',
      'payment_link.completed',
    ]);
  });

  test('fails with payment_not_found for an unknown ID', () => {
    const world = newWorld();
    for (const outcome of [pay(world), cancel(world), authenticate(world, true)])
      expect(outcome).toMatchObject({ code: 'payment_not_found' });
    expectUnchanged(world);
  });
});

describe('a charge without a subscription', () => {
  const stored = (first: string): Partial<Aggregate> => ({
    ...german,
    paymentMethods: [
      {
        ...cardThat('pays', 'declines'),
        instrument: 'card',
        id: 'pm_1',
        seq: 1n,
        customerId: 'cus_1',
        createdAt: at('2027-01-01'),
        removedAt: null,
      },
      {
        ...cardThat('declines', first),
        instrument: 'card',
        id: 'pm_2',
        seq: 2n,
        customerId: 'cus_1',
        createdAt: at('2027-02-01'),
        removedAt: null,
      },
    ],
  });

  test('uses the most recently stored payment method (PAY-7, PAY-9)', () => {
    const world = newWorld(stored('pays'));
    expect(charge(world)).toMatchObject({ kind: 'ok', status: 'done', invoiceId: world.invoice.id });
    expect(payment(world, 'pay_2')).toMatchObject({
      kind: 'charge',
      status: 'succeeded',
      totalMinor: 21_956n,
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual(['invoice.created', 'payment.received']);
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'succeeded', paymentMethodId: 'pm_2', paymentId: 'pay_2' },
    ]);
    expect(world.aggregate.paymentMethods).toHaveLength(2);
  });

  test("is final if it's declined, and emits no event (PAY-7, PAY-9)", () => {
    const world = newWorld(stored('declines'));
    expect(charge(world)).toMatchObject({
      code: 'payment_failed',
      details: { declineCode: 'card_declined', paymentId: 'pay_2' },
    });
    expect(payment(world, 'pay_2').status).toBe('failed');
    expect(world.sent).toEqual([]);
    expect(world.aggregate.invoices).toEqual([]);
    expect(pay(world, card, { paymentId: 'pay_2' })).toMatchObject({ code: 'payment_not_found' });
  });

  test('reports that the issuer requires authentication (PAY-7)', () => {
    const world = newWorld(stored('asks'));
    expect(charge(world)).toMatchObject({
      code: 'payment_failed',
      details: { reason: 'requires_action', declineCode: 'authentication_required', paymentId: 'pay_2' },
    });
    expect(payment(world, 'pay_2')).toMatchObject({ status: 'requires_action', attempt: null });
    expect(world.aggregate.transactions).toMatchObject([{ status: 'failed' }]);
    expect(world.do(null, { kind: 'payment.authenticate', paymentId: 'pay_2', succeed: true })).toMatchObject(
      {
        code: 'payment_not_found',
      },
    );
  });

  test('creates no records if there is no stored payment method (PAY-7)', () => {
    const world = newWorld();
    expect(charge(world)).toMatchObject({ code: 'no_payment_method' });
    expectUnchanged(world);
  });

  test("can't be canceled (PAY-5)", () => {
    const world = newWorld(stored('declines'));
    charge(world);
    expect(world.do(null, { kind: 'payment.cancel', paymentId: 'pay_2', abandoned: null })).toMatchObject({
      code: 'payment_not_cancelable',
    });
    expectUnchanged(world);
  });

  test('is written off if the amount is below the minimum charge, without a provider request (BIL-35)', () => {
    const world = newWorld({ ...stored('declines'), taxRegistrations: [] });
    charge(world, { currency: 'usd', subtotalMinor: 49n });
    expect(payment(world, 'pay_2').status).toBe('succeeded');
    expect(world.aggregate.transactions).toEqual([]);
    expect(replay(world.ledger).get('write_off usd')).toBe(49n);
  });

  test("uses no customer credit, and a refund of the charge doesn't affect subscriptions (PAY-10, PAY-29)", () => {
    const world = newWorld(stored('pays'));
    const credit = {
      creditId: 'crd_1',
      amountMinor: 500n,
      currency: 'eur',
      source: 'api',
      reason: 'Sorry.',
      expiresAt: null,
    } as const;
    world.do(null, { kind: 'credit.grant', ...credit });
    charge(world);
    expect(world.invoice).toMatchObject({ creditApplied: 0n, total: 21_956n });
    const [transaction] = world.aggregate.transactions;
    const refunded = world.do(null, {
      kind: 'transaction.refund',
      transactionId: transaction?.id ?? '',
      refundId: 'ref_1',
      amountMinor: null,
      reason: null,
    });
    expect(refunded).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.event('payment.refunded').data).toMatchObject({ refundAmount: 21_956, paymentLinkId: null });
    expect(payment(world, 'pay_2').status).toBe('succeeded');
    expect(world.invoice.status).toBe('paid');
    expect(world.credits).toMatchObject([{ remainingMinor: 500n }]);
  });
});

test('the refund event of a paid link contains the link ID (PAY-28)', () => {
  const world = newWorld();
  create(world);
  pay(world);
  const transactionId = world.aggregate.transactions[0]?.id ?? '';
  world.do(null, {
    kind: 'transaction.refund',
    transactionId,
    refundId: 'ref_1',
    amountMinor: null,
    reason: null,
  });
  expect(world.event('payment.refunded').data).toMatchObject({
    paymentLinkId: 'pay_1',
    refundAmount: 21_956,
  });
});
