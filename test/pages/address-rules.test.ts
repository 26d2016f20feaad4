import { expect, it } from 'vitest';
import { countryCodes } from '../../src/domain/countries.ts';
import { addressRuleOf } from '../../src/pages/parts/address-rules.ts';
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
])('an address in "%s" has what is usual there', (country, postalCode, region, regions) => {
  const rule = addressRuleOf(country);
  const count = rule.hasRegionList ? regionsIn(country).length : null;
  expect([rule.postalCode, rule.region, count]).toEqual([postalCode, region, regions]);
});

it('every country has a rule, and every state a code and a name', () => {
  const options = countryCodes.flatMap((country) => regionsIn(country));
  expect(options.length).toBe(52 + 13 + 8);
  expect(options.filter(({ code, name }) => !/^[A-Z]{2,3}$/.test(code) || name.length < 4)).toEqual([]);
});
