import { describe, expect, test } from 'vitest';
import {
  convertedMinor,
  convertedRate,
  exchangeRateE8,
} from '../../../src/dashboard/parts/catalog/model/exchange.ts';
import { featureFields } from '../../../src/dashboard/parts/catalog/model/feature-fields.ts';
import {
  type CountryCurrency,
  priceInCountry,
  takenCountries,
} from '../../../src/dashboard/parts/catalog/model/place.ts';
import type { PriceDraft } from '../../../src/dashboard/parts/catalog/model/plan-draft.ts';
import { defaultTerms, problemsOf } from '../../../src/domain/pricing/feature-cell.ts';
import { poolOf } from '../../../src/domain/pricing/pools.ts';
import { localMinor, localRate, parseExchangeRate } from '../../../src/domain/pricing/regional.ts';
import { unitRate } from '../../support/rates.ts';

describe('the currency conversion of plan prices', () => {
  test.each([
    [6_150, 5.43, 'brl', 33_395],
    [6_150, 931.7, 'clp', 57_300],
    [0, 5.43, 'brl', 0],
  ])('converts %i cents at the rate %d to %s %i', (cents, rate, currency, amount) => {
    expect(convertedMinor(cents, rate, currency)).toBe(amount);
  });

  test('returns the amounts that the service derives', () => {
    for (const rate of [5.43, 0.00000001, 931.7, 1e-7, 1e21, 0, -1, 1.123456789]) {
      expect(exchangeRateE8(rate)).toBe(parseExchangeRate(rate));
      const rateE8 = parseExchangeRate(rate);
      for (const cents of [0, 1, 99, 6_150, 123_456_789]) {
        const expected = rateE8 === null ? null : Number(localMinor(BigInt(cents), rateE8, 'jpy'));
        expect(convertedMinor(cents, rate, 'jpy')).toBe(expected);
        const unit = rateE8 === null ? null : Number(localRate(BigInt(cents), rateE8));
        expect(convertedRate(cents, rate)).toBe(unit);
      }
    }
  });
});

test('the feature form offers exactly the terms that the service accepts', () => {
  const provided = {
    includedAmount: 5,
    unlimited: true,
    'overage.unitPrice': 7,
    creditsPerUnit: 3,
    margin: 100,
  } as const;
  const names = {
    includedAmount: 'includedAmount',
    unlimited: 'unlimited',
    'overage.unitPrice': 'unitPrice',
    creditsPerUnit: 'creditsPerUnit',
    margin: 'margin',
  } as const;
  for (const type of ['boolean', 'usage', 'seats', 'quota'] as const)
    for (const consumptionModel of ['metered', 'credits', 'balance'] as const)
      for (const pricingMode of ['fixed', 'ai_model'] as const) {
        if (pricingMode === 'ai_model' && (type !== 'usage' || consumptionModel !== 'balance')) continue;
        const rejected = problemsOf(
          { type, consumptionModel, pool: poolOf({ type }, { consumptionModel }), isFree: false },
          {
            includedAmount: 5,
            unlimited: true,
            overage: { unitPrice: 7 },
            creditsPerUnit: 3,
            margin: 100,
          },
          { ...defaultTerms, rate: pricingMode === 'ai_model' ? { from: 'cost' } : unitRate(3n) },
        ).map(({ field }) => field);
        const offered = featureFields(
          { type, pricingMode, settle: null },
          { model: consumptionModel, isFree: false },
        );
        const taken = Object.keys(provided).filter((name) => !rejected.includes(name));
        expect(offered.filter((name) => name !== 'overage')).toEqual(
          taken.map((name) => names[name as keyof typeof names]),
        );
      }
});

const none = { typed: {}, derived: [], markets: {} } as const;
const harbor: PriceDraft = {
  id: 'pp_base',
  baseId: null,
  label: '',
  interval: 'monthly',
  price: 6_150,
  trialDays: 0,
  includedCredits: null,
  includedBalance: null,
  minimumSpend: null,
  isDefault: true,
  offerId: null,
  typed: { jpy: { price: 9_800, includedBalance: null } },
  derived: ['brl'],
  markets: { nordics: { currency: 'eur', price: 5_800 } },
};
const early: PriceDraft = {
  ...harbor,
  ...none,
  id: 'pp_early',
  baseId: 'pp_base',
  label: 'Early',
  markets: { nordics: { currency: 'eur', price: 4_900 } },
};
const plan = { prices: [harbor, early], rates: { brl: 5.43, clp: 900 } };
const markets = [{ id: 'nordics', name: 'Nordics', countryCodes: ['DK', 'SE', 'FI'] }];
const country = (code: string, currency: string | null): CountryCurrency => ({ code, currency });

describe('the price lookup for a visitor', () => {
  test.each([
    ['the price of the market', harbor, country('FI', 'eur'), 5_800, 'eur'],
    ['the amount of a variant for the market', early, country('FI', 'eur'), 4_900, 'eur'],
    ["the amount of a variant's base price", early, country('BR', 'brl'), 33_395, 'brl'],
    ['the typed amount', harbor, country('JP', 'jpy'), 9_800, 'jpy'],
    ['the amount in US dollars if the currency has no amount', harbor, country('DE', 'eur'), 6_150, 'usd'],
    ['the amount in US dollars if no amount was derived', harbor, country('CL', 'clp'), 6_150, 'usd'],
    ["the amount in US dollars if the currency isn't supported", harbor, country('NO', null), 6_150, 'usd'],
  ])('returns %s', (_name, price, place, amount, currency) => {
    expect(priceInCountry(plan, price, place, markets)).toMatchObject({ amount, currency });
  });

  test('returns the lookup steps in order', () => {
    expect(priceInCountry(plan, harbor, country('BR', 'brl'), markets).steps).toEqual([
      { kind: 'no_market' },
      { kind: 'currency', currency: 'brl', has: 'derived' },
    ]);
    const other = { ...harbor, markets: {} };
    expect(priceInCountry({ ...plan, prices: [other] }, other, country('SE', null), markets).steps).toEqual([
      { kind: 'market', market: 'Nordics', hasPrice: false, fromBase: false },
      { kind: 'no_currency' },
      { kind: 'usd' },
    ]);
  });
});

test('takenCountries returns the countries of other markets', () => {
  expect([...takenCountries(markets, null)]).toEqual([
    ['DK', 'Nordics'],
    ['SE', 'Nordics'],
    ['FI', 'Nordics'],
  ]);
  expect([...takenCountries(markets, 'nordics')]).toEqual([]);
});
