import { describe, expect, test } from 'vitest';
import type { SeatFacts } from '../../src/domain/invoice/line.ts';
import { linesFor } from '../../src/domain/invoice/lines.ts';
import { invoiceNumberText } from '../../src/domain/invoice/number.ts';
import { totalsOf } from '../../src/domain/invoice/totals.ts';
import { taxOn, taxRateFor } from '../../src/domain/tax.ts';
import type { InvoiceLineType } from '../../src/domain/words.ts';

test.each([
  [1n, 'INV-0001'],
  [9_999n, 'INV-9999'],
  [10_000n, 'INV-10000'],
])('number %s reads %s (BIL-27)', (number, text) => {
  expect(invoiceNumberText(number)).toBe(text);
});

describe('totals (BIL-15)', () => {
  const line = (lineType: InvoiceLineType, amount: bigint) => ({ lineType, amount });

  test('BIL-E1: discount and credit before tax, tax rounded once', () => {
    const lines = [
      line('plan_base', 7_300n),
      line('discount', -1_825n),
      line('feature_overage', 391n),
      line('feature_seats', 570n),
      line('feature_seats', 3_800n),
      line('addon_base', 1_450n),
      line('credit', -2_000n),
    ];
    expect(totalsOf(lines, { rateBps: 825 })).toEqual({
      subtotal: 13_511n,
      discountAmount: 1_825n,
      creditApplied: 2_000n,
      taxAmount: 799n,
      total: 10_485n,
    });
  });

  test('credits reach no further than what is left to pay', () => {
    expect(totalsOf([line('plan_base', 500n), line('promo_code_discount', -200n), line('credit', -900n)], { rateBps: 1_000 })).toEqual({
      subtotal: 500n,
      discountAmount: 200n,
      creditApplied: 300n,
      taxAmount: 0n,
      total: 0n,
    });
  });
});

describe('lines (BIL-13)', () => {
  const seats = (code: string, count: bigint, terms: Partial<SeatFacts['terms']>): SeatFacts => ({
    feature: { id: code, seq: 1n, code, name: code, type: 'seats', unitName: null, deletedAt: null },
    terms: {
      enabled: true,
      includedAmount: 0n,
      unlimited: false,
      overageEnabled: true,
      unitPriceRate: 10_000n,
      creditsPerUnit: null,
      pricingMode: 'fixed',
      marginBps: null,
      ...terms,
    },
    count,
  });
  const base = { planName: 'Cove', billingInterval: 'yearly', amountMinor: 41_000n } as const;

  test('the base comes first and stays at 0; other lines of 0 are left out', () => {
    const facts = {
      currency: 'usd',
      base: { ...base, amountMinor: 0n },
      discount: null,
      seats: [seats('a', 2n, {}), seats('b', 2n, { includedAmount: 2n }), seats('c', 1n, { unitPriceRate: 4n })],
      credits: [],
    };
    expect(linesFor(facts).map(({ lineType, featureName, quantity, amount }) => [lineType, featureName, quantity, amount])).toEqual([
      ['plan_base', null, 1n, 0n],
      ['feature_seats', 'a', 2n, 200n],
    ]);
  });

  test('seats cost nothing when unlimited, switched off, without overage or without a price', () => {
    const free = [{ unlimited: true }, { enabled: false }, { overageEnabled: false }, { unitPriceRate: null }];
    expect(
      linesFor({ currency: 'usd', base: null, discount: null, seats: free.map((terms) => seats('a', 9n, terms)), credits: [] }),
    ).toEqual([]);
  });

  test('a currency without decimals keeps its unit price', () => {
    expect(linesFor({ currency: 'jpy', base, discount: null, seats: [], credits: [] })).toMatchObject([
      { amount: 41_000n, unitAmountRate: 410_000_000n, description: 'Cove (yearly)' },
    ]);
  });
});

describe('tax (BIL-20, BIL-21)', () => {
  const registrations = [
    { country: 'US', region: null, rateBps: 500 },
    { country: 'US', region: 'CA', rateBps: 825 },
    { country: 'DE', region: null, rateBps: null },
  ];
  test.each([
    ['no registration for the country', 'FR', null, 0],
    ['no country', null, null, 0],
    ['a registration of the country', 'US', 'NY', 500],
    ['one of the region before it', 'US', 'CA', 825],
    ['one without a rate of its own', 'DE', null, 0],
  ])('%s', (_title, country, region, rateBps) => {
    expect(taxRateFor({ country, region, taxDocument: null, registrations })).toEqual({ rateBps });
  });

  test('is rounded half up', () => {
    expect(taxOn(9_686n, { rateBps: 825 })).toBe(799n);
    expect(taxOn(50n, { rateBps: 100 })).toBe(1n);
    expect(taxOn(49n, { rateBps: 100 })).toBe(0n);
  });
});
