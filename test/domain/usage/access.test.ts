import { describe, expect, test } from 'vitest';
import type { FeatureType } from '../../../src/domain/rows/enums.ts';
import { type AccessDetails, canUse, featureAccess } from '../../../src/domain/usage/access.ts';
import { creditRates, unitRates } from '../../support/rates.ts';
import { account, count, counter, poolTerms, terms } from './facts.ts';

const window = { start: new Date('2027-04-05T00:00:00Z'), end: new Date('2027-05-05T00:00:00Z') };
const period = { start: window.start, end: new Date('2028-04-05T00:00:00Z') };

type Changes = {
  readonly terms?: Parameters<typeof terms>[0];
  readonly account?: Parameters<typeof account>[0];
  readonly total?: bigint;
  readonly consumed?: bigint;
  readonly held?: ReturnType<typeof count>;
};

/** Creates the facts for a feature in an active subscription, with the given changes. */
const details = (type: FeatureType, changes: Changes = {}): AccessDetails => ({
  feature: {
    id: 'ftr_1',
    seq: 1n,
    code: 'calls',
    name: 'Calls',
    type,
    unitName: 'call',
    deletedAt: null,
    meters: [],
  },
  terms: terms(changes.terms),
  base: null,
  subscription: { status: 'active' },
  window,
  period,
  meter: {
    account: account(changes.account),
    counter: counter({ total: changes.total ?? 0n, consumed: changes.consumed ?? 0n }),
  },
  count: changes.held ?? count(0n),
});

const hard = { includedAmount: 10n, allowsOverage: false, overageEnabled: false, rates: null };
const soft = { includedAmount: 10n, allowsOverage: true, overageEnabled: true, rates: unitRates(85n) };
const credits = { pool: poolTerms('credits'), rates: creditRates(7n) } as const;
const balance = { pool: poolTerms('balance', true), rates: unitRates(50n) } as const;
const blocking = { pool: poolTerms('balance') };
const ai = {
  pool: poolTerms('balance', true),
  derived: [{ from: 'cost' }],
  cost: { from: 'ai_models' },
} as const;

const no = (reason: string) => ({ allowed: false, willBeCharged: false, reason });
const free = { allowed: true, willBeCharged: false, reason: null };
const charged = { allowed: true, willBeCharged: true, reason: null };

type Case = readonly [name: string, type: FeatureType, changes: Changes, allowed: boolean, use: object];

describe('feature access (CON-53) and the check of one additional unit (CON-55)', () => {
  const cases: Case[] = [
    ['an enabled switch', 'boolean', {}, true, free],
    ['a disabled switch', 'boolean', { terms: { enabled: false } }, false, no('feature_disabled')],
    ['metered, one below the limit', 'usage', { terms: hard, total: 9n }, true, free],
    ['metered, at the limit', 'usage', { terms: hard, total: 10n }, false, no('included_limit_reached')],
    ['metered, at the limit with overage', 'usage', { terms: soft, total: 10n }, true, charged],
    ['metered, the last included unit with overage', 'usage', { terms: soft, total: 9n }, true, free],
    [
      'metered, overage without a price',
      'usage',
      { terms: { ...soft, rates: unitRates(0n) }, total: 10n },
      true,
      free,
    ],
    [
      'metered, overage disabled by a trial',
      'usage',
      { terms: { ...soft, allowsOverage: false }, total: 10n },
      false,
      no('included_limit_reached'),
    ],
    [
      'metered without a limit',
      'usage',
      { terms: { ...hard, unlimited: true }, total: 10n ** 15n },
      true,
      free,
    ],
    ['metered and disabled', 'usage', { terms: { ...hard, enabled: false } }, false, no('feature_disabled')],
    [
      'credits for exactly one unit',
      'usage',
      { terms: credits, account: { planCredits: 3n, purchasedCredits: 4n } },
      true,
      charged,
    ],
    [
      'credits for one unit less',
      'usage',
      { terms: credits, account: { planCredits: 6n } },
      false,
      no('insufficient_credits'),
    ],
    ['credits, units without a cost', 'usage', { terms: { ...credits, rates: creditRates(0n) } }, true, free],
    [
      'a blocking balance for exactly one unit',
      'usage',
      { terms: { ...balance, ...blocking }, account: { balanceRate: 50n } },
      true,
      charged,
    ],
    [
      'a blocking balance below one unit',
      'usage',
      { terms: { ...balance, ...blocking }, account: { balanceRate: 49n } },
      false,
      no('insufficient_balance'),
    ],
    [
      'a negative balance that does not block',
      'usage',
      { terms: balance, account: { balanceRate: -1n } },
      true,
      charged,
    ],
    [
      'a balance without a price in the currency',
      'usage',
      { terms: { ...balance, rates: null }, account: { balanceRate: 9n } },
      false,
      no('insufficient_balance'),
    ],
    [
      'AI on the last ten-thousandth',
      'usage',
      { terms: { ...ai, ...blocking }, account: { balanceRate: 1n } },
      true,
      charged,
    ],
    ['AI on an empty balance', 'usage', { terms: { ...ai, ...blocking } }, false, no('insufficient_balance')],
    ['AI on an empty balance that does not block', 'usage', { terms: ai }, true, charged],
    ['seats below the limit', 'seats', { terms: hard, held: count(9n) }, true, free],
    ['seats at the limit', 'seats', { terms: hard, held: count(10n) }, false, no('included_limit_reached')],
    ['seats at the limit with overage', 'seats', { terms: soft, held: count(10n) }, true, charged],
    [
      'quota above a reduced limit',
      'quota',
      { terms: hard, held: count(12n) },
      false,
      no('included_limit_reached'),
    ],
    ['quota without a limit', 'quota', { terms: { ...hard, unlimited: true }, held: count(12n) }, true, free],
    ['quota at the limit with overage', 'quota', { terms: soft, held: count(10n) }, true, charged],
    ['disabled quota', 'quota', { terms: { ...hard, enabled: false } }, false, no('feature_disabled')],
  ];
  test.each(cases)('allows or rejects %s', (_name, type, changes, allowed, use) => {
    expect(featureAccess(details(type, changes)).allowed).toBe(allowed);
    expect(canUse(details(type, changes))).toEqual(use);
  });

  test('the removal of a seat can be canceled at the limit (CON-43)', () => {
    const leaving = details('seats', { terms: hard, held: count(10n, { pendingRemovals: 1n }) });
    expect(canUse(leaving)).toEqual(free);
    expect(featureAccess(leaving).allowed).toBe(false);
  });
});

describe('the consumption of a feature', () => {
  test('shows the remaining units and the overage price of metered units', () => {
    expect(featureAccess(details('usage', { terms: soft, total: 13n }))).toEqual({
      code: 'calls',
      name: 'Calls',
      unitName: 'call',
      allowed: true,
      type: 'usage',
      consumption: {
        model: 'metered',
        period: window,
        unitsUsed: 13n,
        includedUnits: 10n,
        remainingUnits: 0n,
        unlimited: false,
        overage: { enabled: true, units: 3n, unitPrice: { amount: 85n, currency: 'usd', scale: 10_000 } },
      },
    });
  });

  test('shows neither remaining units nor overage for metered units without a limit', () => {
    const access = featureAccess(details('usage', { terms: { ...hard, unlimited: true }, total: 13n }));
    const overage = { enabled: false, units: 0n };
    expect(access).toMatchObject({ consumption: { unitsUsed: 13n, unlimited: true, overage } });
    expect(access.type === 'usage' && 'remainingUnits' in access.consumption).toBe(false);
  });

  test('shows only whole units for credits', () => {
    const access = featureAccess(
      details('usage', { terms: credits, account: { planCredits: 20n }, total: 5n, consumed: 35n }),
    );
    const consumption = {
      model: 'credits',
      period: window,
      unitsUsed: 5n,
      creditsPerUnit: 7n,
      creditsConsumed: 35n,
      availableUnits: 2n,
    };
    expect(access).toMatchObject({ consumption });
  });

  test('shows the spent amount in minor units and a non-negative number of remaining units for a balance', () => {
    // 1,050 ten-thousandths of a dollar are 10.5 cents.
    const access = featureAccess(
      details('usage', { terms: balance, account: { balanceRate: -50n }, total: 21n, consumed: 1_050n }),
    );
    const unitPrice = { amount: 50n, currency: 'usd', scale: 10_000 };
    expect(access).toMatchObject({
      consumption: {
        model: 'balance',
        unitsUsed: 21n,
        spent: { amount: 11n, currency: 'usd' },
        availableUnits: 0n,
        unitPrice,
      },
    });
  });

  test('shows neither a price nor units for AI models', () => {
    const access = featureAccess(
      details('usage', { terms: ai, account: { balanceRate: 500n }, consumed: 635n }),
    );
    expect(access).toMatchObject({ consumption: { spent: { amount: 6n } } });
    expect(access.type === 'usage' && Object.keys(access.consumption)).toEqual([
      'model',
      'period',
      'unitsUsed',
      'spent',
    ]);
  });

  test('shows the highest quota count of the period as billed units (CON-50, CON-E6)', () => {
    const held = count(16n, { openingCount: 12n, steps: [{ on: '2027-04-11', mark: '21' }] });
    expect(featureAccess(details('quota', { terms: { ...soft, includedAmount: 12n }, held }))).toMatchObject({
      usage: {
        period,
        unitsUsed: 16n,
        includedUnits: 12n,
        remainingUnits: 0n,
        overage: { units: 4n },
        billedUnits: 21n,
      },
    });
  });
});
