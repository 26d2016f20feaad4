import countryToCurrency from 'country-to-currency';
import { describe, expect, test } from 'vitest';
import { countriesIn, countryCodes, countryViolation } from '../../src/domain/tax/countries.ts';

describe('the list of countries', () => {
  test('contains Kosovo and the 249 ISO 3166-1 codes in order, without duplicates', () => {
    // The Netherlands Antilles were dissolved in 2010. Some lists still contain the code because of the currency.
    const libraryCodes = Object.keys(countryToCurrency).filter((code) => code !== 'AN');
    expect(countryCodes).toEqual(libraryCodes.toSorted());
    expect(countryCodes).toHaveLength(250);
  });

  test('contains a name for each code, sorted by name in each language', () => {
    const [english, spanish] = [countriesIn('en'), countriesIn('es')];
    for (const list of [english, spanish]) {
      expect(list).toHaveLength(250);
      expect(list.filter(({ code, name }) => name === code)).toEqual([]);
    }
    expect(english.slice(0, 3).map(({ code }) => code)).toEqual(['AF', 'AX', 'AL']);
    expect(english.find(({ code }) => code === 'GB')).toEqual({ code: 'GB', name: 'United Kingdom' });
    expect(spanish.find(({ code }) => code === 'GB')).toEqual({ code: 'GB', name: 'Reino Unido' });
    expect(countriesIn('en')).toBe(english);
  });
});

describe('the country code validation', () => {
  test.each([...countryCodes])('accepts %s', (code) => {
    expect(countryViolation(code)).toBeNull();
  });

  test.each([
    ['UK', '`UK` is not an ISO 3166-1 code. Use GB'],
    ['EL', '`EL` is not an ISO 3166-1 code. Use GR'],
    ['uk', '`uk` is not an ISO 3166-1 code. Use GB'],
    ['de', '`de` is not an ISO 3166-1 code. Use DE'],
    [' DE', '` DE` is not an ISO 3166-1 code. Use DE'],
    ['Germany', '`Germany` is not an ISO 3166-1 code. Use DE'],
    ['Ge', '`Ge` is not an ISO 3166-1 code. Use GE'],
    ['XX', '`XX` is not an upper-case ISO 3166-1 alpha-2 code'],
    ['AN', '`AN` is not an upper-case ISO 3166-1 alpha-2 code'],
    ['EU', '`EU` is not an upper-case ISO 3166-1 alpha-2 code'],
    ['DEU', '`DEU` is not an upper-case ISO 3166-1 alpha-2 code'],
    ['toString', '`toString` is not an upper-case ISO 3166-1 alpha-2 code'],
    ['', 'This is not an upper-case ISO 3166-1 alpha-2 code'],
    ['DE\n', 'This is not an ISO 3166-1 code. Use DE'],
    ['\u0000', 'This is not an upper-case ISO 3166-1 alpha-2 code'],
    ['x'.repeat(100_000), 'This is not an upper-case ISO 3166-1 alpha-2 code'],
  ])('rejects %j, and suggests a similar code if one exists', (text, violation) => {
    expect(countryViolation(text)).toBe(violation);
  });
});
