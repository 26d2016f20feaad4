import { expect, test } from 'vitest';
import { taxExposureOf } from '../../../src/domain/metrics/tax-exposure.ts';

const sum = (key: string, amount: bigint, currency = 'usd') => ({ key, currency, amount });

test('tax exposure lists countries without a registration first, then sorts countries by amount', () => {
  const registrations = [
    { country: 'US', region: 'NY' },
    { country: 'US', region: 'CA' },
    { country: 'DE', region: '' },
    { country: 'CA', region: 'QC' },
    { country: 'CA', region: '' },
  ];
  const sums = [
    sum('DE', 9_000n, 'eur'),
    sum('US', 5_000n),
    sum('FR', 100n),
    sum('', 300n),
    sum('GB', 300n, 'gbp'),
    sum('CA', 700n),
    sum('AT', 0n),
  ];
  expect(taxExposureOf(sums, registrations)).toEqual([
    { country: 'GB', currency: 'gbp', billed: 300n, coverage: 'none', regions: [] },
    { country: null, currency: 'usd', billed: 300n, coverage: 'none', regions: [] },
    { country: 'FR', currency: 'usd', billed: 100n, coverage: 'none', regions: [] },
    { country: 'US', currency: 'usd', billed: 5_000n, coverage: 'regions', regions: ['CA', 'NY'] },
    { country: 'DE', currency: 'eur', billed: 9_000n, coverage: 'country', regions: [] },
    { country: 'CA', currency: 'usd', billed: 700n, coverage: 'country', regions: ['QC'] },
  ]);
  expect(taxExposureOf([], registrations)).toEqual([]);
});
