import { expect, it } from 'vitest';
import { countryCodes } from '../../src/domain/tax/countries.ts';
import { addressRuleOf } from '../../src/pages/parts/address-rules.ts';
import { postalFormOf } from '../../src/pages/parts/postal-codes.ts';
import { regionsIn } from '../../src/pages/parts/region-lists.ts';

it.each([
  ['', 'postal', 'either', null],
  ['US', 'zip', 'state', 52],
  ['CA', 'postal', 'province', 13],
  ['AU', 'postcode', 'state', 8],
  ['GB', 'postcode', 'county', null],
  ['DE', 'postal', null, null],
  ['ES', 'postal', 'province', null],
  ['AE', null, 'emirate', null],
])(
  'the address form for the country "%s" has the country\'s usual postal code and region fields',
  (country, postalCode, region, regions) => {
    const rule = addressRuleOf(country);
    expect([rule.postalCode, rule.region, rule.regions?.length ?? null]).toEqual([
      postalCode,
      region,
      regions,
    ]);
  },
);

it('the address rules cover every country, with a code and name for every state', () => {
  const options = countryCodes.flatMap((country) => regionsIn(country));
  expect(options.length).toBe(52 + 13 + 8);
  expect(options.filter(({ code, name }) => !/^[A-Z]{2,3}$/.test(code) || name.length < 4)).toEqual([]);
});

it.each([
  ['US', '94105', true, ['94105-1234', ' 10001 '], ['9410', 'ABCDE']],
  ['GB', 'SW1A 1AA', false, ['m1 1ae', 'EC1A1BB', 'B33 8TH'], ['12345', 'SW1A']],
  ['CA', 'K1A 0B1', false, ['k1a0b1'], ['12345']],
  ['DE', '10117', true, ['01067'], ['1011', 'D-10117']],
  ['PT', '1000-001', false, ['4000-123'], ['4000']],
  ['NL', '1012 AB', false, ['1012ab'], ['1012']],
])('the address rules accept postal codes of %s such as %s', (country, example, isNumeric, like, unlike) => {
  const form = postalFormOf(country);
  expect([form?.example, form?.isNumeric]).toEqual([example, isNumeric]);
  expect(like.every((text) => form?.isLike(text) === true)).toBe(true);
  expect(unlike.some((text) => form?.isLike(text) === true)).toBe(false);
});

it('the address rules include a valid example for every country with postal codes', () => {
  for (const country of countryCodes) {
    const form = postalFormOf(country);
    if (form === null) continue;
    expect([country, form.isLike(form.example)]).toEqual([country, true]);
    expect([country, addressRuleOf(country).postalCode]).not.toEqual([country, null]);
  }
});
