import { describe, expect, test } from 'vitest';
import { heldAddonTerms } from '../../src/domain/pricing/addon-terms.ts';
import type { AddonVersionRow } from '../../src/domain/pricing/catalog.ts';
import { unitRate, unitRates } from '../support/rates.ts';

const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

const version = (
  from: string,
  basePriceMinor: bigint,
  includedUnits: bigint | null,
  rate: bigint | null,
): AddonVersionRow => ({
  validFrom: from === '' ? new Date('0001-01-01T00:00:00.000Z') : day(from),
  basePriceMinor,
  includedUnits,
  rate: rate === null ? null : unitRate(rate),
  overrides: [],
});

describe('an active add-on', () => {
  const versions = [
    version('', 1_450n, 500n, 125n),
    version('2027-03-10', 1_900n, 400n, 110n),
    version('2027-03-20', 900n, 650n, 140n),
    version('2027-04-05', 2_000n, 100n, 300n),
  ];

  test.each<[string, string, string, [bigint, bigint, bigint]]>([
    ['keeps the terms of the start of its period', '2027-03-01', '2027-03-09', [1_450n, 500n, 125n]],
    [
      'gets a lower rate immediately, fewer units and another base price in the next period',
      '2027-03-01',
      '2027-03-10',
      [1_450n, 500n, 110n],
    ],
    [
      'gets more units immediately and keeps the lowest rate of the period',
      '2027-03-01',
      '2027-03-31',
      [1_450n, 650n, 110n],
    ],
    ['starts its next period with the current version', '2027-04-01', '2027-04-01', [900n, 650n, 140n]],
    ['is unaffected by an unfavorable change', '2027-04-01', '2027-04-30', [900n, 650n, 140n]],
    ['includes a version that starts at the same instant', '2027-04-05', '2027-04-05', [2_000n, 100n, 300n]],
  ])('%s (CAT-43, CAT-49)', (_rule, from, at, [basePriceMinor, includedUnits, rate]) => {
    expect(heldAddonTerms(versions, day(from), day(at))).toEqual({
      basePriceMinor,
      includedUnits,
      rates: unitRates(rate),
    });
  });

  test("returns null units and a null rate if the consumption model doesn't use them", () => {
    const bare = [version('', 100n, null, null), version('2027-03-10', 50n, null, null)];
    expect(heldAddonTerms(bare, day('2027-03-01'), day('2027-03-31'))).toEqual({
      basePriceMinor: 100n,
      includedUnits: null,
      rates: null,
    });
  });

  test('throws if no version is valid at the start of the period', () => {
    expect(() =>
      heldAddonTerms([version('2027-03-10', 1n, null, null)], day('2027-03-01'), day('2027-03-31')),
    ).toThrow('An add-on has no version in force at 2027-03-01T00:00:00.000Z.');
  });
});
