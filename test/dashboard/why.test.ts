import { describe, expect, it } from 'vitest';
import { explainLine } from '../../src/dashboard/pages/invoices/explain-amount.ts';

const sentences = {
  price: '{price}',
  price_share: '{price} × {days} of {total_days} days',
  exchanged_price: '{price} × {exchange_rate}',
  exchanged_price_share: '{price} × {exchange_rate} × {days} of {total_days} days',
  units: '{units} × {rate}',
  units_for_days: '{units} × {rate} × {days} of {total_days} days',
  tier: '{after} − {before}',
  rise_for_days: '{rise} × {days} of {total_days} days',
  deficit: '{deficit}',
  deficit_rest: '{total_deficit} − {billed}',
  difference: '{price} − {billed}',
  unused_share: '−{base} × {days} of {total_days} days',
  percentage_off: '−{base} × {basis_points}',
  amount_off: '−{amount}',
  fixed_price: '{fixed_price} − {base}',
  minimum_spend: '{minimum} × {days} ÷ {total_days} − {charged}',
  credit: '−{remaining}',
};
const formats = {
  minor: (value: bigint) => `m${value}`,
  rate: (value: bigint) => `r${value}`,
  usCents: (value: bigint) => `u${value}`,
  percent: (value: bigint) => `p${value}`,
  exchangeRate: (value: bigint) => `x${value}`,
  count: (value: bigint) => `${value}`,
};

describe("the explanation of a line item's amount", () => {
  it.each([
    ['price', { price: '2900' }, 'm2900', '2900', 2900n],
    [
      'price_share',
      { price: '2900', days: '15', total_days: '30' },
      'm2900 × 15 of 30 days',
      'round(2900 * 15 / 30)',
      1450n,
    ],
    [
      'tier',
      { before: '200000', after: '200150', scale: '10000', minor_per_unit: '100' },
      'r200150 − r200000',
      'round(200150 * 100 / 10000) - round(200000 * 100 / 10000)',
      2n,
    ],
    [
      'rise_for_days',
      { rise: '4800', scale: '100', minor_per_unit: '100', days: '18', total_days: '30' },
      'r480000 × 18 of 30 days',
      'round(4800 * 100 * 18 / (100 * 30))',
      2880n,
    ],
    [
      'units',
      { units: '1234', rate: '25', minor_per_unit: '100' },
      '1234 × r25',
      'round(1234 * 25 * 100 / 10000)',
      309n,
    ],
    [
      'exchanged_price',
      { price: '2900', exchange_rate: '92000000', minor_per_unit: '100' },
      'u2900 × x92000000',
      'round(2900 * 92000000 * 100 / 10000000000)',
      2668n,
    ],
    [
      'percentage_off',
      { base: '2900', basis_points: '2500' },
      '−m2900 × p2500',
      '-round(2900 * 2500 / 10000)',
      -725n,
    ],
    [
      'minimum_spend',
      { minimum: '6200', days: '10', total_days: '31', charged: '1300' },
      'm6200 × 10 ÷ 31 − m1300',
      'round(6200 * 10 / 31) - min(1300, round(6200 * 10 / 31))',
      700n,
    ],
    ['credit', { remaining: '5000', open: '2900' }, '−m5000', '-min(5000, 2900)', -2900n],
  ])(
    'returns the sentence, formula, and amount for the formula %s',
    (formula, inputs, sentence, exact, amount) => {
      expect(explainLine({ formula, rule: 'X', inputs }, sentences, formats)).toEqual({
        sentence,
        exact,
        amount,
      });
    },
  );

  it('returns null for an unknown formula', () => {
    expect(explainLine({ formula: 'toString', rule: 'X', inputs: {} }, sentences, formats)).toBeNull();
  });
});
