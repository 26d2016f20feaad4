import type { FaultyFile } from '../fault.ts';

/** Faults to plant in the code for money, time, and tax. */
export const money: readonly FaultyFile[] = [
  {
    file: 'src/domain/money/money.ts',
    tests: ['test/domain/money.test.ts', 'test/domain/usage/consumption.test.ts'],
    faults: [
      {
        fault: 'Truncates a division instead of rounding it.',
        source: '(2n * magnitude + denominator) / (2n * denominator)',
        replacement: 'magnitude / denominator',
      },
      {
        fault: 'Loses the sign of a rounded amount.',
        source: 'return numerator < 0n ? -rounded : rounded;',
        replacement: 'return rounded;',
      },
      {
        fault: 'Counts cents in currencies without a minor unit.',
        source: '{ 0: 1n, 2: 100n, 3: 1_000n }',
        replacement: '{ 0: 100n, 2: 100n, 3: 1_000n }',
      },
    ],
  },
  {
    file: 'src/domain/money/amount-text.ts',
    tests: ['test/domain/money.test.ts'],
    faults: [
      {
        fault: 'Rounds a unit price to cents.',
        source: 'exponentOf(currency), 4);',
        replacement: 'exponentOf(currency), exponentOf(currency));',
      },
    ],
  },
  {
    file: 'src/domain/money/fees.ts',
    tests: ['test/domain/fees.test.ts'],
    faults: [
      {
        fault: 'Keeps a fee above the amount of the charge.',
        source: 'fee < grossUsdMinor ? fee : grossUsdMinor',
        replacement: 'fee',
      },
    ],
  },
  {
    file: 'src/domain/time/period.ts',
    tests: ['test/domain/period.test.ts'],
    faults: [
      {
        fault: 'Bills a quarterly price every four months.',
        source: 'quarterly: 3',
        replacement: 'quarterly: 4',
      },
      {
        fault: 'Misses the boundary of a month that is shorter than the anchor day.',
        source: 'Math.min(anchor.getUTCDate(), lastDay)',
        replacement: 'anchor.getUTCDate()',
      },
      {
        fault: 'Treats midnight as its own next midnight.',
        source: '(Math.floor(instant.getTime() / dayMs) + 1) * dayMs',
        replacement: 'Math.ceil(instant.getTime() / dayMs) * dayMs',
      },
      {
        fault: 'Returns a negative number of remaining days after the end of a period.',
        source: 'Math.max(0, daysBetween(now, period.end))',
        replacement: 'daysBetween(now, period.end)',
      },
    ],
  },
  {
    file: 'src/domain/tax/tax.ts',
    tests: ['test/domain/tax.test.ts'],
    faults: [
      {
        fault: 'Applies the reverse charge in the country of the seller.',
        source: 'taxDocument === null || sellerCountry === country)',
        replacement: 'taxDocument === null)',
      },
      {
        fault: 'Accepts any text as the tax ID of a business.',
        source: 'tables.isBusinessId(country, taxDocument)',
        replacement: 'true',
      },
      {
        fault: 'Charges the national tax only, without the tax of the state.',
        source: ': ofCountry + ofRegion',
        replacement: ': ofCountry',
      },
      {
        fault: 'Ignores the rate that the merchant registered for the country.',
        source: 'part?.isJoint === true && national?.rateBps == null',
        replacement: 'part?.isJoint === true',
      },
      {
        fault: 'Reports a tax of zero in a state without a registration.',
        source: 'if (national === null && regional === null) return untaxed;',
        replacement: '',
      },
    ],
  },
];
