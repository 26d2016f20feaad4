import { describe, expect, it, test } from 'vitest';
import type { Aggregate } from '../../../src/domain/subscription/state/aggregate.ts';
import { ach, date, euro, german, sepa, settles, subscribed, timeline } from './debit-world.ts';
import { card, cardThat, World } from './world.ts';

// Renewals that customers pay themselves, because no stored payment method can be charged (INS-24). Times are in UTC.

/** Turns collection by the payer on in a world. */
function collecting(world: World, collectionDueDays = 3): World {
  const { environment } = world.aggregate;
  const changed: Aggregate['environment'] = { ...environment, collectByPayer: true, collectionDueDays };
  world.aggregate = { ...world.aggregate, environment: changed };
  return world;
}

/** Subscription whose first invoice was paid outside Quittance. Its first renewal is on March 2, 2027. */
function unpaid(): World {
  const world = new World('2027-02-02', euro(), german);
  world.create(null, { planId: 'cove' });
  world.do(null, { kind: 'invoice.mark', invoiceId: world.invoice.id, status: 'paid' });
  void world.sent;
  return world;
}

const withoutMethod = (collectionDueDays = 3): World => collecting(unpaid(), collectionDueDays);

const payBy = (world: World, method = card) =>
  world.do(null, {
    kind: 'recovery.pay',
    subscriptionId: world.subscription.id,
    invoiceId: world.invoice.id,
    method,
    abandoned: null,
  });

describe('a renewal without a payment method', () => {
  it('fails immediately if collection by the payer is off', () => {
    const world = unpaid();
    world.advance('2027-03-02T00:00:00Z');
    expect(timeline(world)).toEqual([
      '03-02T00:00 invoice.created',
      '03-02T00:00 payment.failed',
      '03-02T00:00 subscription.past_due',
    ]);
    expect(world.invoice.payableUntil).toBeNull();
  });

  it('stays outstanding until the day after its due date, then fails and starts dunning', () => {
    const world = withoutMethod();
    world.advance('2027-03-06T05:59:59Z');
    expect(timeline(world)).toEqual(['03-02T00:00 invoice.created', '03-06T00:00 invoice.overdue']);
    expect(world.subscription.status).toBe('active');
    expect(world.invoice).toMatchObject({
      status: 'outstanding',
      total: 5_831n,
      payableUntil: new Date('2027-03-06T06:00:00Z'),
    });
    expect(date(world.invoice.dueDate)).toBe('2027-03-05');
    expect(world.aggregate.transactions).toEqual([]);
    world.advance('2027-03-06T06:00:00Z');
    expect(timeline(world)).toEqual(['03-06T06:00 payment.failed', '03-06T06:00 subscription.past_due']);
    expect(world.events.find(({ kind }) => kind === 'payment.failed')?.data).toMatchObject({
      failureCode: 'not_paid',
    });
    expect(world.items.at(-1)).toMatchObject({
      kind: 'payment_due',
      outcome: 'declined',
      detail: 'not_paid',
    });
    expect(world.subscription.dunningInvoiceId).toBe(world.invoice.id);
    world.advance('2027-03-14T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'uncollectible']);
    expect(timeline(world)).not.toContain('03-07T00:00 invoice.overdue');
  });

  test.each([
    [0, '2027-03-02', '2027-03-03T06:00:00.000Z'],
    [60, '2027-05-01', '2027-05-02T06:00:00.000Z'],
  ])('is due after %s days', (days, dueDate, until) => {
    const world = withoutMethod(days);
    world.advance('2027-03-02T00:00:00Z');
    expect([date(world.invoice.dueDate), world.invoice.payableUntil?.toISOString()]).toEqual([
      dueDate,
      until,
    ]);
  });

  it('is paid on its payment page by the customer, whose card is charged for the next renewal', () => {
    const world = withoutMethod();
    world.advance('2027-03-04T10:00:00Z');
    void world.sent;
    expect(payBy(world)).toMatchObject({ kind: 'ok' });
    expect(timeline(world)).toEqual(['03-04T10:00 payment_method.attached', '03-04T10:00 payment.received']);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
    expect(world.deadlines.filter((text) => /payment_due|overdue|daily_scan:sub:inv/.test(text))).toEqual([]);
    world.advance('2027-04-02T00:00:00Z');
    expect([world.invoice.status, world.invoice.payableUntil]).toEqual(['paid', null]);
  });

  it('stays payable after a declined card', () => {
    const world = withoutMethod();
    world.advance('2027-03-04T10:00:00Z');
    void world.sent;
    expect(payBy(world, cardThat('declines'))).toMatchObject({ kind: 'rejection', code: 'charge_failed' });
    expect(world.sent).toEqual([]);
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'outstanding']);
    expect(payBy(world)).toMatchObject({ kind: 'ok' });
    expect(world.invoice.status).toBe('paid');
  });

  it('is charged when a card is stored, and dunning starts if the charge is declined', () => {
    const stored = (method = card): World => {
      const world = withoutMethod();
      world.advance('2027-03-03T09:00:00Z');
      void world.sent;
      world.do(null, {
        kind: 'method.update',
        subscriptionId: world.subscription.id,
        method,
        abandoned: null,
      });
      return world;
    };
    const world = stored();
    expect(world.sent).toEqual(['payment_method.attached', 'payment.received']);
    expect([world.invoice.status, world.invoice.payableUntil]).toEqual(['paid', null]);
    const declined = stored(cardThat('pays', 'declines'));
    expect([declined.subscription.status, declined.invoice.status]).toEqual(['past_due', 'outstanding']);
    expect(declined.deadlines.filter((text) => text.includes('payment_due'))).toEqual([]);
  });

  it('waits for a bank debit that is processing at the due date', () => {
    const world = withoutMethod();
    world.advance('2027-03-05T10:00:00Z');
    payBy(world, sepa('lacks_funds', '3001'));
    void world.sent;
    world.advance('2027-03-09T06:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'outstanding']);
    world.advance('2027-03-10T06:00:00Z');
    expect(world.subscription.status).toBe('past_due');
    expect(world.events.findLast(({ kind }) => kind === 'payment.failed')?.data).toMatchObject({
      failureCode: 'not_paid',
    });
  });

  it('becomes uncollectible if the subscription has ended by the due date', () => {
    const world = withoutMethod(40);
    world.advance('2027-03-02T00:00:00Z');
    world.do(null, {
      kind: 'subscription.cancel',
      subscriptionId: world.subscription.id,
      reason: null,
      immediate: false,
    });
    world.advance('2027-04-02T00:00:00Z');
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'outstanding']);
    world.advance('2027-04-12T06:00:00Z');
    expect(world.invoice.status).toBe('uncollectible');
  });

  it('is voided by an immediate cancellation', () => {
    const world = withoutMethod();
    world.advance('2027-03-02T00:00:00Z');
    world.do(null, {
      kind: 'subscription.cancel',
      subscriptionId: world.subscription.id,
      reason: null,
      immediate: true,
    });
    expect([world.subscription.status, world.invoice.status]).toEqual(['canceled', 'void']);
    expect(world.deadlines.filter((text) => text.includes('payment_due'))).toEqual([]);
  });
});

describe('a renewal whose mandate ends', () => {
  it('is left to the customer with the due date of its invoice (INS-E13)', () => {
    const world = collecting(subscribed('2027-02-02', card));
    world.do(null, {
      kind: 'method.update',
      subscriptionId: world.subscription.id,
      method: settles,
      abandoned: null,
    });
    world.advance('2027-03-03T08:00:00Z');
    void world.sent;
    const [mandate] = world.aggregate.mandates;
    world.do(null, {
      kind: 'mandate.revoke',
      mandateId: mandate?.id ?? '',
      subscriptionIds: [],
      by: 'customer',
    });
    expect(world.sent).toEqual(['mandate.revoked', 'invoice.updated']);
    expect([world.subscription.status, date(world.invoice.dueDate)]).toEqual(['active', '2027-03-05']);
    world.do('2027-03-03T09:00:00Z', {
      kind: 'method.update',
      subscriptionId: world.subscription.id,
      method: card,
      abandoned: null,
    });
    expect([world.subscription.status, world.invoice.status]).toEqual(['active', 'paid']);
  });
});

it('leaves an invoice to the customer if its currency changed to one that the account cannot pay', () => {
  const world = collecting(subscribed('2027-02-02', card, euro()));
  const [method] = world.aggregate.paymentMethods;
  expect(method).toBeDefined();
  world.aggregate = {
    ...world.aggregate,
    paymentMethods: world.aggregate.paymentMethods.map((row) => ({
      ...row,
      ...ach,
      instrument: 'ach_debit',
    })),
  };
  world.advance('2027-03-02T00:00:00Z');
  expect(world.invoice).toMatchObject({ status: 'outstanding', currency: 'eur' });
  expect(world.invoice.payableUntil).not.toBeNull();
});
