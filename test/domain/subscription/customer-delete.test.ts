import { describe, expect, test } from 'vitest';
import { simplePlan } from './catalog.ts';
import { at, cardThat, draftOf, expectUnchanged, World } from './world.ts';

// Customer deletion: its effects, the retained data, and when it's rejected (PLT-24).

const remove = (world: World, now: string, links: { paymentId: string; abandoned: string | null }[] = []) =>
  world.do(now, { kind: 'customer.delete', subscriptionIds: [], links });

const paid = (later = 'pays', trialDays = 0): World => {
  const world = new World('2027-01-31', simplePlan('monthly', 3_400n, { trialDays }));
  world.create(null, { planId: 'cove' });
  world.pay(null, cardThat('pays', later));
  expect(world.sent).toBeDefined();
  return world;
};

const ended = ['subscription.canceled', 'state subscription_canceled'];

describe('the deletion of a customer', () => {
  test('cancels the subscription immediately without a charge, and keeps the paid invoice', () => {
    const world = paid();
    const [invoices, ledger] = [world.aggregate.invoices, world.ledger.length];
    expect(remove(world, '2027-02-10T10:00:00Z')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.sent).toEqual([...ended, 'payment_method.detached', 'customer.deleted']);
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      cancelReason: 'customer_deleted',
      canceledAt: at('2027-02-10T10:00:00Z'),
      endDate: at('2027-02-10T10:00:00Z'),
      paymentMethodId: null,
    });
    expect(world.aggregate.invoices).toEqual(invoices);
    expect(world.ledger).toHaveLength(ledger);
    expect(world.last?.charges).toEqual([]);
    expect(world.deadlines).toEqual([]);
    expect(world.aggregate.paymentMethods).toMatchObject([{ removedAt: at('2027-02-10T10:00:00Z') }]);
    expect(world.aggregate.customer).toMatchObject({
      id: 'cus_1',
      externalId: null,
      email: 'pay@acme.test',
      updatedAt: at('2027-02-10T10:00:00Z'),
      deletedAt: at('2027-02-10T10:00:00Z'),
    });
    // Events contain the merchant's customer ID.
    expect(world.event('customer.deleted').data).toMatchObject({ id: 'cus_1', externalId: 'acme-7' });
  });

  test('voids the outstanding invoice of a past-due subscription', () => {
    const world = paid('declines');
    world.advance('2027-02-28');
    expect(world.subscription.status).toBe('past_due');
    expect(world.sent).toContain('subscription.past_due');
    remove(world, '2027-03-01');
    expect(world.sent).toEqual([
      'invoice.voided',
      'credit_note.created',
      ...ended,
      'payment_method.detached',
      'customer.deleted',
    ]);
    expect(world.aggregate.invoices.map(({ status }) => status)).toEqual(['paid', 'void']);
  });

  test('ends a one-time purchase, a draft, and a subscription with an open checkout', () => {
    const once = new World('2027-01-31', simplePlan('one_time', 3_400n));
    once.create(null, { planId: 'cove' });
    once.pay(null);
    remove(once, '2027-02-01');
    expect(once.subscription).toMatchObject({ status: 'canceled', cancelReason: 'customer_deleted' });
    const draft = new World('2027-01-31', simplePlan('monthly', 3_400n));
    draft.create(null, { planId: 'cove', startDate: at('2027-03-01') });
    expect(draft.sent).toBeDefined();
    remove(draft, '2027-02-01');
    expect(draft.sent).toEqual(['customer.deleted']);
    const waiting = new World('2027-01-31', simplePlan('monthly', 3_400n));
    waiting.create(null, { planId: 'cove' });
    remove(waiting, '2027-02-01');
    expect(waiting.subscription.status).toBe('canceled');
    expect(waiting.aggregate.invoices.map(({ status }) => status)).toEqual(['void']);
  });

  test('replaces a scheduled cancellation', () => {
    const world = paid();
    world.cancel('2027-02-01');
    remove(world, '2027-02-02');
    expect(world.subscription).toMatchObject({
      status: 'canceled',
      cancelAtPeriodEnd: false,
      cancellationScheduledAt: null,
      cancelEffectiveAt: null,
      cancelReason: 'customer_deleted',
      endDate: at('2027-02-02'),
    });
  });

  test('is rejected without changes during a pending charge', () => {
    const world = paid('silent');
    world.advance('2027-02-28');
    const before = world.aggregate;
    expect(remove(world, '2027-03-01')).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    expectUnchanged(world);
    expect(world.aggregate).toEqual(before);
  });
});

describe('a payment link of a deleted customer', () => {
  const terms = { subtotalMinor: 4_200n, currency: 'usd', description: 'Workshop', metadata: null };
  const linked = (method = cardThat('asks')): World => {
    const world = new World('2027-01-31');
    const routing = { provider: 'platform', namedProvider: null, connectionId: null } as const;
    world.do(null, {
      kind: 'payment.create',
      paymentId: 'pay_1',
      ...terms,
      routing,
      successUrl: null,
      saveCard: 'always',
    });
    world.do(null, {
      kind: 'payment.pay',
      paymentId: 'pay_1',
      method,
      abandoned: null,
      billingAddress: null,
      taxDocument: null,
    });
    return world;
  };

  test('is canceled during an authentication if the attempt is abandoned', () => {
    const world = linked();
    const payment = world.aggregate.payments[0];
    expect(payment?.status).toBe('requires_action');
    expect(remove(world, '2027-02-01', [{ paymentId: 'pay_1', abandoned: null }])).toMatchObject({
      kind: 'rejection',
      code: 'charge_in_progress',
    });
    expectUnchanged(world);
    const abandoned = payment?.attempt?.attemptId ?? null;
    expect(world.sent).toBeDefined();
    expect(remove(world, '2027-02-01', [{ paymentId: 'pay_1', abandoned }])).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual(['payment_link.canceled', 'customer.deleted']);
    expect(world.aggregate.payments).toMatchObject([{ status: 'canceled', attempt: null }]);
  });

  test("prevents the customer's deletion while a payment is processing", () => {
    const world = linked(cardThat('silent'));
    expect(world.aggregate.payments[0]?.status).toBe('processing');
    expect(remove(world, '2027-02-01', [{ paymentId: 'pay_1', abandoned: null }])).toMatchObject({
      kind: 'rejection',
      code: 'charge_in_progress',
    });
    expectUnchanged(world);
  });
});

describe('a deleted customer', () => {
  test('rejects new subscriptions and a second deletion', () => {
    const world = paid();
    remove(world, '2027-02-10');
    const gone = { kind: 'rejection', code: 'customer_not_found', param: 'customerId' };
    expect(world.create('2027-02-11', { planId: 'cove' })).toMatchObject(gone);
    expectUnchanged(world);
    expect(remove(world, '2027-02-11')).toMatchObject(gone);
    const { id: subscriptionId } = world.subscription;
    expect(world.do(null, { kind: 'subscription.reactivate', subscriptionId, offerId: null })).toMatchObject(
      gone,
    );
    expectUnchanged(world);
  });

  test('can still receive refunds', () => {
    const world = paid();
    remove(world, '2027-02-10');
    const transactionId = world.aggregate.transactions[0]?.id ?? '';
    expect(draftOf(world.aggregate).customer.deletedAt).toEqual(at('2027-02-10'));
    const refund = { transactionId, refundId: 'ref_1', amountMinor: null, reason: null } as const;
    expect(world.do('2027-02-12', { kind: 'transaction.refund', ...refund })).toMatchObject({ kind: 'ok' });
    expect(world.sent).toContain('payment.refunded');
  });
});
