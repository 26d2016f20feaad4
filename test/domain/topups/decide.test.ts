import { describe, expect, test } from 'vitest';
import type { AutoTopUpAttemptRow, AutoTopUpRow, TopUpReason } from '../../../src/domain/rows/topup-rows.ts';
import { minuteMs } from '../../../src/domain/time/period.ts';
import { monthIn } from '../../../src/domain/time/zoned-month.ts';
import { settingProblem } from '../../../src/domain/topups/check.ts';
import { isCovered } from '../../../src/domain/topups/consent.ts';
import { afterDecline, decideTopUp, type TopUpState } from '../../../src/domain/topups/decide.ts';
import { pauseEndsAt, usedIn } from '../../../src/domain/topups/month.ts';
import { largestWithin, missingMinor } from '../../../src/domain/topups/price.ts';
import { termsOf } from '../../../src/domain/topups/terms.ts';

const at = (text: string): Date => new Date(text);

/** Tax of 8.25%, rounded half up. */
const withTax = (amount: bigint): bigint => amount + (amount * 825n + 5_000n) / 10_000n;

const terms = {
  threshold: 50_000n,
  refill: { amount: 2_000 },
  maxPerMonth: 5,
  maxAmountPerMonth: 6_000n,
  minPause: 1,
} as const;

const setting: AutoTopUpRow = {
  ...terms,
  id: 'atu_1',
  seq: 1n,
  customerId: 'cus_1',
  subscriptionId: 'sub_1',
  asset: 'usd',
  status: 'on',
  pausedReason: null,
  pausedUntil: null,
  consent: {
    statement: 'I agree.',
    language: 'en',
    acceptedAt: '2027-05-01T00:00:00.000Z',
    acceptedBy: null,
    reference: null,
    terms: termsOf(terms, 2_000n, 'usd'),
  },
  reason: null,
  nextAt: null,
  declines: 0,
  firstDeclinedAt: null,
  removedAt: null,
  createdAt: at('2027-05-01T00:00:00Z'),
  updatedAt: at('2027-05-01T00:00:00Z'),
};

type Attempt = Pick<AutoTopUpAttemptRow, 'status' | 'amountMinor' | 'createdAt'>;

const bought = (day: string, amountMinor = 2_165n, status: Attempt['status'] = 'succeeded'): Attempt => ({
  status,
  amountMinor,
  createdAt: at(day),
});

const state = (changes: Partial<TopUpState> = {}, row: Partial<AutoTopUpRow> = {}): TopUpState => ({
  setting: { ...setting, ...row },
  attempts: [],
  available: 31_400n,
  currency: 'usd',
  isRunning: true,
  isCharging: false,
  hasMethod: true,
  isOffSession: true,
  price: 2_000n,
  totalOf: withTax,
  minimum: 50n,
  timeZone: 'UTC',
  now: at('2027-05-22T12:00:00Z'),
  ...changes,
});

const may = [bought('2027-05-03T09:00:00Z'), bought('2027-05-14T09:00:00Z')];

describe('a fixed refill', () => {
  test('is purchased until the month reaches its amount with tax (LIM-E25)', () => {
    expect(decideTopUp(state())).toEqual({ kind: 'buy', amount: 2_000n });
    expect(usedIn(may, monthIn('UTC', at('2027-05-22T12:00:00Z')))).toEqual({ count: 2, amount: 4_330n });
    expect(decideTopUp(state({ attempts: may }))).toEqual({
      kind: 'skip',
      reason: 'monthly_amount',
      nextAt: at('2027-06-01T00:00:00Z'),
    });
    expect(decideTopUp(state({ attempts: may, now: at('2027-06-01T00:00:00Z') }))).toEqual({
      kind: 'buy',
      amount: 2_000n,
    });
  });

  test('is purchased at exactly the amount of the month', () => {
    expect(decideTopUp(state({ attempts: may }, { maxAmountPerMonth: 6_495n }))).toMatchObject({
      reason: 'consent_outdated',
    });
    const first = [bought('2027-05-03T09:00:00Z', 3_835n)];
    expect(decideTopUp(state({ attempts: first }))).toMatchObject({ kind: 'buy' });
    expect(decideTopUp(state({ attempts: [bought('2027-05-03T09:00:00Z', 3_836n)] }))).toMatchObject({
      reason: 'monthly_amount',
    });
  });
});

describe('a target', () => {
  const target = { refill: { target: 400_000 } } as const;
  const row = {
    ...target,
    maxAmountPerMonth: 10_000n,
    consent: {
      statement: null,
      language: null,
      acceptedAt: '2027-05-01T00:00:00.000Z',
      acceptedBy: null,
      reference: 'contract-7',
      terms: termsOf({ ...terms, ...target, maxAmountPerMonth: 10_000n }, null, 'usd'),
    },
  } as const;

  test('buys the missing amount', () => {
    expect(decideTopUp(state({ price: null }, row))).toEqual({ kind: 'buy', amount: 3_686n });
    expect(withTax(3_686n)).toBe(3_990n);
    expect(missingMinor(400_000n, 31_401n, 'usd')).toBe(3_686n);
    expect(missingMinor(400_000n, 31_400n, 'jpy')).toBe(37n);
    expect(missingMinor(400_000n, 400_000n, 'usd')).toBe(0n);
  });

  test('is reduced to the rest of the month, tax included (LIM-E26)', () => {
    const attempts = [bought('2027-05-03T09:00:00Z', 7_500n)];
    expect(decideTopUp(state({ price: null, attempts }, row))).toEqual({ kind: 'buy', amount: 2_309n });
    expect(withTax(2_309n)).toBe(2_499n);
    expect(withTax(2_310n)).toBe(2_501n);
  });

  test("isn't reduced below the minimum charge", () => {
    const rest = (left: bigint) =>
      decideTopUp(state({ price: null, attempts: [bought('2027-05-03T09:00:00Z', 10_000n - left)] }, row));
    expect(rest(50n)).toEqual({ kind: 'buy', amount: 46n });
    expect(rest(49n)).toMatchObject({ reason: 'monthly_amount' });
    expect(rest(0n)).toMatchObject({ reason: 'monthly_amount' });
  });

  test('returns the largest amount within a limit', () => {
    for (let limit = 0n; limit < 400n; limit++) {
      const amount = largestWithin(300n, limit, withTax);
      expect(amount === 0n || withTax(amount) <= limit).toBe(true);
      expect(amount === 300n || withTax(amount + 1n) > limit).toBe(true);
    }
  });

  test('names a missing amount below the minimum charge', () => {
    const threshold = 396_000n;
    const agreed = { ...row.consent, terms: { ...row.consent.terms, threshold: 396_000 } };
    expect(
      decideTopUp(state({ price: null, available: threshold }, { ...row, threshold, consent: agreed })),
    ).toEqual({
      kind: 'skip',
      reason: 'below_minimum_charge',
      nextAt: null,
    });
  });
});

const tomorrow = at('2027-05-23T12:00:00Z');
const reasons: readonly [TopUpReason, Partial<TopUpState>, Partial<AutoTopUpRow>, Date | null][] = [
  ['monthly_count', { attempts: may }, { maxPerMonth: 2 }, at('2027-06-01T00:00:00Z')],
  ['min_pause', { attempts: [bought('2027-05-22T11:59:30Z')] }, {}, at('2027-05-22T12:00:30Z')],
  ['no_payment_method', { hasMethod: false }, {}, tomorrow],
  ['not_off_session', { isOffSession: false }, {}, tomorrow],
  ['subscription_status', { isRunning: false }, {}, tomorrow],
  ['charge_in_progress', { isCharging: true }, {}, tomorrow],
  ['charge_in_progress', { attempts: [bought('2027-05-19T12:00:00Z', 2_165n, 'processing')] }, {}, tomorrow],
  ['declined', {}, { declines: 1, firstDeclinedAt: at('2027-05-22T11:30:00Z') }, at('2027-05-22T12:30:00Z')],
  ['declined', {}, { declines: 2, firstDeclinedAt: at('2027-05-22T10:00:00Z') }, at('2027-05-23T11:00:00Z')],
  ['below_minimum_charge', { minimum: 2_166n }, {}, null],
  ['consent_outdated', { price: 2_001n }, {}, tomorrow],
  ['consent_outdated', { currency: 'eur' }, {}, tomorrow],
  ['consent_outdated', {}, { consent: null }, tomorrow],
];

test.each(reasons)('skips with the reason %s', (reason, changes, row, nextAt) => {
  expect(decideTopUp(state(changes, row))).toEqual({ kind: 'skip', reason, nextAt });
});

test.each(['not_sellable', 'no_exchange_rate'] as const)('pauses for a day with the reason %s', (reason) => {
  expect(decideTopUp(state({ price: reason }))).toEqual({ kind: 'pause', reason, until: tomorrow });
  const paused = { status: 'paused', pausedReason: reason, pausedUntil: tomorrow } as const;
  expect(decideTopUp(state({}, paused))).toEqual({ kind: 'enough' });
  expect(decideTopUp(state({ now: tomorrow }, paused))).toEqual({ kind: 'buy', amount: 2_000n });
});

test('purchases only at or below the threshold, and only if the top-up is on', () => {
  expect(decideTopUp(state({ available: 50_000n }))).toMatchObject({ kind: 'buy' });
  expect(decideTopUp(state({ available: 50_001n }))).toEqual({ kind: 'enough' });
  expect(decideTopUp(state({}, { status: 'off' }))).toEqual({ kind: 'enough' });
  expect(decideTopUp(state({}, { status: 'paused', pausedReason: 'declined' }))).toEqual({ kind: 'enough' });
});

test('counts purchases of the calendar month in the time zone of the customer', () => {
  const now = at('2027-06-01T02:00:00Z');
  const attempts = [bought('2027-05-31T22:30:00Z', 6_000n)];
  expect(decideTopUp(state({ attempts, now }))).toMatchObject({ kind: 'buy' });
  expect(decideTopUp(state({ attempts, now, timeZone: 'Europe/Madrid' }))).toMatchObject({
    reason: 'monthly_amount',
    nextAt: at('2027-06-30T22:00:00Z'),
  });
  expect(decideTopUp(state({ attempts, now, timeZone: 'America/Bogota' }))).toMatchObject({
    reason: 'monthly_amount',
    nextAt: at('2027-06-01T05:00:00Z'),
  });
  expect(monthIn('Europe/Madrid', at('2027-10-31T23:30:00Z'))).toEqual({
    start: at('2027-10-31T23:00:00Z'),
    end: at('2027-11-30T23:00:00Z'),
  });
});

test('retries a decline 1 and 25 hours after the first, then pauses', () => {
  const first = at('2027-05-08T10:00:00Z');
  expect([1, 2, 3].map((count) => afterDecline('card_declined', count, first))).toEqual([
    { reason: 'declined', nextAt: at('2027-05-08T11:00:00Z') },
    { reason: 'declined', nextAt: at('2027-05-09T11:00:00Z') },
    { reason: 'declined', nextAt: null },
  ]);
  expect(afterDecline('stolen_card', 1, first)).toEqual({ reason: 'declined', nextAt: null });
  expect(afterDecline('authentication_required', 1, first)).toEqual({
    reason: 'action_required',
    nextAt: null,
  });
});

describe('consent', () => {
  const { consent } = setting;
  const base = termsOf(terms, 2_000n, 'usd');

  test.each([
    [{}, true],
    [{ price: 2_001 }, false],
    [{ price: 1_999 }, true],
    [{ maxPerMonth: 6 }, false],
    [{ maxPerMonth: 4 }, true],
    [{ maxAmountPerMonth: 6_001 }, false],
    [{ maxAmountPerMonth: 5_999 }, true],
    [{ minPause: 0 }, false],
    [{ minPause: 2 }, true],
    [{ threshold: 50_001 }, false],
    [{ threshold: 49_999 }, true],
    [{ currency: 'eur' }, false],
    [{ refill: { target: 100_000 }, price: null }, false],
  ])('covers %o: %s', (changes, covered) => {
    expect(isCovered(consent, { ...base, ...changes })).toBe(covered);
  });

  test('covers a lower target, and nothing without consent', () => {
    const target = (amount: number) => termsOf({ ...terms, refill: { target: amount } }, null, 'usd');
    const given = consent && { ...consent, terms: target(400_000) };
    expect(isCovered(given, target(400_000))).toBe(true);
    expect(isCovered(given, target(399_999))).toBe(true);
    expect(isCovered(given, target(400_001))).toBe(false);
    expect(isCovered(null, base)).toBe(false);
  });
});

describe('a setting', () => {
  const checked = {
    threshold: 50_000n,
    refill: { amount: 2_000 },
    maxAmountPerMonth: 2_165n,
    price: 2_000n,
    packCredits: null,
    currency: 'usd',
    totalOf: withTax,
    minimum: 50n,
  } as const;

  test.each([
    [{}, null],
    [{ threshold: 199_999n }, null],
    [{ threshold: 200_000n }, 'refill'],
    [{ maxAmountPerMonth: 2_164n }, 'maxAmountPerMonth'],
    [{ minimum: 2_166n }, 'refill'],
    [{ refill: { target: 50_000 }, price: null }, 'refill'],
    [{ refill: { target: 60_000 }, price: null, maxAmountPerMonth: 107n }, 'maxAmountPerMonth'],
    [{ refill: { target: 60_000 }, price: null, maxAmountPerMonth: 108n }, null],
    [{ refill: { creditPackId: 'cpk_1', quantity: 2 }, packCredits: 25_000n }, 'refill'],
    [{ refill: { creditPackId: 'cpk_1', quantity: 3 }, packCredits: 25_000n }, null],
    [{ refill: { creditPackId: 'cpk_1', quantity: 100 }, packCredits: 90_071_992_547_410n }, 'refill'],
  ])('returns for %o the problem with %s', (changes, field) => {
    expect(settingProblem({ ...checked, ...changes })?.field ?? null).toBe(field);
  });
});

/** Returns a deterministic source of random numbers below a bound. */
function numbers(seed: number): (bound: number) => number {
  let value = seed;
  return (bound) => {
    value = (Math.imul(value, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((value / 2 ** 32) * bound);
  };
}

test('stays within the month and the pause in 10,000 random histories, and gives each trigger a purchase or a reason', () => {
  for (let seed = 1; seed <= 10_000; seed++) {
    const next = numbers(seed * 7_919);
    const timeZone = ['UTC', 'Asia/Tokyo', 'America/Bogota'][next(3)] ?? 'UTC';
    const isTarget = next(2) === 0;
    const minPause = [0, 1, 60, 1_440][next(4)] ?? 0;
    const own = {
      threshold: 50_000n,
      refill: isTarget ? { target: 300_000 } : { amount: 2_000 },
      maxPerMonth: 1 + next(6),
      maxAmountPerMonth: BigInt(2_165 + next(12_000)),
      minPause,
    };
    const price = isTarget ? null : 2_000n;
    const consent = setting.consent && { ...setting.consent, terms: termsOf(own, price, 'usd') };
    const attempts: Attempt[] = [];
    let now = at('2027-05-01T00:00:00Z');
    for (let step = 0; step < 12; step++) {
      now = new Date(now.getTime() + next(4_000) * minuteMs * (next(3) === 0 ? 10 : 1));
      const open = attempts.findIndex(({ status }) => status === 'processing');
      if (open >= 0 && next(2) === 0) {
        const { createdAt, amountMinor } = attempts[open] ?? bought('2027-05-01T00:00:00Z');
        attempts[open] = { createdAt, amountMinor, status: next(3) === 0 ? 'failed' : 'succeeded' };
      }
      const decision = decideTopUp(
        state({ attempts, now, timeZone, price, available: BigInt(next(50_001)) }, { ...own, consent }),
      );
      expect(decision.kind === 'buy' || decision.kind === 'skip').toBe(true);
      if (decision.kind !== 'buy') continue;
      const freeAt = pauseEndsAt(attempts, own);
      expect(freeAt === null || freeAt <= now).toBe(true);
      attempts.push({ status: 'processing', amountMinor: withTax(decision.amount), createdAt: now });
      const used = usedIn(attempts, monthIn(timeZone, now));
      expect(used.count).toBeLessThanOrEqual(own.maxPerMonth);
      expect(used.amount <= own.maxAmountPerMonth).toBe(true);
    }
  }
});
