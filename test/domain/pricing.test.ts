import { describe, expect, test } from 'vitest';
import { rateToMinor } from '../../src/domain/money/money.ts';
import {
  catalogOf,
  noCatalogRows,
  type PlanFeatureVersionRow,
  type PlanPriceRow,
  type PlanPriceVersionRow,
  type PriceOverrideRow,
} from '../../src/domain/pricing/catalog.ts';
import { priceAt, selectPriceRow } from '../../src/domain/pricing/resolve.ts';
import { excessOf, heldFeatures, heldTerms } from '../../src/domain/pricing/terms.ts';
import { unitPriceOf } from '../../src/domain/usage/terms.ts';
import { unitRate, unitRates } from '../support/rates.ts';

const at = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00Z` : text);

const price = (id: string, changes: Partial<PlanPriceRow> = {}): PlanPriceRow => ({
  id,
  seq: BigInt(id.length),
  planId: 'harbor',
  billingInterval: 'monthly',
  isDefault: false,
  inheritsFromPriceId: null,
  introductoryOfferId: null,
  archivedAt: null,
  ...changes,
});

const amounts = (
  priceId: string,
  priceMinor: bigint,
  validFrom = '0001-01-01',
  seq = 1n,
): PlanPriceVersionRow => ({
  id: `${priceId}-${seq}`,
  seq,
  priceId,
  validFrom: at(validFrom),
  priceMinor,
  trialDays: 0,
  includedBalanceRate: null,
  includedCredits: null,
  includedUnits: {},
  minimumMinor: null,
});

const override = (
  priceId: string,
  currency: string,
  amountMinor: bigint,
  changes: Partial<PriceOverrideRow> = {},
): PriceOverrideRow => ({
  id: `${priceId}-${currency}-${changes.marketId ?? 'regional'}-${amountMinor}`,
  seq: 1n,
  priceId,
  marketId: null,
  currency,
  amountMinor,
  includedBalanceRate: null,
  validFrom: at('0001-01-01'),
  validTo: null,
  ...changes,
});

const catalog = catalogOf({
  ...noCatalogRows,
  prices: [
    price('m', { isDefault: true }),
    price('early', { inheritsFromPriceId: 'm' }),
    price('y', { billingInterval: 'yearly' }),
    price('old', { billingInterval: 'quarterly', archivedAt: at('2027-05-04') }),
    price('gone', { planId: 'empty', archivedAt: at('2027-01-01') }),
  ],
  priceVersions: [
    amounts('m', 6_150n),
    amounts('early', 1n),
    amounts('y', 61_500n),
    amounts('old', 2_500n, '2027-05-10', 2n),
    amounts('old', 2_200n),
  ],
  priceOverrides: [
    override('m', 'eur', 5_800n, { marketId: 'nordics', validTo: at('2027-07-01') }),
    override('early', 'eur', 4_900n, { marketId: 'nordics', validTo: at('2027-07-01') }),
    override('m', 'brl', 33_395n),
  ],
  marketCountries: ['DK', 'SE', 'FI'].map((countryCode) => ({ countryCode, marketId: 'nordics' })),
  currencyOfCountry: new Map([
    ['BR', 'brl'],
    ['FI', 'eur'],
    ['DE', 'eur'],
  ]),
});

describe('the price selection (CAT-17, CAT-32)', () => {
  test.each([
    ['no selection: the default price', {}, 'm'],
    ['an interval: its base price', { billingInterval: 'yearly' as const }, 'y'],
    ['a price id', { priceId: 'early' }, 'early'],
    ['a price id with its interval', { priceId: 'y', billingInterval: 'yearly' as const }, 'y'],
  ])('returns the price for %s', (_title, choice, expected) => {
    expect(selectPriceRow(catalog, 'harbor', choice)).toMatchObject({ id: expected });
  });

  test.each([
    [
      'a price of another interval',
      'harbor',
      { priceId: 'y', billingInterval: 'monthly' as const },
      'price_not_found',
    ],
    ['an unsold interval', 'harbor', { billingInterval: 'weekly' as const }, 'price_not_found'],
    ['an archived price (CAT-E6)', 'harbor', { priceId: 'old' }, 'price_not_found'],
    ['an unknown price', 'harbor', { priceId: 'nope' }, 'price_not_found'],
    ['a plan with an archived price only', 'empty', {}, 'no_prices_configured'],
    ['a plan without prices', 'unknown', {}, 'no_prices_configured'],
  ])('rejects %s', (_title, planId, choice, failure) => {
    expect(selectPriceRow(catalog, planId, choice)).toEqual({ failure });
  });
});

describe('the amount of a price', () => {
  const row = (id: string): PlanPriceRow => {
    const found = catalog.prices.get(id);
    if (found === undefined) throw new Error(id);
    return found;
  };
  test('is the current value for an archived price, and the previous value before the edit takes effect (CAT-E6)', () => {
    expect(priceAt(catalog, row('old'), at('2027-05-18'), { country: null })).toMatchObject({
      amountMinor: 2_500n,
      currency: 'usd',
    });
    expect(priceAt(catalog, row('old'), at('2027-05-09T23:59:59.999Z'), { country: null })).toMatchObject({
      amountMinor: 2_200n,
    });
    expect(priceAt(catalog, row('old'), at('2027-05-10'), { country: null })).toMatchObject({
      amountMinor: 2_500n,
    });
  });

  test('is the amount of the base price if a variant has no amount', () => {
    expect(priceAt(catalog, row('early'), at('2027-05-18'), { country: null })).toMatchObject({
      amountMinor: 6_150n,
    });
  });

  const instant = at('2027-05-18');
  test.each([
    ['FI, no price id', 'm', 'FI', { currency: 'eur', amountMinor: 5_800n, market: 'nordics' }],
    ['FI, variant', 'early', 'FI', { currency: 'eur', amountMinor: 4_900n, market: 'nordics' }],
    ['BR, variant', 'early', 'BR', { currency: 'brl', amountMinor: 33_395n, market: null }],
    ['NO', 'm', 'NO', { currency: 'usd', amountMinor: 6_150n, market: null }],
    [
      'DE, whose currency is only in a market',
      'm',
      'DE',
      { currency: 'usd', amountMinor: 6_150n, market: null },
    ],
    ['an unknown country', 'm', null, { currency: 'usd', amountMinor: 6_150n, market: null }],
  ])('depends on the country: %s (CAT-E2)', (_title, id, country, expected) => {
    expect(priceAt(catalog, row(id), instant, { country })).toMatchObject(expected);
  });

  test.each([
    [
      'in the market, with a market price',
      'm',
      { market: 'nordics', currency: 'eur' },
      '2027-06-30',
      { amountMinor: 5_800n },
    ],
    [
      'in the market, by a variant',
      'early',
      { market: 'nordics', currency: 'eur' },
      '2027-06-30',
      { amountMinor: 4_900n },
    ],
    [
      'after the market was removed',
      'm',
      { market: 'nordics', currency: 'eur' },
      '2027-07-01',
      { failure: 'missing_regional_price' },
    ],
    [
      'in euro without a market',
      'm',
      { market: null, currency: 'eur' },
      '2027-05-18',
      { failure: 'missing_regional_price' },
    ],
    [
      'in US dollars',
      'm',
      { market: null, currency: 'usd' },
      '2027-05-18',
      { currency: 'usd', amountMinor: 6_150n },
    ],
    [
      'in US dollars, in a market sold in euro',
      'm',
      { market: 'nordics', currency: 'usd' },
      '2027-05-18',
      { currency: 'usd', amountMinor: 6_150n },
    ],
    [
      'in reais, in a market sold in euro',
      'early',
      { market: 'nordics', currency: 'brl' },
      '2027-05-18',
      { currency: 'brl', amountMinor: 33_395n },
    ],
  ])(
    'depends on the market and currency of the subscription: %s (CAT-27, CAT-28, CAT-E2)',
    (_title, id, scope, date, expected) => {
      expect(priceAt(catalog, row(id), at(date), scope)).toMatchObject(expected);
    },
  );

  test('throws for a price without amounts', () => {
    expect(() => priceAt(catalog, price('stray'), instant, { country: null })).toThrow('no version');
  });
});

const terms = (
  validFrom: string,
  changes: Partial<PlanFeatureVersionRow>,
  seq = 1n,
): PlanFeatureVersionRow => ({
  id: `${validFrom}-${seq}`,
  seq,
  planId: 'harbor',
  featureId: 'exports',
  validFrom: at(validFrom),
  attached: true,
  enabled: true,
  includedAmount: 0n,
  unlimited: false,
  overageEnabled: true,
  rate: null,
  overrides: [],
  costRate: null,
  settle: null,
  ...changes,
});

describe('a subscription with protected terms (CAT-48, CAT-49)', () => {
  test('is billed at the lowest unit price of the period, and at the current price in the next period (CAT-E3)', () => {
    const versions = [
      terms('2027-01-01', { rate: unitRate(220n) }),
      terms('2027-06-09', { rate: unitRate(140n) }),
      terms('2027-06-20', { rate: unitRate(260n) }),
    ];
    const cost = (from: string, to: string): bigint =>
      rateToMinor(
        1_900n * (unitPriceOf(heldTerms(versions, at(from), at(to)) ?? { rates: null }) ?? 0n),
        'usd',
      );
    expect(cost('2027-06-01', '2027-07-01')).toBe(2_660n);
    expect(cost('2027-07-01', '2027-08-01')).toBe(4_940n);
    expect(cost('2027-05-01', '2027-06-01')).toBe(4_180n);
  });

  test('applies increased included units immediately, and reduced units at the renewal (CAT-E4)', () => {
    const versions = [
      terms('2027-01-01', { includedAmount: 3_500n }),
      terms('2027-06-06', { includedAmount: 5_000n }),
      terms('2027-06-21', { includedAmount: 2_000n }),
    ];
    const included = (from: string, to: string): bigint | undefined =>
      heldTerms(versions, at(from), at(to))?.includedAmount;
    expect(included('2027-06-01', '2027-06-05')).toBe(3_500n);
    expect(included('2027-06-01', '2027-06-30')).toBe(5_000n);
    expect(included('2027-07-01', '2027-07-01')).toBe(2_000n);
    expect(included('2027-06-22', '2027-06-22')).toBe(2_000n);
  });

  test('applies only edits that favor the customer, and never edits of overage', () => {
    const better = {
      enabled: true,
      unlimited: true,
      includedAmount: 9n,
      overageEnabled: true,
      rate: unitRate(5n),
      derived: null,
      cost: null,
      settle: null,
    };
    const worse = {
      enabled: false,
      unlimited: false,
      includedAmount: 3n,
      overageEnabled: false,
      rate: unitRate(8n),
    };
    const held = (first: object, second: object) =>
      heldTerms(
        [terms('2027-01-01', first), terms('2027-01-10', second)],
        at('2027-01-05'),
        at('2027-01-31'),
      );
    const { rate: _rate, ...others } = better;
    const expected = { ...others, rates: unitRates(5n) };
    expect(held(worse, better)).toEqual({ ...expected, overageEnabled: false });
    expect(held(better, worse)).toEqual(expected);
  });

  test('keeps all versions of a derived rate, and the source of the price until the next period (PRM-113)', () => {
    const derived = (marginBps: number) => ({ from: 'cost', marginBps }) as const;
    const models = { from: 'ai_models' } as const;
    const held = (...versions: readonly Partial<PlanFeatureVersionRow>[]) =>
      heldTerms(
        versions.map((version, index) => terms(`2027-01-0${index + 1}`, version)),
        at('2027-01-01'),
        at('2027-01-31'),
      );
    const byModel = { rate: derived(2_000), costRate: models };
    expect(held(byModel, { rate: derived(1_000), costRate: models })).toMatchObject({
      derived: [derived(2_000), derived(1_000)],
      rates: null,
      cost: models,
    });
    expect(held(byModel, { rate: unitRate(5n) })).toMatchObject({
      derived: [derived(2_000)],
      rates: null,
      cost: models,
    });
    expect(held(byModel, { rate: derived(0), costRate: unitRate(5n) })).toMatchObject({ cost: models });
    expect(held({ rate: unitRate(5n) }, byModel)).toMatchObject({ derived: null, rates: unitRates(5n) });
    const perUnit = { rate: derived(2_000), costRate: unitRate(5n) };
    expect(held(perUnit, { ...perUnit, costRate: unitRate(8n) })).toMatchObject({ cost: unitRate(8n) });
  });

  test('ignores a less favorable edit at the start of the period only if the edit was saved after the subscription (CAT-48, CAT-49)', () => {
    const on = at('2027-06-01');
    const version = (seq: bigint, changes: Partial<PlanFeatureVersionRow>) => ({
      ...terms('2027-06-01', changes),
      seq,
    });
    const before = { ...terms('2027-01-01', { includedAmount: 4n, rate: unitRate(50n) }), seq: 1n };
    const lowered = version(9n, { includedAmount: 2n, rate: unitRate(90n) });
    const raised = version(9n, { includedAmount: 8n, rate: unitRate(20n) });
    expect(heldTerms([before, lowered], on, on, 5n)).toMatchObject({
      includedAmount: 4n,
      rates: unitRates(50n),
    });
    expect(heldTerms([before, raised], on, on, 5n)).toMatchObject({
      includedAmount: 8n,
      rates: unitRates(20n),
    });
    expect(heldTerms([before, lowered], on, on, 12n)).toMatchObject({
      includedAmount: 2n,
      rates: unitRates(90n),
    });
    expect(heldTerms([before, lowered], on, on)).toMatchObject({ includedAmount: 2n, rates: unitRates(90n) });
  });

  test('includes an added feature immediately, and a removed feature until the period end', () => {
    const attached = [terms('2027-06-10', { includedAmount: 4n })];
    expect(heldTerms(attached, at('2027-06-01'), at('2027-06-09'))).toBeNull();
    expect(heldTerms(attached, at('2027-06-01'), at('2027-06-10'))).toMatchObject({ includedAmount: 4n });
    const detached = [terms('2027-01-01', {}), terms('2027-06-10', { attached: false })];
    expect(heldTerms(detached, at('2027-06-01'), at('2027-06-30'))).not.toBeNull();
    expect(heldTerms(detached, at('2027-07-01'), at('2027-07-01'))).toBeNull();
  });

  test('applies simultaneous edits in the order of their sequence numbers', () => {
    const sorted = catalogOf({
      ...noCatalogRows,
      features: [
        {
          id: 'exports',
          seq: 1n,
          code: 'exports',
          name: 'Exports',
          type: 'usage',
          unitName: null,
          deletedAt: null,
          meters: [],
        },
      ],
      planFeatureVersions: [
        terms('2027-06-01', { includedAmount: 7n }, 3n),
        terms('2027-06-01', { includedAmount: 9n }, 2n),
      ],
    });
    expect(heldFeatures(sorted, 'harbor', at('2027-06-01'), at('2027-06-01'))).toMatchObject([
      { feature: { code: 'exports' }, terms: { includedAmount: 7n } },
    ]);
  });

  test('bills the units above the included amount, or nothing if the feature is unlimited', () => {
    const heldWith = (changes: Partial<PlanFeatureVersionRow>) =>
      heldTerms([terms('2027-01-01', changes)], at('2027-01-01'), at('2027-01-01'));
    const limited = heldWith({ includedAmount: 6n });
    const unlimited = heldWith({ includedAmount: 6n, unlimited: true });
    if (limited === null || unlimited === null) throw new Error('held');
    expect([
      excessOf(limited, 9n),
      excessOf(limited, 6n),
      excessOf(limited, 0n),
      excessOf(unlimited, 9n),
    ]).toEqual([3n, 0n, 0n, 0n]);
  });
});
