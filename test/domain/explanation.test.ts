import { describe, expect, test } from 'vitest';
import { issueWithLines } from '../../src/domain/invoicing/draft.ts';
import { linesFor } from '../../src/domain/invoicing/lines.ts';
import { totalsOf } from '../../src/domain/invoicing/totals.ts';
import {
  type Explanation,
  explain,
  type FormulaName,
  formulas,
  recompute,
} from '../../src/domain/rows/explanation.ts';
import { untaxed } from '../../src/domain/tax/tax.ts';
import { evaluate } from '../support/recompute.ts';

/** Explanations with their formulas and amounts. */
const cases: readonly (readonly [Explanation, bigint])[] = [
  [explain('BIL-13', 'price', { price: 4_900n }), 4_900n],
  [explain('BIL-23', 'price', { price: -900n }), -900n],
  // 14.50 × 11 ÷ 30 = 5.31666…
  [explain('SUB-71', 'price_share', { price: 1_450n, days: 11n, total_days: 30n }), 532n],
  // 19.00 × 5.43 = 103.17 BRL; 19.00 × 931.7 = 17,702.3 CLP.
  [
    explain('SUB-72', 'exchanged_price', {
      price: 1_900n,
      exchange_rate: 543_000_000n,
      minor_per_unit: 100n,
    }),
    10_317n,
  ],
  [
    explain('SUB-72', 'exchanged_price', {
      price: 1_900n,
      exchange_rate: 93_170_000_000n,
      minor_per_unit: 1n,
    }),
    17_702n,
  ],
  // 19.00 × 931.7 × 15 ÷ 31 = 8,565.62…
  [
    explain('SUB-71', 'exchanged_price_share', {
      price: 1_900n,
      exchange_rate: 93_170_000_000n,
      minor_per_unit: 1n,
      days: 15n,
      total_days: 31n,
    }),
    8_566n,
  ],
  // 412 × 0.0095 = 3.914.
  [explain('CON-16', 'units', { units: 412n, rate: 95n, minor_per_unit: 100n }), 391n],
  // 62.00 × 10 ÷ 31 = 20.00, of which 13.00 is charged. If more is charged, there's no difference.
  [
    explain('PRM-33', 'minimum_spend', { minimum: 6_200n, days: 10n, total_days: 31n, charged: 1_300n }),
    700n,
  ],
  [explain('PRM-33', 'minimum_spend', { minimum: 6_200n, days: 31n, total_days: 31n, charged: 9_900n }), 0n],
  // 1 × 19.00 × 9 ÷ 30 = 5.70.
  [
    explain('CON-38', 'units_for_days', {
      units: 1n,
      rate: 190_000n,
      minor_per_unit: 100n,
      days: 9n,
      total_days: 30n,
    }),
    570n,
  ],
  // The first tier costs 20.00 exactly, and both tiers cost 20.015, which is rounded to 20.02.
  [
    explain('CON-16', 'tier', { before: 200_000n, after: 200_150n, scale: 10_000n, minor_per_unit: 100n }),
    2n,
  ],
  // (96.00 − 48.00) × 18 ÷ 30 = 28.80 (PRM-E3).
  [
    explain('PRM-3', 'rise_for_days', {
      rise: 4_800n,
      scale: 100n,
      minor_per_unit: 100n,
      days: 18n,
      total_days: 30n,
    }),
    2_880n,
  ],
  // 3.745 is rounded to 3.75. Of the total of 5.00, 4.99 is already billed, and 0.01 remains.
  [
    explain('CON-27', 'deficit', {
      deficit: 37_450n,
      total_deficit: 50_000n,
      minor_per_unit: 100n,
      billed: 0n,
    }),
    375n,
  ],
  [
    explain('CON-27', 'deficit', {
      deficit: 37_450n,
      total_deficit: 50_000n,
      minor_per_unit: 100n,
      billed: 499n,
    }),
    1n,
  ],
  [explain('CON-27', 'deficit_rest', { total_deficit: 50_000n, minor_per_unit: 100n, billed: 375n }), 125n],
  [explain('PRM-128', 'difference', { price: 1_561n, billed: 1_136n }), 425n],
  // 52.00 × 11 ÷ 30 = 19.0666… (SUB-E5).
  [explain('SUB-39', 'unused_share', { base: 5_200n, days: 11n, total_days: 30n }), -1_907n],
  // 73.00 × 25% = 18.25; 0.30 × 15% = 0.045.
  [explain('BIL-16', 'percentage_off', { base: 7_300n, basis_points: 2_500n }), -1_825n],
  [explain('BIL-16', 'percentage_off', { base: 30n, basis_points: 1_500n }), -5n],
  [explain('BIL-16', 'amount_off', { base: 7_300n, amount: 1_000n }), -1_000n],
  [explain('BIL-16', 'amount_off', { base: 700n, amount: 1_000n }), -700n],
  [explain('BIL-14', 'fixed_price', { base: 7_300n, fixed_price: 4_900n }), -2_400n],
  [explain('BIL-18', 'credit', { remaining: 900n, open: 2_740n }), -900n],
  [explain('BIL-18', 'credit', { remaining: 2_600n, open: 1_840n }), -1_840n],
];

test.each(cases)(
  'the explanation %j evaluates to %d, both by its formula and by its expression',
  (explanation, amount) => {
    expect(recompute(explanation)).toBe(amount);
    expect(evaluate(formulas[explanation.formula].expression, explanation.inputs)).toEqual([amount, 1n]);
  },
);

test('the tested explanations cover all formulas', () => {
  const tried = new Set<FormulaName>(cases.map(([{ formula }]) => formula));
  expect(Object.keys(formulas).filter((name) => !tried.has(name as FormulaName))).toEqual([]);
});

test('a stored explanation is read without loss, even if an amount exceeds 2⁵³', () => {
  const explanation = explain('BIL-13', 'price', { price: 9_007_199_254_740_993n });
  expect(recompute(JSON.parse(JSON.stringify(explanation)))).toBe(9_007_199_254_740_993n);
});

test("an explanation with a missing input can't be evaluated", () => {
  const lacking: Explanation = { rule: 'BIL-16', formula: 'amount_off', inputs: { base: '700' } };
  expect(() => recompute(lacking)).toThrow('The formula amount_off needs amount.');
});

describe('an invoice with explanations', () => {
  const details = {
    currency: 'usd',
    base: { planName: 'Cove', billingInterval: 'monthly', amountMinor: 4_900n, isFixedPrice: false },
    discount: null,
    usage: [],
    deficits: [],
    rises: [],
    counts: [],
    addons: [],
    credits: [],
  } as const;
  const issue = (explanation: Explanation) => {
    const lines = linesFor(details).map((line) => ({ ...line, explanation }));
    const head = {
      type: 'recurring',
      customerId: 'cus_1',
      subscriptionId: null,
      planName: null,
      period: null,
    } as const;
    const body = { currency: 'usd', lines, totals: totalsOf(lines, untaxed), tax: untaxed };
    return issueWithLines(head, body, new Date('2027-01-10T00:00:00Z'), (prefix) => `${prefix}_1`);
  };

  test('stores the explanation of each line item', () => {
    const explanation = explain('BIL-13', 'price', { price: 4_900n });
    expect(linesFor(details)).toMatchObject([{ explanation }]);
    expect(issue(explanation).lines).toMatchObject([{ amount: 4_900n, explanation }]);
  });

  test("isn't issued if a line item's amount differs from its explanation", () => {
    expect(() => issue(explain('BIL-13', 'price', { price: 4_901n }))).toThrow(
      'The line “Cove (monthly)” of 4900 is explained as 4901.',
    );
  });
});
