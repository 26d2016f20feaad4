import { describe, expect, test } from 'vitest';
import {
  type AttemptRow,
  compared,
  newAttempt,
  nextInquiryAt,
  withAnswer,
  withoutAnswer,
} from '../../src/domain/attempt.ts';
import type { ChargeRequest, ChargeResult } from '../../src/domain/provider.ts';
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
  // A process that was away for a day does not ask 24 times.
  [1_501, 1_560],
])('BIL-2 rank 0: %d minutes after the request the next inquiry is at minute %d', (now, next) => {
  expect(nextInquiryAt(requested, minute(now))).toEqual(minute(next));
});

describe('an answer', () => {
  test('none puts the attempt off', () => {
    expect(withoutAnswer(fresh, minute(1))).toEqual({ ...fresh, asks: 1, inquireAt: minute(5) });
    expect(withAnswer(fresh, { status: 'unknown' }, ok('unchanged'), minute(1))).toEqual({
      ...fresh,
      asks: 1,
      inquireAt: minute(5),
    });
  });

  test('that waits for the payer leaves it open', () => {
    const open = withAnswer(fresh, { status: 'requires_action' }, ok('requires_action'), minute(2));
    expect(open).toEqual({ ...fresh, asks: 1, inquireAt: minute(5) });
    expect(withAnswer(open, settled, ok('done'), minute(3))).toMatchObject({
      result: settled,
      answeredAt: minute(3),
      inquireAt: null,
    });
  });

  const answered = withAnswer(fresh, settled, ok('done'), minute(1));

  test('BIL-32: the first final one counts', () => {
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
    [
      'that money moved after a decline',
      withAnswer(fresh, declined, ok('done'), minute(1)),
      settled,
      settled,
    ],
    [
      'a decline after a wish for authentication that was one',
      withAnswer(fresh, { status: 'requires_action' }, ok('done'), minute(1)),
      declined,
      null,
    ],
  ])('a later one that says %s is counted and changes nothing', (_what, row, later, contradiction) => {
    expect(withAnswer(row, later, ok('unchanged'), minute(9))).toEqual({
      ...row,
      repeats: 1,
      contradiction,
      compareAt: contradiction === null ? null : minute(9),
    });
  });

  test('silence after it changes nothing at all', () => {
    expect(withoutAnswer(answered, minute(9))).toBe(answered);
  });

  test('that money moved for what no one waits for any more is a contradiction', () => {
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

describe('what the gateway has on record is compared', () => {
  const silent = (minutes: number, row = fresh): AttemptRow => withoutAnswer(row, minute(minutes));

  test('once all early inquiries came to nothing, and not before', () => {
    expect([1, 5, 15, 59.9, 60].map((minutes) => silent(minutes).compareAt)).toEqual([
      null,
      null,
      null,
      null,
      minute(60),
    ]);
    expect(silent(120, silent(60)).compareAt).toEqual(minute(60));
    // Who waits for a payer has had an answer.
    expect(
      withAnswer(fresh, { status: 'requires_action' }, ok('requires_action'), minute(90)).compareAt,
    ).toBeNull();
  });

  test('no more once the answer is there, and immediately when that contradicts', () => {
    expect(withAnswer(silent(60), settled, ok('done'), minute(61)).compareAt).toBeNull();
    expect(withAnswer(silent(60), settled, ok('unchanged'), minute(61)).compareAt).toEqual(minute(61));
    const contrary = withAnswer(
      withAnswer(fresh, settled, ok('done'), minute(1)),
      declined,
      ok('unchanged'),
      minute(9),
    );
    expect(contrary.compareAt).toEqual(minute(9));
    // Told again after it was compared it is no news.
    expect(
      withAnswer(compared(contrary, true, minute(10)), declined, ok('unchanged'), minute(11)).compareAt,
    ).toBeNull();
  });

  test('again in a day while there is no answer, in an hour where no one could be asked', () => {
    const open = silent(60);
    expect(compared(open, true, minute(60)).compareAt).toEqual(minute(60 + 24 * 60));
    expect(compared(open, false, minute(60)).compareAt).toEqual(minute(120));
    expect(compared(fresh, true, minute(60))).toBe(fresh);
  });
});
