import { describe, expect, it, test } from 'vitest';
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
