import { describe, expect, test } from 'vitest';
import {
  componentsOf,
  mergeEntries,
  monthly,
  mrrOf,
  type RecurringSubscription,
  reasonFor,
  recurringState,
} from '../../../src/domain/metrics/recurring.ts';
import type { MrrEntryRow, MrrState, RecurringTerms } from '../../../src/domain/rows/recurring-rows.ts';
import { unitRate } from '../../support/rates.ts';

const plain: RecurringTerms = { interval: 'monthly', base: '0', discount: '0', units: [], addons: {} };
const nothing = { countOf: () => 0n, addons: [] };

const subscription = (changes: Partial<RecurringSubscription> = {}): RecurringSubscription => ({
  status: 'active',
  activatedAt: new Date('2027-01-01'),
  recurring: { ...plain, base: '4200' },
  planId: 'pln_1',
  billingInterval: 'monthly',
  provider: 'platform',
  currency: 'usd',
  ...changes,
});

const state = (changes: Partial<MrrState> = {}): MrrState => ({
  base: '420000',
  discount: '0',
  seats: '0',
  quota: '0',
  addons: '0',
  planId: 'pln_1',
  interval: 'monthly',
  country: 'US',
  provider: 'platform',
  currency: 'usd',
  isPastDue: false,
  ...changes,
});

describe('the breakdown of MRR (MET-4)', () => {
  test('is converted from each interval to a month (MET-E1)', () => {
    const base = (interval: RecurringTerms['interval'], minor: string, currency = 'usd') =>
      componentsOf({ ...plain, interval, base: minor }, currency, nothing).base;
    expect(base('weekly', '950')).toBe(411_667n);
    expect(base('monthly', '4200')).toBe(420_000n);
    // A third of 117.00 per month, minus a third of the 15% discount of 17.55, in units of 1/10,000.
    const quarterly = componentsOf(
      { ...plain, interval: 'quarterly', base: '11700', discount: '1755' },
      'usd',
      nothing,
    );
    expect(quarterly).toMatchObject({ base: 390_000n, discount: -58_500n });
    expect(base('yearly', '49900')).toBe(415_833n);
    expect(411_667n + 420_000n + 390_000n - 58_500n + 415_833n).toBe(1_579_000n);
    expect(base('yearly', '36500', 'jpy')).toBe(30_416_667n);
  });

  test('contains the base price, discount, seats, and add-on of a yearly plan (MET-E2)', () => {
    const terms: RecurringTerms = {
      interval: 'yearly',
      base: '108000',
      discount: '21600',
      units: [{ featureId: 'ftr_seats', type: 'seats', included: '5', rates: [unitRate(960_000n)] }],
      addons: { adn_1: '6000', adn_2: '100' },
    };
    const addons = [
      { id: 'adn_1', status: 'active' },
      { id: 'adn_2', status: 'inactive' },
    ] as const;
    const components = componentsOf(terms, 'eur', { countOf: () => 8n, addons });
    expect(components).toEqual({
      base: 900_000n,
      discount: -180_000n,
      seats: 240_000n,
      quota: 0n,
      addons: 50_000n,
    });
    const found = recurringState(subscription({ recurring: terms, currency: 'eur' }), 'DE', {
      countOf: () => 8n,
      addons,
    });
    expect(mrrOf(found)).toBe(1_010_000n);
    expect(12n * mrrOf(found)).toBe(12_120_000n);
  });

  test('excludes seats up to the included number, and lists quota separately', () => {
    const terms: RecurringTerms = {
      ...plain,
      units: [
        { featureId: 'a', type: 'seats', included: '5', rates: [unitRate(100n)] },
        { featureId: 'b', type: 'quota', included: '0', rates: [unitRate(7n)] },
      ],
    };
    const use = { countOf: (id: string) => (id === 'a' ? 4n : 3n), addons: [] };
    expect(componentsOf(terms, 'usd', use)).toMatchObject({ seats: 0n, quota: 21n });
  });

  test('rounds each component once, half away from zero', () => {
    expect(monthly(1n, 'quarterly')).toBe(0n);
    expect(monthly(2n, 'quarterly')).toBe(1n);
    expect(monthly(6n, 'yearly')).toBe(1n);
    expect(monthly(-6n, 'yearly')).toBe(-1n);
    expect(monthly(5n, null)).toBe(5n);
  });
});

describe("a subscription's MRR (MET-6)", () => {
  test.each([
    ['a draft', { status: 'draft', activatedAt: null, recurring: null }, 0n],
    ['an unpaid checkout', { status: 'pending_payment', activatedAt: null, recurring: null }, 0n],
    ['a trial', { status: 'trialing', activatedAt: null, recurring: null }, 0n],
    ['a declined first charge after a trial', { status: 'past_due', activatedAt: null }, 0n],
    ['the same after its settlement', { status: 'past_due' }, 420_000n],
    ['a free plan', { billingInterval: null, recurring: { ...plain, interval: null } }, 0n],
    [
      'a free plan with an add-on per window',
      { billingInterval: null, recurring: { ...plain, interval: null, addons: { adn_1: '500' } } },
      50_000n,
    ],
    [
      'a one-time plan with units per window',
      {
        billingInterval: 'one_time',
        recurring: {
          ...plain,
          interval: null,
          units: [{ featureId: 'a', type: 'quota', included: '1', rates: [unitRate(20_000n)] }],
        },
      },
      20_000n,
    ],
    ['100% off', { recurring: { ...plain, base: '4200', discount: '4200' } }, 0n],
    [
      'a fixed price of 9.00 a month on a yearly plan',
      { billingInterval: 'yearly', recurring: { ...plain, base: '900' } },
      90_000n,
    ],
    ['a canceled subscription', { status: 'canceled' }, 0n],
  ] as const)('equals the amount per month for %s', (_title, changes, mrr) => {
    const use = { countOf: () => 2n, addons: [{ id: 'adn_1', status: 'active' as const }] };
    expect(mrrOf(recurringState(subscription(changes), 'US', use))).toBe(mrr);
  });

  test('is marked as at risk while the subscription is past due (MET-3)', () => {
    expect(recurringState(subscription({ status: 'past_due' }), 'US', nothing)).toEqual(
      state({ isPastDue: true }),
    );
  });
});

describe('the reason for an MRR change (MET-12)', () => {
  const active = { status: 'active', activatedAt: new Date(), trialEndsAt: null, recurring: plain } as const;
  const after = { cancelReason: null, isFree: false };
  test.each([
    ['a first activation', null, state(), { before: null, after }, 'activated'],
    [
      'the end of a trial',
      null,
      state(),
      { before: { ...active, status: 'trialing', activatedAt: null, trialEndsAt: new Date() }, after },
      'trial_converted',
    ],
    ['a return', null, state(), { before: { ...active, status: 'canceled' }, after }, 'reactivated'],
    [
      'an active subscription without entries',
      null,
      state(),
      { before: { ...active, recurring: null }, after },
      'opening',
    ],
    ['another plan', state(), state({ planId: 'pln_2' }), { before: active, after }, 'plan_changed'],
    [
      'a free plan',
      state(),
      state({ planId: 'pln_2', base: '0' }),
      { before: active, after: { ...after, isFree: true } },
      'downgraded_to_free',
    ],
    [
      'another interval',
      state(),
      state({ interval: 'yearly', base: '350000' }),
      { before: active, after },
      'interval_changed',
    ],
    ['another price', state(), state({ base: '500000' }), { before: active, after }, 'price_changed'],
    [
      'another price with the same percentage',
      state({ discount: '-42000' }),
      state({ base: '500000', discount: '-50000' }),
      { before: active, after },
      'price_changed',
    ],
    ['an offer', state(), state({ discount: '-126000' }), { before: active, after }, 'discount_started'],
    [
      'an offer of 100%',
      state(),
      state({ discount: '-420000' }),
      { before: active, after },
      'fully_discounted',
    ],
    [
      'the end of an offer',
      state({ discount: '-126000' }),
      state(),
      { before: active, after },
      'discount_ended',
    ],
    ['seats', state(), state({ seats: '100' }), { before: active, after }, 'seats'],
    ['quota', state(), state({ quota: '100' }), { before: active, after }, 'quota'],
    ['add-ons', state(), state({ addons: '100' }), { before: active, after }, 'addons'],
    ['a failed charge', state(), state({ isPastDue: true }), { before: active, after }, 'past_due'],
    ['its recovery', state({ isPastDue: true }), state(), { before: active, after }, 'recovered'],
    ['an end', state(), null, { before: active, after }, 'canceled'],
    [
      'exhausted dunning',
      state(),
      null,
      { before: active, after: { ...after, cancelReason: 'dunning_exhausted' } },
      'dunning_exhausted',
    ],
    [
      'a full refund',
      state(),
      null,
      { before: active, after: { ...after, cancelReason: 'refund' } },
      'refunded',
    ],
    [
      'a deleted customer',
      state(),
      null,
      { before: active, after: { ...after, cancelReason: 'customer_deleted' } },
      'customer_deleted',
    ],
  ] as const)('depends on the cause of the change: %s', (_title, before, next, details, reason) => {
    expect(reasonFor(before, next, details)).toBe(reason);
  });
});

describe('two simultaneous decisions (MET-70)', () => {
  const entry = (id: string, before: MrrState | null, after: MrrState | null): MrrEntryRow => ({
    id,
    seq: null,
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    reason: 'seats',
    ...{ firstEvent: null, lastEvent: null, countedOn: null },
    before,
    after,
    occurredAt: new Date('2027-01-01'),
  });

  test('create one MRR entry', () => {
    const [more, most] = [state({ seats: '1' }), state({ seats: '2' })];
    expect(mergeEntries([entry('a', state(), more)], [entry('b', more, most)])).toEqual([
      entry('b', state(), most),
    ]);
  });

  test('create no MRR entry if the second decision reverses the first', () => {
    const more = state({ seats: '1' });
    expect(mergeEntries([entry('a', state(), more)], [entry('b', more, state())])).toEqual([]);
  });
});
