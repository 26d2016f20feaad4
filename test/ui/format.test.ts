import { describe, expect, it } from 'vitest';
import {
  dateRangeText,
  dateText,
  dateTimeText,
  exactTimeText,
  monthText,
  periodText,
  relativeText,
  shortDateText,
  timeText,
  zoneText,
} from '../../src/ui/format/dates.ts';
import { durationText } from '../../src/ui/format/durations.ts';
import {
  compactMoneyText,
  currencySign,
  decimalText,
  moneyInput,
  moneyText,
  parseMoney,
  parseRate,
  plainDecimal,
  rateInput,
  rateText,
} from '../../src/ui/format/money.ts';
import {
  countryText,
  currencyText,
  initialsOf,
  languageText,
  plainText,
  shortId,
  sortedCountries,
} from '../../src/ui/format/names.ts';
import {
  basisPointsText,
  boundedCountText,
  bytesText,
  compactCountText,
  countText,
  numberText,
  percentText,
} from '../../src/ui/format/numbers.ts';

/** Replaces non-breaking spaces with regular spaces. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/g, ' ');

const both = ['en-US', 'es-ES'] as const;
const inBoth = (make: (locale: string) => string): string[] => both.map((locale) => plain(make(locale)));

describe('money formatting', () => {
  it.each([
    [123_456, 'usd', '$1,234.56', '1234,56 US$'],
    [-5_000, 'eur', '-€50.00', '-50,00 €'],
    [1_200, 'jpy', '¥1,200', '1200 JPY'],
    [0, 'clp', 'CLP 0', '0 CLP'],
    [9_007_199_254_740_991n, 'usd', '$90,071,992,547,409.91', '90.071.992.547.409,91 US$'],
  ])('formats %s minor units of %s in English and Spanish', (minor, currency, english, spanish) => {
    expect(inBoth((locale) => moneyText(minor, currency, locale))).toEqual([english, spanish]);
  });

  it('supports signs, currency codes, and compact amounts', () => {
    expect(moneyText(100, 'usd', 'en-US', { sign: true })).toBe('+$1.00');
    expect(plain(moneyText(100, 'usd', 'en-US', { code: true }))).toBe('USD 1.00');
    expect(compactMoneyText(1_234_567, 'usd', 'en-US')).toBe('$12.3K');
    expect(compactMoneyText(-12_133, 'usd', 'en-US')).toBe('-$121');
    expect(compactMoneyText(425, 'usd', 'en-US')).toBe('$4.25');
    expect(both.map((locale) => currencySign('usd', locale))).toEqual(['$', 'US$']);
  });

  it.each([
    [25, '$0.0025', '0,0025 US$'],
    [10_000, '$1.00', '1,00 US$'],
    [12_500, '$1.25', '1,25 US$'],
    [-1, '-$0.0001', '-0,0001 US$'],
  ])('formats the rate %s in English and Spanish', (rate, english, spanish) => {
    expect(inBoth((locale) => rateText(rate, 'usd', locale))).toEqual([english, spanish]);
  });

  it('converts minor units to exact decimals', () => {
    expect([decimalText(5, 2), decimalText(-5, 2), decimalText(1_234, 0), decimalText(0, 4)]).toEqual([
      '0.05',
      '-0.05',
      '1234',
      '0.0000',
    ]);
  });
});

describe('money input', () => {
  it.each<[string, string, string, number | null]>([
    ['12.34', 'usd', 'en-US', 1_234],
    ['1,234.5', 'usd', 'en-US', 123_450],
    ['$ 1,234', 'usd', 'en-US', 123_400],
    ['.5', 'usd', 'en-US', 50],
    ['-3', 'usd', 'en-US', -300],
    ['12.340', 'usd', 'en-US', 1_234],
    ['12.345', 'usd', 'en-US', null],
    ['12,34', 'usd', 'en-US', 1_234],
    ['1.234,50', 'usd', 'es-ES', 123_450],
    ['1234,5', 'usd', 'es-ES', 123_450],
    ['12,34 €', 'eur', 'es-ES', 1_234],
    ['1.234', 'jpy', 'es-ES', 1_234],
    ['1,200', 'jpy', 'en-US', 1_200],
    ['12.5', 'jpy', 'en-US', null],
    ['', 'usd', 'en-US', null],
    ['-', 'usd', 'en-US', null],
    ['.', 'usd', 'en-US', null],
    ['1e3', 'usd', 'en-US', null],
    ['12.3.4', 'usd', 'en-US', null],
    ['90071992547409.91', 'usd', 'en-US', 9_007_199_254_740_991],
    ['90071992547409.92', 'usd', 'en-US', null],
    ['-0', 'usd', 'en-US', 0],
  ])('parses %j in %s for the locale %s', (text, currency, locale, minor) => {
    expect(parseMoney(text, currency, locale)).toBe(minor);
  });

  it.each([0, 1, 99, 100, 123_456, -7])(
    'parses the formatted amount or rate of %s as the same value',
    (minor) => {
      for (const locale of both) {
        expect(parseMoney(moneyInput(minor, 'usd', locale), 'usd', locale)).toBe(minor);
        expect(parseRate(rateInput(minor, locale), locale)).toBe(minor);
      }
    },
  );

  it.each<[string, string, string | null]>([
    ['0.000015', 'en-US', '0.000015'],
    ['$1,234.50', 'en-US', '1234.50'],
    ['.5', 'en-US', '0.5'],
    ['1.234,5', 'es-ES', '1234.5'],
    ['0.015', 'es-ES', '0.015'],
    ['0,015', 'en-US', '0.015'],
    ['No limit', 'en-US', null],
  ])('parses %j in the locale %s as a decimal of any length', (text, locale, decimal) => {
    expect(plainDecimal(text, locale)).toBe(decimal);
  });

  it('formats rates with two to four decimals', () => {
    expect([25, 10_000, 12_500, 12_340].map((rate) => rateInput(rate, 'en-US'))).toEqual([
      '0.0025',
      '1.00',
      '1.25',
      '1.234',
    ]);
    expect(rateInput(25, 'es-ES')).toBe('0,0025');
  });
});

describe('number formatting', () => {
  it.each([
    ['count', (locale: string) => countText(12_345, locale), '12,345', '12.345'],
    ['short count', (locale: string) => compactCountText(12_345, locale), '12.3K', '12,3 mil'],
    [
      'bounded count',
      (locale: string) => boundedCountText({ value: 10_000, isExact: false }, locale),
      '10,000+',
      '10.000+',
    ],
    ['exact count', (locale: string) => boundedCountText({ value: 12, isExact: true }, locale), '12', '12'],
    ['number', (locale: string) => numberText(3.256, locale), '3.26', '3,26'],
    ['share', (locale: string) => percentText(0.1234, locale), '12.3%', '12,3 %'],
    ['change', (locale: string) => percentText(0.02, locale, { sign: true }), '+2%', '+2 %'],
    ['basis points', (locale: string) => basisPointsText(1_925, locale), '19.25%', '19,25 %'],
    ['bytes', (locale: string) => bytesText(1_234, locale), '1.2 kB', '1,2 kB'],
    ['few bytes', (locale: string) => bytesText(1, locale), '1 byte', '1 byte'],
    ['many bytes', (locale: string) => bytesText(52_345_678, locale), '52 MB', '52 MB'],
  ])('formats the %s in English and Spanish', (_name, make, english, spanish) => {
    expect(inBoth(make)).toEqual([english, spanish]);
  });
});

describe('date formatting', () => {
  const at = '2026-11-23T21:05:09Z';
  it.each([
    ['date', (locale: string) => dateText(at, { locale }), 'Nov 23, 2026', '23 nov 2026'],
    ['short date', (locale: string) => shortDateText(at, { locale }), 'Nov 23', '23 nov'],
    ['month', (locale: string) => monthText(at, { locale }), 'Nov 2026', 'nov 2026'],
    [
      'date and time',
      (locale: string) => dateTimeText(at, { locale }),
      'Nov 23, 2026, 21:05 UTC',
      '23 nov 2026, 21:05 UTC',
    ],
    [
      'exact time',
      (locale: string) => exactTimeText(at, { locale }),
      'Nov 23, 2026, 21:05:09 UTC',
      '23 nov 2026, 21:05:09 UTC',
    ],
    ['time', (locale: string) => timeText(at, { locale }), '21:05 UTC', '21:05 UTC'],
    [
      'period with an inclusive last day',
      (locale: string) => periodText('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z', { locale }),
      'Nov 1 – 30, 2026',
      '1–30 nov 2026',
    ],
    [
      'range',
      (locale: string) => dateRangeText('2026-12-30T00:00:00Z', '2027-01-02T00:00:00Z', { locale }),
      'Dec 30, 2026 – Jan 2, 2027',
      '30 dic 2026 – 2 ene 2027',
    ],
  ])('formats the %s in English and Spanish', (_name, make, english, spanish) => {
    expect(inBoth(make)).toEqual([english, spanish]);
  });

  it('uses the given time zone, and shows the name of the time zone', () => {
    const settings = { locale: 'en-US', timeZone: 'Asia/Tokyo' };
    expect(dateText(at, settings)).toBe('Nov 24, 2026');
    expect(dateTimeText(at, settings)).toBe('Nov 24, 2026, 06:05 GMT+9');
    expect(zoneText(at, settings)).toBe('GMT+9');
  });

  it.each([
    [0, 'now', 'ahora'],
    [-30, 'now', 'ahora'],
    [-90, '1 minute ago', 'hace 1 minuto'],
    [3 * 3_600, 'in 3 hours', 'dentro de 3 horas'],
    [-86_400, 'yesterday', 'ayer'],
    [-20 * 86_400, '2 weeks ago', 'hace 2 semanas'],
    [-400 * 86_400, 'last year', 'el año pasado'],
  ])('formats a relative time of %s seconds in English and Spanish', (seconds, english, spanish) => {
    const then = new Date(new Date(at).getTime() + seconds * 1_000);
    expect(both.map((locale) => relativeText(then, at, locale))).toEqual([english, spanish]);
  });

  it.each([
    [240, '240 ms', '240 ms'],
    [1_240, '1.2 sec', '1,2 s'],
    [250_000, '4 min 10 sec', '4 min 10 s'],
    [3_600_000, '1 hr', '1 h'],
    [183_600_000, '2 days 3 hr', '2 días 3 h'],
  ])('formats a duration of %s ms in English and Spanish', (milliseconds, english, spanish) => {
    expect(inBoth((locale) => durationText(milliseconds, locale))).toEqual([english, spanish]);
  });
});

describe('name formatting', () => {
  it('translates countries, currencies, and languages', () => {
    expect(both.map((locale) => countryText('de', locale))).toEqual(['Germany', 'Alemania']);
    expect(both.map((locale) => currencyText('usd', locale))).toEqual(['US Dollar', 'dólar estadounidense']);
    expect(both.map((locale) => languageText('es', locale))).toEqual(['Spanish', 'español']);
    expect(countryText('??', 'en-US')).toBe('??');
    expect(sortedCountries(['us', 'de', 'at'], 'es-ES').map(({ name }) => name)).toEqual([
      'Alemania',
      'Austria',
      'Estados Unidos',
    ]);
  });

  it.each([
    ['cus_7Zk29dLmQpR4x7Kd', 'cus_…R4x7Kd'],
    ['cus_12345678', 'cus_12345678'],
    ['7Zk29dLmQpR4x7Kd', '…R4x7Kd'],
  ])('shortens the ID %s', (id, short) => {
    expect(shortId(id)).toBe(short);
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['Ada King Lovelace', 'AL'],
    ['ada@example.com', 'AC'],
    ['Ada', 'A'],
    ['', ''],
  ])('derives initials from %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it('converts enum values to plain text', () => {
    expect(plainText('past_due')).toBe('Past due');
  });
});
