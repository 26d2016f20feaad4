import { describe, expect, it, test } from 'vitest';
import type { Aggregate } from '../../../src/domain/subscription/state/aggregate.ts';
import { vaultPush } from '../../../src/providers/sandbox-push.ts';
import { simplePlan } from './catalog.ts';
import { latest, stages } from './debit-world.ts';
import { at, card, customer, World } from './world.ts';

// Payments that the payer starts in the sandbox: Pix, boleto, and bank transfers. Times are in UTC.

const push = (name: string) => {
  const method = vaultPush(`tok_sandbox_${name}`);
  if (method === null) throw new Error(`no token ${name}`);
  return method;
};

const address = { line1: 'Rua A 1', city: 'São Paulo', postalCode: '01000-000', country: 'BR' };
const brazilian = { ...customer, country: 'BR', address, taxDocument: '529.982.247-25' };

/** Monthly plan for 89.90 BRL. */
const plan = {
  ...simplePlan('monthly', 2_000n),
  priceOverrides: new Map([
    [
      'p1',
      [
        {
          id: 'brl',
          seq: 1n,
          priceId: 'p1',
          marketId: null,
          currency: 'brl',
          amountMinor: 8_990n,
          includedBalanceRate: null,
          validFrom: at('0001-01-01'),
          validTo: null,
        },
      ],
    ],
  ]),
  currencyOfCountry: new Map([['BR', 'brl']]),
};

function checkout(
  now = '2027-05-03T14:00:00Z',
  changes: Partial<Aggregate> = {},
  collectByPayer = true,
): World {
  const world = new World(now, plan, { customer: brazilian, ...changes });
  world.aggregate = {
    ...world.aggregate,
    environment: { ...world.aggregate.environment, collectByPayer },
  };
  world.create(null, { planId: 'cove' });
  void world.sent;
  return world;
}

const report = (world: World, stage: 'settled' | 'expired' | 'processing' | 'declined' | 'returned') =>
  world.do(null, {
    kind: 'attempt.report',
    transactionId: latest(world).id,
    subscriptionId: world.subscription.id,
    stage,
    code: null,
  });

describe('Pix at a checkout', () => {
  it('waits for the payer, and the report activates the subscription without a stored payment method (INS-E6)', () => {
    const world = checkout();
    expect(world.pay(null, push('pix_waits_0353'))).toMatchObject({ kind: 'ok', status: 'collecting' });
    expect(world.sent).toEqual([]);
    expect(latest(world)).toMatchObject({
      stage: 'awaiting_payer',
      status: 'pending',
      instrument: 'pix',
      amountMinor: 8_990n,
      collectionOn: null,
      expiresAt: at('2027-05-04T14:00:00Z'),
      instructions: { kind: 'qr', code: expect.stringContaining('540589.905802BR') },
    });
    expect([world.subscription.status, world.invoice.status]).toEqual(['pending_payment', 'outstanding']);
    world.now = at('2027-05-03T14:03:11Z');
    report(world, 'settled');
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.subscription).toMatchObject({ paymentMethodId: null, provider: 'platform' });
    expect(world.aggregate.paymentMethods).toEqual([]);
    expect(latest(world)).toMatchObject({ stage: 'settled', status: 'succeeded', paymentMethodId: null });
    expect(world.events.filter(({ kind }) => kind === 'payment.received')).toHaveLength(1);
    expect(world.deadlines.filter((text) => text.includes('attempt_step'))).toEqual([]);
    world.advance('2027-06-03T00:00:00Z');
    expect(world.invoice).toMatchObject({ status: 'outstanding', payableUntil: at('2027-06-07T06:00:00Z') });
  });

  test.each([
    ['pays_0191', '2027-05-03T14:03:00Z'],
    ['pays_last_0272', '2027-05-04T13:50:00Z'],
  ])('is paid with the test value %s at %s', (value, time) => {
    const world = checkout();
    world.pay(null, push(`pix_${value}`));
    world.advance(new Date(Date.parse(time) - 1_000).toISOString());
    expect(world.subscription.status).toBe('pending_payment');
    world.advance(time);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(latest(world).reports?.map(({ stage }) => stage)).toEqual(['awaiting_payer', 'settled']);
  });

  it('expires, and the checkout can be paid again', () => {
    const world = checkout();
    world.pay(null, push('pix_waits_0353'));
    world.advance('2027-05-04T14:00:00Z');
    expect(latest(world)).toMatchObject({ stage: 'expired', status: 'failed', declineCode: 'expired' });
    expect([world.subscription.status, world.subscription.pendingCheckout]).toEqual([
      'pending_payment',
      null,
    ]);
    world.pay(null, card);
    expect(world.subscription.status).toBe('active');
    expect(stages(world)).toEqual(['expired', 'settled']);
  });

  it('is replaced by another way to pay, and its late payment is returned once', () => {
    const world = checkout();
    world.pay(null, push('pix_waits_0353'));
    const pix = latest(world).id;
    world.pay(null, card);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(stages(world)).toEqual(['canceled', 'settled']);
    expect(world.deadlines.filter((text) => text.includes('attempt_step'))).toEqual([]);
    const reportPayment = () =>
      world.do(null, {
        kind: 'attempt.report',
        transactionId: pix,
        subscriptionId: world.subscription.id,
        stage: 'settled',
        code: null,
      });
    expect(reportPayment()).toMatchObject({ kind: 'ok' });
    expect(world.event('receipt.recorded').data).toMatchObject({ status: 'returned', returnedAmount: 8_990 });
    const events = world.events.length;
    expect(reportPayment()).toMatchObject({ kind: 'rejection', code: 'validation_error' });
    expect(world.events).toHaveLength(events);
    expect(stages(world)).toEqual(['canceled', 'settled']);
  });

  it('is canceled with its subscription', () => {
    const world = checkout();
    world.pay(null, push('pix_waits_0353'));
    world.do(null, {
      kind: 'subscription.cancel',
      subscriptionId: world.subscription.id,
      reason: null,
      immediate: true,
    });
    expect([world.subscription.status, world.invoice.status, stages(world)]).toEqual([
      'canceled',
      'void',
      ['canceled'],
    ]);
    expect(world.deadlines).toEqual([]);
  });

  it('is rejected if renewals are charged automatically', () => {
    const world = checkout(undefined, {}, false);
    expect(world.pay(null, push('pix_waits_0353'))).toMatchObject({
      kind: 'rejection',
      code: 'provider_unsupported',
      details: { reason: 'instrument_not_available' },
    });
    expect([world.aggregate.transactions, world.subscription.pendingCheckout]).toEqual([[], null]);
  });

  it('is rejected in another currency', () => {
    const world = checkout(undefined, { customer: { ...brazilian, country: 'US' } });
    expect(world.pay(null, push('pix_waits_0353'))).toMatchObject({
      kind: 'rejection',
      details: { reason: 'currency_not_supported' },
    });
    expect(world.aggregate.transactions).toEqual([]);
  });
});

describe('a boleto', () => {
  it('is paid on the last day and confirmed on the next business day (INS-E11)', () => {
    const world = checkout('2027-05-03T12:00:00Z');
    world.pay(null, push('boleto_waits_0353'));
    expect(latest(world)).toMatchObject({
      expiresAt: at('2027-05-07T02:59:00Z'),
      instructions: { kind: 'slip', line: expect.stringMatching(/^\d{33}18030000008990$/) },
    });
    world.now = at('2027-05-06T15:00:00Z');
    report(world, 'processing');
    expect(latest(world)).toMatchObject({ stage: 'processing', expectedOn: at('2027-05-07') });
    expect(world.subscription.status).toBe('pending_payment');
    // The expiry of the instructions doesn't affect a paid boleto.
    world.advance('2027-05-07T03:00:00Z');
    expect(latest(world).stage).toBe('processing');
    expect(world.pay(null, card)).toMatchObject({ kind: 'rejection', code: 'charge_in_progress' });
    report(world, 'settled');
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.subscription.periodStart).toEqual(at('2027-05-07'));
  });

  it('is paid with the test value pays_0191 after 3 minutes, and confirmed at 06:00 on the next business day', () => {
    const world = checkout('2027-05-03T12:00:00Z');
    world.pay(null, push('boleto_pays_0191'));
    world.advance('2027-05-04T05:59:59Z');
    expect(stages(world)).toEqual(['processing']);
    world.advance('2027-05-04T06:00:00Z');
    expect([stages(world), world.subscription.status]).toEqual([['settled'], 'active']);
  });

  test.each([
    [{ taxDocument: null }, 'document_required'],
    [{ taxDocument: '52998224724' }, 'document_invalid'],
  ])('requires a tax ID with correct check digits: %o', (change, reason) => {
    const world = checkout(undefined, { customer: { ...brazilian, ...change } });
    expect(world.pay(null, push('boleto_waits_0353'))).toMatchObject({
      kind: 'rejection',
      code: 'validation_error',
      param: 'taxDocument',
      details: { reason },
    });
    expect(world.aggregate.transactions).toEqual([]);
  });
});

describe('a renewal that is paid by Pix', () => {
  /** Subscription that was paid by Pix, with an outstanding renewal of June 3. */
  const renewed = (): World => {
    const world = checkout();
    world.pay(null, push('pix_pays_0191'));
    world.advance('2027-06-03T00:00:00Z');
    void world.sent;
    return world;
  };
  const pay = (world: World, method = push('pix_waits_0353')) =>
    world.do(null, {
      kind: 'recovery.pay',
      subscriptionId: world.subscription.id,
      invoiceId: world.invoice.id,
      method,
      abandoned: null,
    });

  it('is settled by the report, and the subscription stays active', () => {
    const world = renewed();
    expect(pay(world)).toMatchObject({ kind: 'ok', status: 'collecting' });
    expect(world.subscription.pendingCheckout).toBeNull();
    report(world, 'settled');
    expect(world.sent).toEqual(['payment.received']);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.subscription.paymentMethodId).toBeNull();
  });

  it('is replaced by a new code, which can be paid', () => {
    const world = renewed();
    pay(world);
    pay(world);
    expect(stages(world)).toEqual(['settled', 'canceled', 'awaiting_payer']);
    report(world, 'settled');
    expect(world.invoice.status).toBe('paid');
  });

  it('starts dunning after the due date, and the open code ends dunning', () => {
    const world = renewed();
    world.advance('2027-06-06T12:00:00Z');
    pay(world);
    world.advance('2027-06-07T06:00:00Z');
    expect([world.subscription.status, latest(world).stage]).toEqual(['past_due', 'awaiting_payer']);
    report(world, 'settled');
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.events.filter(({ kind }) => kind === 'payment.recovered')).toHaveLength(1);
  });

  it('expires without using up a payment retry', () => {
    const world = renewed();
    world.advance('2027-06-07T07:00:00Z');
    pay(world);
    const slots = world.deadlines.filter((text) => text.includes('dunning_retry'));
    world.now = at('2027-06-07T08:00:00Z');
    report(world, 'expired');
    expect(stages(world)).toEqual(['settled', 'expired']);
    expect(world.deadlines.filter((text) => text.includes('dunning_retry'))).toEqual(slots);
    expect(world.subscription.dunningAttempts).toBe(0);
  });

  it('is canceled if the invoice is paid outside Quittance', () => {
    const world = renewed();
    pay(world);
    world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'paid' });
    expect([world.invoice.status, latest(world).stage]).toEqual(['paid', 'canceled']);
  });
});

test('a bank transfer shows the account and the reference of the invoice, and a checkout waits 14 days', () => {
  const world = checkout();
  world.pay(null, push('bank_transfer_waits_0353'));
  const number = String(world.invoice.number).padStart(4, '0');
  expect(latest(world)).toMatchObject({
    expiresAt: at('2027-05-17T14:00:00Z'),
    instructions: {
      kind: 'bank_details',
      holder: 'Quarry',
      iban: 'DE89370400440532013000',
      bankName: 'Sandbox Bank',
      reference: expect.stringMatching(new RegExp(`^RF\\d\\dINV${number}$`)),
    },
  });
  report(world, 'settled');
  expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
});

test('a checkout that waits in vain for a bank transfer expires at a stated time (SUB-14)', () => {
  const world = checkout();
  const { environment } = world.aggregate;
  world.aggregate = { ...world.aggregate, environment: { ...environment, checkoutExpiryHours: 24 } };
  world.create(null, { planId: 'cove' });
  world.pay(null, push('bank_transfer_waits_0353'));
  world.advance('2027-05-17T13:59:59Z');
  expect([world.subscription.status, latest(world).stage]).toEqual(['pending_payment', 'awaiting_payer']);
  world.advance('2027-05-17T14:00:00Z');
  expect([world.subscription.status, latest(world).stage]).toEqual(['pending_payment', 'expired']);
  world.advance('2027-05-18T13:59:59Z');
  expect(world.subscription.status).toBe('pending_payment');
  world.advance('2027-05-18T14:00:00Z');
  expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'void']);
});

test('a bank transfer for an issued invoice does not expire', () => {
  const world = checkout();
  world.pay(null, push('pix_pays_0191'));
  world.advance('2027-06-03T14:00:00Z');
  const outcome = world.do(null, {
    kind: 'recovery.pay',
    subscriptionId: world.subscription.id,
    invoiceId: world.invoice.id,
    method: push('bank_transfer_waits_0353'),
    abandoned: null,
  });
  expect(outcome).toMatchObject({ kind: 'ok' });
  expect(latest(world)).toMatchObject({ stage: 'awaiting_payer', expiresAt: null });
});

it('a payment by the payer cannot be stored as a payment method', () => {
  const world = checkout();
  world.pay(null, card);
  const before = world.aggregate.paymentMethods;
  const outcome = world.do(null, {
    kind: 'method.update',
    subscriptionId: world.subscription.id,
    method: push('pix_waits_0353'),
    abandoned: null,
  });
  expect(outcome).toMatchObject({ kind: 'rejection', code: 'provider_unsupported' });
  expect(world.aggregate.paymentMethods).toEqual(before);
});
