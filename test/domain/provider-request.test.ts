import { describe, expect, test } from 'vitest';
import {
  arrivesBy,
  isAccountFault,
  type PayoutAnswer,
  type PayoutStatus,
} from '../../src/domain/payments/payout.ts';
import {
  ended,
  newProviderRequest,
  nextActionOf,
  payoutAnswered,
  postponedRequest,
  requestedNow,
  withdrawn,
} from '../../src/domain/payments/provider-request.ts';

const began = new Date('2027-03-01T10:00:00.000Z');
const later = (minutes: number): Date => new Date(began.getTime() + minutes * 60_000);
const request = newProviderRequest('payout', 'po_1', began);
const requested = requestedNow(request, began);
const failed: PayoutAnswer = { status: 'failed', code: 'account_closed', message: 'No.' };

describe('a payout request to the provider (PAY-37)', () => {
  test('is sent immediately, with inquiries after 1, 5, 15, and 60 minutes and then hourly', () => {
    expect(request.inquireAt).toEqual(began);
    const dueAfter = [0, 1, 5, 15, 60, 120].map((minutes) => requestedNow(request, later(minutes)).inquireAt);
    expect(dueAfter).toEqual([1, 5, 15, 60, 120, 180].map(later));
  });

  test('is followed by inquiries, and by a cancellation request after the payout is canceled', () => {
    expect([
      nextActionOf(request),
      nextActionOf(requested),
      nextActionOf(withdrawn(requested, later(3))),
    ]).toEqual(['make', 'inquire', 'withdraw']);
    expect(withdrawn(requested, later(3)).inquireAt).toEqual(later(3));
    expect(requestedNow(requested, later(1))).toMatchObject({ asks: 2, requestedAt: began });
  });

  test('is retried a minute later if the provider was unreachable', () => {
    expect(postponedRequest(request, began)).toEqual({ ...request, inquireAt: later(1) });
  });
});

describe("a provider's result for a payout", () => {
  const moves = (status: PayoutStatus, answer: PayoutAnswer) =>
    payoutAnswered(status, requested, answer, later(1));

  test.each<[PayoutStatus, PayoutAnswer]>([
    ['pending', { status: 'unknown' }],
    ['pending', { status: 'pending' }],
    ['in_transit', { status: 'in_transit' }],
    // The transfer was already recorded.
    ['in_transit', { status: 'pending' }],
  ])('changes nothing for a payout with the status %s: %o', (status, answer) => {
    expect(moves(status, answer)).toEqual({ request: requested, moved: null });
  });

  test("records the transfer, after which the payout can't be canceled", () => {
    const answer = { status: 'in_transit' } as const;
    const moved = payoutAnswered('pending', withdrawn(requested, later(1)), answer, later(1));
    expect(moved).toEqual({
      request: { ...requested, inquireAt: later(1), isWithdrawn: false },
      moved: answer,
    });
  });

  test.each<[PayoutStatus, PayoutAnswer]>([
    ['pending', { status: 'paid' }],
    ['pending', { status: 'canceled' }],
    ['pending', failed],
    ['in_transit', { status: 'paid' }],
    ['in_transit', failed],
  ])('is final for a payout with the status %s: %o', (status, answer) => {
    expect(moves(status, answer)).toEqual({
      request: { ...requested, inquireAt: null, result: answer, answeredAt: later(1) },
      moved: answer,
    });
  });

  test('is recorded as a contradiction without ending the inquiries if it cancels a payout that was already transferred', () => {
    const answer = { status: 'canceled' } as const;
    expect(moves('in_transit', answer)).toEqual({
      request: { ...requested, contradiction: answer },
      moved: null,
    });
  });

  test('is recorded after the final result, even if it contradicts that result', () => {
    const over = ended(requested, { status: 'paid' }, later(1));
    const repeat = (answer: PayoutAnswer) => payoutAnswered('paid', over, answer, later(9));
    expect(repeat({ status: 'paid' })).toEqual({ request: { ...over, repeats: 1 }, moved: null });
    expect(repeat({ status: 'in_transit' })).toEqual({ request: { ...over, repeats: 1 }, moved: null });
    expect(repeat(failed)).toEqual({ request: { ...over, repeats: 1, contradiction: failed }, moved: null });
  });
});

test('a payout arrives within seven business days (PAY-37)', () => {
  // Counted from Monday, March 1, 2027, the first business day is Tuesday the 2nd, and the seventh is
  // Wednesday the 10th.
  expect(arrivesBy(began)).toEqual(new Date('2027-03-11T00:00:00.000Z'));
  // Counted from Friday, March 5, the first is Monday the 8th, and the seventh is Tuesday the 16th.
  expect(arrivesBy(new Date('2027-03-05T23:59:59.999Z'))).toEqual(new Date('2027-03-17T00:00:00.000Z'));
});

test('bank account failures are distinguished from payout failures (PAY-39)', () => {
  expect(['account_closed', 'no_account', 'invalid_account_number'].map(isAccountFault)).toEqual([
    true,
    true,
    true,
  ]);
  expect(
    ['bank_rejected', 'insufficient_funds', 'could_not_process', 'declined'].map(isAccountFault),
  ).toEqual([false, false, false, false]);
});
