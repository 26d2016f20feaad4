import { describe, expect, test } from 'vitest';
import { type TaxDetails, type TaxRegistration, taxByTables, taxOn } from '../../src/domain/tax/tax.ts';
import { computeTax } from '../../src/modules/organization/tax-registrations/compute-tax.ts';

const place = (
  country: string,
  region: string | null = null,
  rateBps: number | null = null,
): TaxRegistration => ({
  country,
  region,
  rateBps,
});

const details = (registrations: readonly TaxRegistration[], payer: Partial<TaxDetails>): TaxDetails => ({
  country: null,
  region: null,
  taxDocument: null,
  at: new Date('2026-11-02T00:00:00Z'),
  sellerCountry: null,
  registrations,
  ...payer,
});

describe("a payer's tax rate (BIL-20)", () => {
  const us = [place('US', null, 500), place('US', 'CA', 825)];
  const canada = [place('CA'), place('CA', 'QC'), place('CA', 'BC')];
  test.each<[string, readonly TaxRegistration[], Partial<TaxDetails>, string, number]>([
    ['no registration', [], { country: 'DE' }, 'untaxed', 0],
    ['no registration for the country', us, { country: 'FR' }, 'untaxed', 0],
    ['an unknown country', us, {}, 'untaxed', 0],
    ['a custom rate of the country', us, { country: 'US', region: 'NY' }, 'taxed', 50_000],
    ['a custom rate of the region instead', us, { country: 'US', region: 'CA' }, 'taxed', 82_500],
    ['a region by its name', us, { country: 'US', region: ' california' }, 'taxed', 82_500],
    ['a custom rate of 0', [place('DE', null, 0)], { country: 'DE' }, 'taxed', 0],
    ['the standard rate', [place('DE')], { country: 'DE' }, 'taxed', 190_000],
    [
      'the standard rate of that day',
      [place('DE')],
      { country: 'DE', at: new Date('2020-09-01T00:00:00Z') },
      'taxed',
      160_000,
    ],
    ['the standard rate of a state', [place('US', 'MN')], { country: 'US', region: 'MN' }, 'taxed', 68_750],
    ['another state', [place('US', 'MN')], { country: 'US', region: 'WI' }, 'untaxed', 0],
    ['a country without regional rates', [place('CA')], { country: 'CA' }, 'taxed', 50_000],
    // 5% in the country and 9.975% in the province.
    ['country and province', canada, { country: 'CA', region: 'Québec' }, 'taxed', 149_750],
    [
      'a province with a separate tax, without a registration',
      [place('CA')],
      { country: 'CA', region: 'QC' },
      'taxed',
      50_000,
    ],
    ['the separate tax only', [place('CA', 'QC')], { country: 'CA', region: 'QC' }, 'taxed', 99_750],
    // 5% plus the harmonized 8%.
    ['a harmonized province', [place('CA')], { country: 'CA', region: 'ON' }, 'taxed', 130_000],
    [
      'a harmonized province automatically',
      [place('CA', 'ON')],
      { country: 'CA', region: 'ON' },
      'taxed',
      130_000,
    ],
    [
      'a custom rate of the country with a province',
      [place('CA', null, 700), place('CA', 'QC')],
      { country: 'CA', region: 'QC' },
      'taxed',
      169_750,
    ],
    [
      'a custom rate of the country in a harmonized province',
      [place('CA', null, 700)],
      { country: 'CA', region: 'ON' },
      'taxed',
      70_000,
    ],
    ['the Canary Islands', [place('ES')], { country: 'ES', region: 'TF' }, 'taxed', 70_000],
  ])('is determined for %s', (_title, registrations, payer, treatment, ratePpm) => {
    expect(computeTax(details(registrations, payer))).toMatchObject({ treatment, ratePpm });
  });

  test.each([
    ['no state', null, "the payer's state or province isn't known"],
    ['an unknown state', 'Narnia', "Narnia isn't a known state or province"],
  ])(
    "is unavailable for an address with %s if the country's tax depends on the state",
    (_title, region, found) => {
      const failure = `The tax in US depends on the state or province, and ${found}.`;
      expect(computeTax(details([place('US', 'TX')], { country: 'US', region }))).toEqual({ failure });
    },
  );

  test('is unavailable if the tables contain no rate', () => {
    const emptyTables = taxByTables({
      standardRates: () => null,
      regionCode: (_country, text) => text,
      isBusinessId: () => false,
    });
    expect(emptyTables(details([place('DE')], { country: 'DE' }))).toEqual({
      failure: 'No standard tax rate is known for DE.',
    });
    expect(emptyTables(details([place('US', 'TX')], { country: 'US', region: 'TX' }))).toEqual({
      failure: 'No standard tax rate is known for US TX.',
    });
  });
});

describe('the reverse charge (BIL-20, PAY-18)', () => {
  const french = { country: 'FR', taxDocument: 'FR 40 303 265 045' };
  test.each<[string, string | null, readonly TaxRegistration[], Partial<TaxDetails>, string, number]>([
    ['a business in another member state', 'ES', [place('ES'), place('FR')], french, 'reverse_charge', 0],
    ['a business in a member state without a registration', 'ES', [place('ES')], french, 'reverse_charge', 0],
    [
      'a tax ID without the prefix',
      'ES',
      [place('ES')],
      { ...french, taxDocument: '40303265045' },
      'reverse_charge',
      0,
    ],
    [
      'Greece, with its different prefix',
      'ES',
      [place('ES')],
      { country: 'GR', taxDocument: 'EL094259216' },
      'reverse_charge',
      0,
    ],
    [
      'a wrong check digit',
      'ES',
      [place('FR')],
      { ...french, taxDocument: 'FR41303265045' },
      'taxed',
      200_000,
    ],
    [
      'a tax ID of another member state',
      'ES',
      [place('FR')],
      { ...french, taxDocument: 'DE136695976' },
      'taxed',
      200_000,
    ],
    ['a consumer', 'ES', [place('FR')], { country: 'FR' }, 'taxed', 200_000],
    ['a business in the same member state', 'FR', [place('FR')], french, 'taxed', 200_000],
    ['a seller outside the union', 'US', [place('FR')], french, 'taxed', 200_000],
    ['a seller without a country', null, [place('FR')], french, 'taxed', 200_000],
    [
      'a business outside the union',
      'ES',
      [place('GB'), place('ES')],
      { country: 'GB', taxDocument: 'GB434031494' },
      'taxed',
      200_000,
    ],
    ['a seller without a registration in the union', 'ES', [place('US', 'TX')], french, 'untaxed', 0],
  ])('is determined for %s', (_title, sellerCountry, registrations, payer, treatment, ratePpm) => {
    expect(computeTax(details(registrations, { sellerCountry, ...payer }))).toMatchObject({
      treatment,
      ratePpm,
    });
  });
});

test.each([
  // 96.86 × 8.25% = 7.99095. 0.50 × 1% = 0.005. 0.49 × 1% = 0.0049. ¥1,980 × 10% = 198. 100.00 × 14.975% = 14.975.
  [9_686n, 82_500, 799n],
  [50n, 10_000, 1n],
  [49n, 10_000, 0n],
  [1_980n, 100_000, 198n],
  [10_000n, 149_750, 1_498n],
  [10_000n, 0, 0n],
])(
  'the tax on %d at a rate of %d millionths is %d, rounded half up once (BIL-21)',
  (taxable, ratePpm, tax) => {
    expect(taxOn(taxable, { ratePpm })).toBe(tax);
  },
);
