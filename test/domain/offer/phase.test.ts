import { describe, expect, test } from 'vitest';
import {
  applicability,
  canBePromoted,
  canBeTiedToCards,
  canIntroduce,
  type OfferRow,
} from '../../../src/domain/offers/offer.ts';
import { type OfferPhase, phaseProblems } from '../../../src/domain/offers/phase.ts';

const trial: OfferPhase = { type: 'free_trial', durationDays: 5 };
const percentPhase = (durationCycles: number | null = 2): OfferPhase => ({
  type: 'percentage',
  percentage: 4_000,
  durationCycles,
  durationInterval: null,
});
const amountOff = (currencies: readonly string[], durationCycles: number | null = 1): OfferPhase => ({
  type: 'amount_off',
  amounts: currencies.map((currency) => ({ currency, amount: 500 })),
  durationCycles,
  durationInterval: null,
});
const fixed = (
  currencies: readonly string[],
  durationCycles: number | null = 1,
  durationInterval: 'weekly' | null = null,
): OfferPhase => ({
  type: 'fixed_price',
  prices: currencies.map((currency) => ({ currency, amount: 0 })),
  durationCycles,
  durationInterval,
});

describe('the validation of offer phases (OFR-3, OFR-4)', () => {
  test.each<[string, OfferPhase[], string[]]>([
    ['a trial alone', [trial], []],
    ['discounts alone', [percentPhase(), amountOff(['usd']), fixed(['usd'])], []],
    ['a trial, a percentage and an unlimited phase', [trial, percentPhase(2), percentPhase(null)], []],
    ['a fixed price with a separate interval', [fixed(['usd'], 3, 'weekly')], []],
    ['a trial that is not first', [percentPhase(), trial], ['phases.1.type']],
    ['two trials', [trial, trial], ['phases.1.type']],
    [
      'an unlimited phase that is not last',
      [percentPhase(null), percentPhase()],
      ['phases.0.durationCycles'],
    ],
    [
      'an interval on a percentage',
      [{ ...percentPhase(), durationInterval: 'weekly' } as OfferPhase],
      ['phases.0.durationInterval'],
    ],
    ['a currency twice', [amountOff(['usd', 'eur', 'usd'])], ['phases.0.amounts.2.currency']],
    ['one currency in two phases', [amountOff(['usd']), fixed(['usd'])], []],
    ['an unsupported currency', [fixed(['usd', 'xau'])], ['phases.0.prices.1.currency']],
    [
      'all problems together',
      [percentPhase(null), trial, { ...amountOff(['xxx'], null), durationInterval: 'yearly' } as OfferPhase],
      [
        'phases.0.durationCycles',
        'phases.1.type',
        'phases.2.durationInterval',
        'phases.2.amounts.0.currency',
      ],
    ],
  ])('reports all problems in %s', (_name, phases, fields) => {
    expect(phaseProblems(phases).map(({ field }) => field)).toEqual(fields);
  });
});

describe('the applicability check of an offer (OFR-6)', () => {
  const now = new Date('2027-03-01T12:00:00.000Z');
  const offer = (changes: Partial<OfferRow>): OfferRow => ({
    id: 'ofr_1',
    seq: 1n,
    name: 'Spring',
    phases: [trial, amountOff(['usd', 'eur']), percentPhase()],
    startsAt: null,
    endsAt: null,
    active: true,
    deletedAt: null,
    ...changes,
  });

  test.each<[string, Partial<OfferRow>, string, string]>([
    ['without bounds', {}, 'usd', 'applicable'],
    ['in another of its currencies', {}, 'eur', 'applicable'],
    ['in a currency missing in one phase', {}, 'brl', 'currency_not_configured'],
    ['in any currency without amounts', { phases: [trial, percentPhase()] }, 'brl', 'applicable'],
    ['deleted', { deletedAt: now, active: false }, 'usd', 'deleted'],
    ['disabled', { active: false }, 'usd', 'inactive'],
    ['at the start of its window', { startsAt: now }, 'usd', 'applicable'],
    ['a millisecond before its window', { startsAt: new Date(now.getTime() + 1) }, 'usd', 'outside_window'],
    ['at the end of its window', { endsAt: now }, 'usd', 'outside_window'],
    ['a millisecond before the end', { endsAt: new Date(now.getTime() + 1) }, 'usd', 'applicable'],
  ])(
    "returns whether the offer is applicable or why it's rejected, for an offer %s",
    (_name, changes, currency, expected) => {
      expect(applicability(offer(changes), currency, now)).toBe(expected);
    },
  );
});

describe("an offer's list of phases (OFR-28, OFR-33, OFR-38)", () => {
  test.each<[string, OfferPhase[], introduced: boolean, promoted: boolean, tied: boolean]>([
    ['a trial', [trial], true, false, false],
    ['a percentage for some cycles', [percentPhase()], true, true, true],
    ['an amount for some cycles', [amountOff(['usd'])], true, true, true],
    ['a trial and a percentage', [trial, percentPhase()], true, false, false],
    ['an unlimited percentage', [percentPhase(null)], false, true, true],
    ['a fixed price', [fixed(['usd'])], false, false, true],
    ['two discounts', [percentPhase(), amountOff(['usd'])], false, false, true],
    ['a trial and two discounts', [trial, percentPhase(), percentPhase()], false, false, false],
  ])('determines where %s can be used', (_name, phases, introduced, promoted, tied) => {
    expect([canIntroduce(phases), canBePromoted(phases), canBeTiedToCards(phases)]).toEqual([
      introduced,
      promoted,
      tied,
    ]);
  });
});
