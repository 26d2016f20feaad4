import { describe, expect, test } from 'vitest';
import { simplePlan } from './catalog.ts';
import { at, cardThat, customer, expectUnchanged, World } from './world.ts';

const mark = (
  world: World,
  status: 'paid' | 'void',
  now: string | null = null,
  invoiceId = world.invoice.id,
) => world.do(now, { kind: 'invoice.mark', invoiceId, status });

const rejected = (world: World, status: 'paid' | 'void') => {
  expect(mark(world, status)).toMatchObject({ kind: 'rejection', code: 'validation_error', param: 'status' });
  expectUnchanged(world);
};

/** Creates an open checkout for 34.00. */
const checkout = (): World => {
  const world = new World('2027-05-18', simplePlan('monthly', 3_400n));
  world.create(null, { planId: 'cove' });
  expect(world.sent).toHaveLength(4);
  return world;
};

/** Creates a monthly subscription whose renewal on June 18 was declined. */
const pastDue = (): World => {
  const world = checkout();
  world.pay(null, cardThat('pays', 'declines'));
  world.advance('2027-06-18');
  expect(world.subscription.status).toBe('past_due');
  expect(world.sent.at(-1)).toBe('state past_due');
  return world;
};

const details = (world: World): string[] =>
  world.ledger
    .filter(({ invoiceId }) => invoiceId === world.invoice.id)
    .map(({ fact, amountMinor }) => `${fact} ${amountMinor}`);

describe('a first invoice', () => {
  test("activates the subscription when it's marked as paid, and records no transaction, payment method, or provider (BIL-26, SUB-17)", () => {
    const world = checkout();
    expect(mark(world, 'paid', '2027-05-20T10:00:00Z')).toMatchObject({
      kind: 'ok',
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual(['subscription.activated', 'state subscription_activated']);
    expect(world.event('subscription.activated').data).toMatchObject({
      provider: null,
      invoiceTotal: 3_400,
      invoiceNumber: 'INV-0001',
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-05-20'),
      periodEnd: at('2027-06-20'),
      checkoutInvoiceId: null,
      paymentMethodId: null,
    });
    expect(world.invoice).toMatchObject({
      status: 'paid',
      paidAt: at('2027-05-20T10:00:00Z'),
      periodStart: at('2027-05-20'),
    });
    expect(world.aggregate.transactions).toEqual([]);
    expect(details(world)).toEqual(['invoice.issued 3400', 'invoice.settled_outside 3400']);
    expect(world.pay(null)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
  });

  test("cancels an open authentication when it's marked as paid", () => {
    const world = checkout();
    world.pay(null, cardThat('asks'));
    mark(world, 'paid');
    expect(world.subscription).toMatchObject({ status: 'active', pendingCheckout: null });
    expect(world.aggregate.transactions).toMatchObject([
      { status: 'failed', declineCode: 'authentication_abandoned' },
    ]);
  });

  test("ends the checkout when it's marked as void", () => {
    const world = checkout();
    mark(world, 'void');
    expect(world.sent).toEqual(['invoice.voided', 'subscription.canceled', 'state subscription_canceled']);
    expect(world.subscription).toMatchObject({ status: 'canceled', cancelReason: 'requested' });
    // The customer never owed the invoice, so it isn't in the ledger (BIL-30).
    expect(details(world)).toEqual([]);
    expect(world.pay(null)).toMatchObject({ kind: 'rejection', code: 'invalid_subscription_status' });
  });

  test("can't be marked as paid or void while a charge is pending", () => {
    const world = checkout();
    world.pay(null, cardThat('silent'));
    rejected(world, 'paid');
    rejected(world, 'void');
  });
});

describe('an invoice in dunning', () => {
  test("reactivates the subscription, cancels the dunning retries, and records no provider when it's marked as paid (BIL-26)", () => {
    const world = pastDue();
    const { periodStart, periodEnd } = world.subscription;
    mark(world, 'paid', '2027-06-20');
    expect(world.sent).toEqual(['payment.recovered', 'state subscription_activated']);
    expect(world.event('payment.recovered').data).toEqual({
      invoiceId: world.invoice.id,
      invoiceNumber: 'INV-0002',
      invoiceTotal: 3_400,
      customerId: 'acme-7',
      subscriptionId: world.subscription.id,
      provider: null,
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      dunningInvoiceId: null,
      dunningAttempts: 0,
      periodStart,
      periodEnd,
    });
    expect(world.deadlines).toEqual(['2027-07-15 daily_scan:sub:upcoming', '2027-07-18 period_end:sub']);
    expect(details(world)).toEqual(['invoice.issued 3400', 'invoice.settled_outside 3400']);
  });

  test("reactivates the subscription and emits the events for a voided invoice when it's marked as void", () => {
    const world = pastDue();
    mark(world, 'void', '2027-06-20');
    expect(world.sent).toEqual(['invoice.voided', 'credit_note.created', 'state subscription_activated']);
    expect(world.subscription).toMatchObject({ status: 'active', dunningInvoiceId: null });
    expect(world.deadlines).toEqual(['2027-07-15 daily_scan:sub:upcoming', '2027-07-18 period_end:sub']);
    expect(details(world)).toEqual(['invoice.issued 3400', 'invoice.voided 3400']);
  });

  test("activates the subscription for the first time when it's marked as paid after a trial (SUB-19)", () => {
    const world = new World('2027-05-18', simplePlan('monthly', 3_400n, { trialDays: 7 }));
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays', 'declines'));
    world.advance('2027-05-25');
    expect(world.subscription.status).toBe('past_due');
    expect(world.sent).toContain('state past_due');
    mark(world, 'paid');
    expect(world.sent).toEqual([
      'payment.recovered',
      'subscription.activated',
      'state subscription_activated',
    ]);
    expect(world.event('subscription.activated').data).toMatchObject({ provider: null, invoiceTotal: 3_400 });
  });

  test("processes the postponed period end when it's marked as void (BIL-8)", () => {
    const world = new World('2027-06-11', simplePlan('weekly', 900n));
    world.create(null, { planId: 'cove' });
    world.pay(null, cardThat('pays', 'declines'));
    world.advance('2027-06-18', '2027-06-18T00:04:00Z');
    world.advance('2027-06-25T00:02:00Z');
    expect(world.parked).toEqual([`period_end:${world.subscription.id}`]);
    mark(world, 'void');
    world.mood = 'pays';
    world.advance('2027-06-25T00:03:00Z');
    expect(world.subscription).toMatchObject({ status: 'active', periodStart: at('2027-06-25') });
    expect(world.aggregate.invoices.map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  });

  test("can't be marked as paid or void while a retry is pending", () => {
    const world = pastDue();
    world.mood = 'silent';
    world.advance('2027-06-19');
    rejected(world, 'paid');
    rejected(world, 'void');
  });
});

describe("a reactivation's invoice", () => {
  /** Creates a subscription that was canceled immediately, and whose reactivation on June 20 was declined. */
  const waiting = (): World => {
    const world = checkout();
    world.pay(null, cardThat('pays', 'declines'));
    world.cancel('2027-06-01', true);
    world.do('2027-06-15', {
      kind: 'subscription.reactivate',
      subscriptionId: world.subscription.id,
      offerId: null,
    });
    expect(world.invoice).toMatchObject({ type: 'reactivation', status: 'outstanding' });
    expect(world.sent).toContain('invoice.created');
    return world;
  };

  test("reactivates the subscription when it's marked as paid, and records no transaction or provider (SUB-31, BIL-26)", () => {
    const world = waiting();
    expect(mark(world, 'paid', '2027-06-20T10:00:00Z')).toMatchObject({
      kind: 'ok',
      invoiceId: world.invoice.id,
    });
    expect(world.sent).toEqual(['subscription.reactivated', 'state subscription_activated']);
    expect(world.event('subscription.reactivated').data).toMatchObject({
      provider: null,
      invoiceTotal: 3_400,
      invoiceId: world.invoice.id,
    });
    const period = { periodStart: at('2027-06-20'), periodEnd: at('2027-07-20') };
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-06-20'),
      canceledAt: null,
      ...period,
    });
    expect(world.invoice).toMatchObject({ status: 'paid', paidAt: at('2027-06-20T10:00:00Z'), ...period });
    expect(world.aggregate.transactions.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    expect(details(world)).toEqual(['invoice.issued 3400', 'invoice.settled_outside 3400']);
    expect(world.deadlines).toEqual(['2027-07-17 daily_scan:sub:upcoming', '2027-07-20 period_end:sub']);
  });

  test("can't be marked as paid if the customer has another subscription (SUB-31)", () => {
    const world = waiting();
    const { id } = world.invoice;
    world.create('2027-06-16', { planId: 'cove' });
    world.mood = 'pays';
    world.pay(null);
    expect(world.sent).toContain('subscription.activated');
    expect(mark(world, 'paid', null, id)).toMatchObject({
      kind: 'rejection',
      code: 'already_has_active_subscription',
    });
    expectUnchanged(world);
  });

  test("leaves the subscription canceled when it's marked as void", () => {
    const world = waiting();
    mark(world, 'void');
    expect(world.sent).toEqual(['invoice.voided']);
    expect(world.subscription.status).toBe('canceled');
  });
});

test("an invoice can be marked as paid or void only while it's outstanding (BIL-25)", () => {
  const world = checkout();
  world.pay(null);
  for (const status of ['paid', 'void'] as const) rejected(world, status);
  expect(mark(world, 'paid', null, 'inv_unknown')).toMatchObject({
    kind: 'rejection',
    code: 'validation_error',
    param: 'status',
  });
});

describe('a manual adjustment', () => {
  const adjust = (world: World, amountMinor: bigint, now: string | null = null) =>
    world.do(now, {
      kind: 'invoice.adjust',
      invoiceId: null,
      creditNoteId: 'crn_none',
      amountMinor,
      description: 'Help',
      metadata: { ticket: 7 },
    });

  test('creates an outstanding invoice in USD, due in seven days and without a charge, for a customer without a subscription (BIL-23, BIL-28)', () => {
    const world = new World('2027-05-18T09:30:00Z');
    expect(adjust(world, 1_250n)).toMatchObject({
      kind: 'ok',
      subscriptionId: null,
      invoiceId: world.invoice.id,
    });
    expect(world.invoice).toMatchObject({
      type: 'adjustment',
      status: 'outstanding',
      subscriptionId: null,
      currency: 'usd',
      subtotal: 1_250n,
      taxAmount: 0n,
      total: 1_250n,
      issueDate: at('2027-05-18'),
      dueDate: at('2027-05-25'),
      periodStart: at('2027-05-18'),
      periodEnd: at('2027-05-18'),
      metadata: { ticket: 7 },
      paidAt: null,
    });
    expect(world.linesOf(world.invoice)).toMatchObject([
      {
        lineType: 'one_time',
        chargeType: 'standard',
        description: 'Help',
        quantity: 1n,
        unitAmountRate: 125_000n,
        amount: 1_250n,
      },
    ]);
    expect(world.sent).toEqual(['invoice.created']);
    expect(world.event('invoice.created').data).toMatchObject({
      subscriptionId: null,
      invoiceStatus: 'outstanding',
      invoiceNumber: 'INV-0001',
    });
    expect(world.last?.charges).toEqual([]);
  });

  test('lists several line items, and is due after the requested number of days (BIL-23)', () => {
    const world = new World('2027-05-18T09:30:00Z');
    const outcome = world.do(null, {
      kind: 'invoice.create',
      currency: 'eur',
      lines: [
        { description: 'Workshop', quantity: 3n, unitAmountMinor: 45_050n },
        { description: 'Travel', quantity: 1n, unitAmountMinor: 12_000n },
        { description: 'Handbook', quantity: 10n, unitAmountMinor: 0n },
      ],
      memo: 'Thank you.',
      poNumber: 'PO-7',
      reference: 'March',
      dueDays: 30,
      metadata: {},
    });
    expect(outcome).toMatchObject({ kind: 'ok', invoiceId: world.invoice.id });
    expect(world.invoice).toMatchObject({
      type: 'adjustment',
      status: 'outstanding',
      currency: 'eur',
      subtotal: 147_150n,
      total: 147_150n,
      dueDate: at('2027-06-17'),
      memo: 'Thank you.',
      poNumber: 'PO-7',
      reference: 'March',
    });
    expect(
      world
        .linesOf(world.invoice)
        .map((line) => [line.description, line.quantity, line.unitAmountRate, line.amount]),
    ).toEqual([
      ['Workshop', 3n, 4_505_000n, 135_150n],
      ['Travel', 1n, 1_200_000n, 12_000n],
      ['Handbook', 10n, 0n, 0n],
    ]);
    expect(world.last?.charges).toEqual([]);
  });

  test('becomes overdue once, at the first midnight after the due date (BIL-4)', () => {
    const world = new World('2027-05-18T09:30:00Z');
    adjust(world, 1_250n);
    adjust(world, -100n);
    const [owed] = world.aggregate.invoices;
    expect(world.deadlines).toEqual(['2027-05-26 daily_scan:cus_1:inv']);
    expect(world.sent).toHaveLength(2);
    world.advance('2027-05-25T23:59:00Z');
    expect(world.sent).toEqual([]);
    world.advance('2027-07-01');
    expect(world.sent).toEqual(['invoice.overdue']);
    expect(world.event('invoice.overdue').data).toMatchObject({
      invoiceId: owed?.id,
      invoiceStatus: 'outstanding',
      subscriptionId: null,
    });
    expect(world.items).toEqual([]);
    mark(world, 'paid', null, owed?.id);
    expect(world.sent).toEqual([]);
  });

  test.each(['paid', 'void'] as const)("can't become overdue if it's marked as %s in time", (status) => {
    const world = new World('2027-05-18T09:30:00Z');
    adjust(world, 1_250n);
    mark(world, status, '2027-05-20');
    expect(world.deadlines).toEqual([]);
  });

  test("is paid immediately if it's negative, without moving funds (BIL-23)", () => {
    const world = new World('2027-05-18T09:30:00Z');
    adjust(world, -900n);
    expect(world.invoice).toMatchObject({
      status: 'paid',
      subtotal: 0n,
      discountAmount: 0n,
      creditApplied: 0n,
      taxAmount: 0n,
      total: -900n,
      paidAt: at('2027-05-18T09:30:00Z'),
    });
    expect(world.linesOf(world.invoice)).toMatchObject([
      { lineType: 'credit', quantity: 1n, unitAmountRate: -90_000n, amount: -900n },
    ]);
    expect(world.event('invoice.created').data).toMatchObject({ invoiceStatus: 'paid', total: -900 });
    expect(world.ledger).toEqual([]);
    rejected(world, 'void');
  });

  test.each([
    [19_999n, 725, 1_450n, 21_449n],
    [1n, 4_999, 0n, 1n],
    [1n, 5_000, 1n, 2n],
  ])(
    'adds tax: %d at %d basis points has a tax of %d and a total of %d (BIL-20, BIL-21)',
    (amount, rateBps, tax, total) => {
      const world = new World('2027-05-18', undefined, {
        customer: { ...customer, country: 'US' },
        taxRegistrations: [{ country: 'US', region: null, rateBps }],
      });
      adjust(world, amount);
      expect(world.invoice).toMatchObject({ subtotal: amount, taxAmount: tax, total });
      adjust(world, -amount);
      expect(world.invoice).toMatchObject({ taxAmount: 0n, total: -amount });
    },
  );

  test("uses the active subscription's currency, and doesn't change the subscription's terms or renewals", () => {
    const world = checkout();
    world.pay(null);
    expect(world.sent).toHaveLength(4);
    world.aggregate = {
      ...world.aggregate,
      subscriptions: world.aggregate.subscriptions.map((row) => ({ ...row, currency: 'jpy' })),
    };
    const { subscription, deadlines } = world;
    adjust(world, 5n);
    expect(world.invoice).toMatchObject({ currency: 'jpy', subscriptionId: null });
    expect(world.linesOf(world.invoice)).toMatchObject([{ unitAmountRate: 50_000n }]);
    expect(world.subscription).toEqual(subscription);
    expect(world.deadlines).toEqual(['2027-05-26 daily_scan:cus_1:inv', ...deadlines]);
    world.cancel(null, true);
    expect(world.aggregate.invoices.at(-1)?.status).toBe('outstanding');
  });

  test('can be marked as paid or void, with events that name neither a payment nor a subscription', () => {
    const world = new World('2027-05-18');
    adjust(world, 1_250n);
    mark(world, 'paid');
    expect(world.sent).toEqual(['invoice.created']);
    expect(world.invoice.status).toBe('paid');
    adjust(world, 800n);
    mark(world, 'void');
    expect(world.sent).toEqual(['invoice.created', 'invoice.voided']);
    expect(details(world)).toEqual(['invoice.issued 800', 'invoice.voided 800']);
  });
});
