import { describe, expect, it, test } from 'vitest';
import type { TransactionStage } from '../../../src/domain/rows/enums.ts';
import { latest, renewedBy, sepa, settles, timeline } from './debit-world.ts';
import { at, card, type World } from './world.ts';

// Ends of mandates, and reports that contradict the result of a debit (INS-12, INS-61 to INS-64).

/** Replaces the payment method of the subscription by a card. */
const withCard = (world: World): World => {
  world.do(null, {
    kind: 'method.update',
    subscriptionId: world.subscription.id,
    method: card,
    abandoned: null,
  });
  return world;
};

const report = (world: World, when: string, stage: 'settled' | 'declined' | 'processing', code?: string) =>
  world.do(when, {
    kind: 'attempt_step',
    subscriptionId: world.subscription.id,
    transactionId: latest(world).id,
    deadlineId: 'step',
    report: { stage, ...(code === undefined ? {} : { code }) },
  });

describe('a removed bank account', () => {
  it('ends its mandate', () => {
    const world = withCard(renewedBy(settles));
    const [, debited] = world.aggregate.paymentMethods;
    void world.sent;
    world.do(null, {
      kind: 'method.remove',
      paymentMethodId: debited?.id ?? '',
      subscriptionIds: [],
      by: 'merchant',
    });
    expect(world.sent).toEqual(['mandate.revoked', 'payment_method.detached']);
    expect(world.aggregate.mandates).toMatchObject([
      { status: 'revoked', endedBy: 'merchant', endedAt: at('2027-02-02'), reason: null },
    ]);
  });
});

test('a one-time charge skips a bank account whose mandate ended, and charges the card (PAY-7)', () => {
  const world = renewedBy(sepa('is_closed', '3006'));
  world.advance('2027-03-10T12:00:00Z');
  expect(world.aggregate.mandates).toMatchObject([{ status: 'revoked', endedBy: 'bank', reason: 'AC04' }]);
  const terms = { subtotalMinor: 900n, currency: 'eur', description: 'Work', metadata: {} };
  expect(world.do(null, { kind: 'payment.charge', paymentId: 'pay_1', ...terms })).toMatchObject({
    kind: 'ok',
  });
  expect(latest(world)).toMatchObject({ instrument: 'card', status: 'succeeded' });
});

describe('a report that contradicts the result', () => {
  it('is kept in the timeline once, and changes nothing else', () => {
    const world = renewedBy(sepa('is_closed', '3006'));
    world.advance('2027-03-10T12:00:00Z');
    void world.sent;
    report(world, '2027-03-11T00:00:00Z', 'settled');
    report(world, '2027-03-12T00:00:00Z', 'settled');
    expect(timeline(world)).toEqual([]);
    expect(latest(world)).toMatchObject({ stage: 'declined', status: 'failed', declineCode: 'AC04' });
    expect(latest(world).reports?.slice(-2)).toEqual([
      { stage: 'declined', at: '2027-03-09T06:00:00.000Z', code: 'AC04' },
      { stage: 'settled', at: '2027-03-11T00:00:00.000Z', isContradiction: true },
    ]);
  });

  it('is dropped if it is late', () => {
    const world = renewedBy(sepa('is_closed', '3006'));
    world.advance('2027-03-10T12:00:00Z');
    const before = latest(world).reports?.length;
    report(world, '2027-03-11T00:00:00Z', 'processing');
    expect(latest(world).reports).toHaveLength(before ?? 0);
  });
});

describe('a revoked mandate', () => {
  const revoke = (world: World, when: string | null, by: 'customer' | 'merchant') =>
    world.do(when, {
      kind: 'mandate.revoke',
      mandateId: world.aggregate.mandates.at(-1)?.id ?? '',
      subscriptionIds: [],
      by,
    });

  it('cancels the scheduled debit, and its invoice fails without a payment method (INS-63)', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-02T00:00:00Z');
    void world.sent;
    revoke(world, '2027-03-02T10:00:00Z', 'customer');
    expect(timeline(world)).toEqual([
      '03-02T10:00 mandate.revoked',
      '03-02T10:00 payment.failed',
      '03-02T10:00 subscription.past_due',
    ]);
    expect(world.event('mandate.revoked').data).toMatchObject({
      endedBy: 'customer',
      reason: null,
      subscriptionId: world.subscription.id,
    });
    expect(latest(world)).toMatchObject({ stage: 'canceled', status: 'failed' });
  });

  it("doesn't stop a debit that is processing, and changes nothing if it is repeated (INS-64)", () => {
    const world = renewedBy(settles);
    world.advance('2027-03-05T00:00:00Z');
    void world.sent;
    revoke(world, null, 'merchant');
    revoke(world, '2027-03-06T00:00:00Z', 'customer');
    expect(world.sent).toEqual(['mandate.revoked']);
    expect(world.aggregate.mandates).toMatchObject([{ endedBy: 'merchant' }]);
    world.advance('2027-03-11T06:00:00Z');
    expect(world.invoice.status).toBe('paid');
    world.advance('2027-04-02T00:00:00Z');
    expect(world.event('payment.failed').data).toMatchObject({ failureCode: 'no_payment_method' });
  });

  it('is checked again when a debit is sent, so that no debit is sent without a mandate (INS-22)', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-02T00:00:00Z');
    void world.sent;
    const [mandate] = world.aggregate.mandates;
    if (mandate === undefined) throw new Error('no mandate');
    world.aggregate = {
      ...world.aggregate,
      mandates: [
        { ...mandate, status: 'revoked', endedBy: 'bank', endedAt: at('2027-03-03'), reason: 'MD01' },
      ],
    };
    world.advance('2027-03-04T00:05:00Z');
    expect(timeline(world)).toEqual(['03-04T00:05 payment.failed', '03-04T00:05 subscription.past_due']);
    expect(latest(world)).toMatchObject({ stage: 'canceled', status: 'failed' });
  });

  it("is rejected if the customer doesn't have the mandate", () => {
    const world = renewedBy(settles);
    expect(
      world.do(null, { kind: 'mandate.revoke', mandateId: 'mdt_none', subscriptionIds: [], by: 'customer' }),
    ).toMatchObject({ kind: 'rejection', code: 'not_found' });
  });
});

describe('a simulated report (INS-133)', () => {
  const simulate = (world: World, when: string, stage: TransactionStage, code: string | null = null) =>
    world.do(when, {
      kind: 'attempt.report',
      transactionId: latest(world).id,
      subscriptionId: world.subscription.id,
      stage,
      code,
    });
  const rejected = { kind: 'rejection', code: 'validation_error', param: 'stage' };

  it('declines a debit immediately, and replaces the later result of the account', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-05T00:00:00Z');
    simulate(world, '2027-03-05T08:00:00Z', 'declined', 'AC04');
    expect(latest(world)).toMatchObject({ stage: 'declined', declineCode: 'AC04' });
    expect(world.subscription.status).toBe('past_due');
    const before = latest(world).reports;
    world.advance('2027-03-12T00:00:00Z');
    expect(world.aggregate.transactions.find(({ id }) => id === latest(world).id)?.reports).toEqual(before);
    expect(simulate(world, '2027-03-12T01:00:00Z', 'settled')).toMatchObject(rejected);
  });

  it('settles and returns a debit, and accepts neither twice', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-05T00:00:00Z');
    simulate(world, '2027-03-05T08:00:00Z', 'settled');
    expect(world.invoice.status).toBe('paid');
    expect(simulate(world, '2027-03-05T09:00:00Z', 'settled')).toMatchObject(rejected);
    simulate(world, '2027-03-05T10:00:00Z', 'returned', 'MD06');
    expect(world.invoice.status).toBe('outstanding');
    expect(simulate(world, '2027-03-05T11:00:00Z', 'returned')).toMatchObject(rejected);
  });

  it('is rejected for stages that a bank never reports about an accepted debit', () => {
    const world = renewedBy(settles);
    world.advance('2027-03-02T00:00:00Z');
    expect(latest(world).stage).toBe('scheduled');
    for (const stage of ['requested', 'awaiting_payer', 'expired', 'canceled'] as const)
      expect(simulate(world, '2027-03-02T01:00:00Z', stage)).toMatchObject(rejected);
    expect(latest(world).stage).toBe('scheduled');
  });

  it('is rejected for a card', () => {
    const world = renewedBy(settles);
    expect(simulate(world, '2027-02-03T00:00:00Z', 'returned')).toMatchObject(rejected);
  });
});
