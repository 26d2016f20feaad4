import { describe, expect, test } from 'vitest';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { cumulativelyRounded, linesOf } from '../../../src/domain/rates/lines.ts';
import type { RateInput } from '../../../src/domain/rates/read-rate.ts';
import { e1, rateOf, tiersOf, units } from './rates.ts';

const shown = (rate: RateInput, quantity: string) =>
  linesOf(rateOf(rate), units(quantity), 100n).map((line) => [
    line.kind,
    line.tier,
    exactText(line.quantity),
    exactText(line.unitAmount),
    line.amount,
  ]);

describe('the invoice lines for a price', () => {
  test.each([
    [
      ['0.005', '0.005', '0.005'],
      [1n, 0n, 1n],
    ],
    [
      ['0.014', '0.014', '0.014', '0.014', '12.3456', '0.0049'],
      [1n, 2n, 1n, 2n, 1234n, 1n],
    ],
  ])('are rounded cumulatively: %o (PRM-E28)', (amounts, expected) => {
    const read = amounts.map((amount) => units(amount));
    expect(cumulativelyRounded(read, 100n)).toEqual(expected);
  });

  test.each<readonly [string, RateInput, string, readonly (readonly unknown[])[]]>([
    [
      'one line for each tier (PRM-E1)',
      { model: 'graduated', tiers: e1 },
      '12500',
      [
        ['units', 0, '1000', '2', 2000n],
        ['units', 1, '9000', '1.5', 13500n],
        ['units', 2, '2500', '0.8', 2000n],
      ],
    ],
    [
      'one line for all units of volume (PRM-E1)',
      { model: 'volume', tiers: e1 },
      '12500',
      [['units', 2, '12500', '0.8', 10000n]],
    ],
    [
      'one line for packages (PRM-E1)',
      { model: 'package', per: 500, amount: '4.00' },
      '12501',
      [['package', 0, '1', '10400', 10400n]],
    ],
    [
      'one line for stairs (PRM-E1)',
      { model: 'stairs', tiers: tiersOf(['5', '0', '29.00'], [null, '0', '99.00']) },
      '6',
      [['stairs', 1, '1', '9900', 9900n]],
    ],
    [
      'the price of one unit, not of `per` units (PRM-E16)',
      { amount: '0.20', per: 1_000_000 },
      '1234567',
      [['units', 0, '1234567', '0.00002', 25n]],
    ],
    [
      'a flat amount after the units of its tier, and a cut at the maximum (PRM-E18)',
      { model: 'graduated', tiers: tiersOf(['100', '0.10', '5.00'], [null, '0.05']), maximum: '150.00' },
      '3000',
      [
        ['units', 0, '100', '10', 1000n],
        ['flat', 0, '1', '500', 500n],
        ['maximum', 1, '1', '13500', 13500n],
      ],
    ],
    [
      'a raise to the minimum (PRM-E18)',
      { amount: '0.10', minimum: '10.00' },
      '1',
      [['minimum', 0, '1', '1000', 1000n]],
    ],
    [
      'units if the minimum is reached (PRM-E18)',
      { amount: '0.10', minimum: '10.00' },
      '101',
      [['units', 0, '101', '10', 1010n]],
    ],
    [
      'a raise of the last part only',
      { model: 'graduated', tiers: tiersOf(['10', '0.10'], [null, '0.10']), minimum: '10.00' },
      '20',
      [
        ['units', 0, '10', '10', 100n],
        ['minimum', 1, '1', '900', 900n],
      ],
    ],
    [
      'no line for a free tier',
      { model: 'graduated', tiers: tiersOf(['1000', '0'], [null, '0.01']) },
      '1500',
      [['units', 1, '500', '1', 500n]],
    ],
    [
      'no line for tiers beyond the maximum',
      { model: 'graduated', tiers: tiersOf(['10', '1'], [null, '1']), maximum: '10' },
      '20',
      [['units', 0, '10', '100', 1000n]],
    ],
    ['no line for the quantity 0', { amount: '1', minimum: '10.00' }, '0', []],
  ])('contain %s', (_what, rate, quantity, expected) => {
    expect(shown(rate, quantity)).toEqual(expected);
  });
});
