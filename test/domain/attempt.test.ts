import { describe, expect, test } from 'vitest';
import { nextInquiryAt } from '../../src/domain/payments/inquiry.ts';
import type { ChargeRequest, ChargeResult } from '../../src/domain/payments/provider.ts';
import {
  type AttemptRow,
  compared,
  newAttempt,
  withAnswer,
  withoutAnswer,
} from '../../src/domain/subscription/payments/charge-attempt.ts';
import type { Outcome } from '../../src/domain/subscription/state/changes.ts';

const requested = new Date('2027-02-01T10:00:00Z');
const minute = (minutes: number): Date => new Date(requested.getTime() + minutes * 60_000);

const request: ChargeRequest = {
  transactionId: 'txn_1',
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
  kind: 'charge',
  provider: 'stripe',
  methodReference: 'pm_1',
  amountMinor: 1_900n,
  currency: 'usd',
  isFirst: false,
};
const settled: ChargeResult = { status: 'settled' };
const declined: ChargeResult = { status: 'declined', declineCode: 'card_declined', message: 'No.' };
const ok = (status: 'done' | 'unchanged' | 'requires_action'): Outcome => ({
  kind: 'ok',
  status,
  subscriptionId: 'sub_1',
  invoiceId: 'inv_1',
});
const fresh = newAttempt(request, false, requested);

test.each([
  [0, 1],
  [0.99, 1],
  [1, 5],
  [5, 15],
  [14, 15],
  [15, 60],
  [60, 120],
  [61, 120],
  [119, 120],
  [120, 180],
  // After a day offline, the process sends one inquiry, not 24.
  [1_501, 1_560],
])('the inquiry after minute %d is due at minute %d (BIL-2 rank 0)', (now, next) => {
  expect(nextInquiryAt(requested, minute(now))).toEqual(minute(next));
});

describe("a provider's result for an attempt", () => {
  test("postpones the next inquiry if it's unknown", () => {
    expect(withoutAnswer(fresh, minute(1))).toEqual({ ...fresh, asks: 1, inquireAt: minute(5) });
    expect(withAnswer(fresh, { status: 'unknown' }, ok('unchanged'), minute(1))).toEqual({
      ...fresh,
      asks: 1,
      inquireAt: minute(5),
    });
  });

  test('keeps the attempt open if the provider is waiting for the payer', () => {
    const open = withAnswer(fresh, { status: 'requires_action' }, ok('requires_action'), minute(2));
    expect(open).toEqual({ ...fresh, asks: 1, inquireAt: minute(5) });
    expect(withAnswer(open, settled, ok('done'), minute(3))).toMatchObject({
      result: settled,
      answeredAt: minute(3),
      inquireAt: null,
    });
  });

  const answered = withAnswer(fresh, settled, ok('done'), minute(1));

  test('ends the attempt if the charge was settled or declined (BIL-32)', () => {
    expect(answered).toEqual({
      ...fresh,
      asks: 1,
      inquireAt: null,
      result: settled,
      outcome: ok('done'),
      answeredAt: minute(1),
    });
  });

  test.each<[string, AttemptRow, ChargeResult, ChargeResult | null]>([
    ['again', answered, settled, null],
    ['otherwise', answered, declined, declined],
    ['payment after a declined charge', withAnswer(fresh, declined, ok('done'), minute(1)), settled, settled],
    [
      'decline after a declined authentication',
      withAnswer(fresh, { status: 'requires_action' }, ok('done'), minute(1)),
      declined,
      null,
    ],
  ])('is recorded without effect after an earlier result: %s', (_what, row, later, contradiction) => {
    expect(withAnswer(row, later, ok('unchanged'), minute(9))).toEqual({
      ...row,
      repeats: 1,
      contradiction,
      compareAt: contradiction === null ? null : minute(9),
    });
  });

  test("isn't changed by a later unknown result", () => {
    expect(withoutAnswer(answered, minute(9))).toBe(answered);
  });

  test("is recorded as a contradiction if it settles a voided invoice's charge", () => {
    expect(withAnswer(fresh, settled, ok('unchanged'), minute(1))).toMatchObject({
      result: settled,
      contradiction: settled,
    });
    const gone: Outcome = { kind: 'rejection', code: 'transaction_not_found', message: 'Gone.' };
    expect(withAnswer(fresh, settled, gone, minute(1))).toMatchObject({
      result: settled,
      contradiction: settled,
    });
    expect(withAnswer(fresh, declined, gone, minute(1))).toMatchObject({
      result: declined,
      contradiction: null,
    });
  });
});

describe('the reconciliation of an attempt with the provider', () => {
  const silent = (minutes: number, row = fresh): AttemptRow => withoutAnswer(row, minute(minutes));

  test('is due 60 minutes after a charge if no inquiry has returned a result', () => {
    expect([1, 5, 15, 59.9, 60].map((minutes) => silent(minutes).compareAt)).toEqual([
      null,
      null,
      null,
      null,
      minute(60),
    ]);
    expect(silent(120, silent(60)).compareAt).toEqual(minute(60));
    // An attempt that waits for the payer is treated as having a result.
    expect(
      withAnswer(fresh, { status: 'requires_action' }, ok('requires_action'), minute(90)).compareAt,
    ).toBeNull();
  });

  test("isn't repeated after a result, and is immediate after a contradiction", () => {
    expect(withAnswer(silent(60), settled, ok('done'), minute(61)).compareAt).toBeNull();
    expect(withAnswer(silent(60), settled, ok('unchanged'), minute(61)).compareAt).toEqual(minute(61));
    const contrary = withAnswer(
      withAnswer(fresh, settled, ok('done'), minute(1)),
      declined,
      ok('unchanged'),
      minute(9),
    );
    expect(contrary.compareAt).toEqual(minute(9));
    // Receiving the same result again doesn't trigger another comparison.
    expect(
      withAnswer(compared(contrary, true, minute(10)), declined, ok('unchanged'), minute(11)).compareAt,
    ).toBeNull();
  });

  test('is repeated a day later if there is no result, or an hour later if the provider was unreachable', () => {
    const open = silent(60);
    expect(compared(open, true, minute(60)).compareAt).toEqual(minute(60 + 24 * 60));
    expect(compared(open, false, minute(60)).compareAt).toEqual(minute(120));
    expect(compared(fresh, true, minute(60))).toBe(fresh);
  });
});
