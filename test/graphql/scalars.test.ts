import { parseValue } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  lineViolation,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseDecimalLiteral,
  UnfitValue,
} from '../../src/graphql/declare/scalars.ts';

describe('the instant format', () => {
  test.each([
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
    ['0001-01-01T14:00:00+14:00', -62_135_596_800_000],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    ['9999-12-31T11:59:59.999-12:00', 253_402_300_799_999],
    ['2024-02-29T12:00+05:30', Date.UTC(2024, 1, 29, 6, 30)],
  ])('accepts %s', (text, ms) => {
    expect(parseDateTime(text).getTime()).toBe(ms);
  });

  test.each([
    ['0000-06-01T00:00:00Z', 'must be between the years 1 and 9999 (UTC)'],
    ['0001-01-01T00:00:00+14:00', 'must be between the years 1 and 9999 (UTC)'],
    ['9999-12-31T23:59:59-12:00', 'must be between the years 1 and 9999 (UTC)'],
    ['9999-12-31T24:00:00Z', 'must be between the years 1 and 9999 (UTC)'],
    ['2025-02-29T00:00:00Z', 'must be an ISO 8601 date and time with a time zone'],
    ['2025-01-01T00:00:00', 'must be an ISO 8601 date and time with a time zone'],
    ['+010000-01-01T00:00:00Z', 'must be an ISO 8601 date and time with a time zone'],
    ['2025-01-01T00:00:00+24:00', 'must be an ISO 8601 date and time with a time zone'],
    [1_700_000_000, 'must be an ISO 8601 date and time with a time zone'],
  ])('rejects %s', (value, message) => {
    expect(() => parseDateTime(value)).toThrow(new UnfitValue(message));
  });
});

describe('the calendar date format', () => {
  test.each(['0001-01-01', '2024-02-29', '9999-12-31'])('accepts %s', (text) => {
    expect(parseDate(text)).toBe(text);
  });

  test.each([
    '0000-12-31',
    '2025-02-29',
    '2025-13-01',
    '2025-1-01',
    '2025-01-01T00:00:00Z',
    ' 2025-01-01',
    '',
    20_250_101,
    null,
  ])('rejects %s', (value) => {
    expect(() => parseDate(value)).toThrow(new UnfitValue('must be a date in the format YYYY-MM-DD'));
  });
});

describe('the decimal format', () => {
  test.each([
    ['0.20', '0.20'],
    ['-1.5', '-1.5'],
    [0.2, '0.2'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('accepts %s', (value, text) => {
    expect(parseDecimal(value)).toBe(text);
  });

  test.each(['', '1.', '.5', '1e3', '+1', '1,000', ' 1', '0'.repeat(41), Number.NaN, 1e300, true, null, {}])(
    'rejects %s',
    (value) => {
      expect(() => parseDecimal(value)).toThrow(new UnfitValue('must be a decimal, such as "0.20"'));
    },
  );

  test.each([
    ['0.10', '0.10'],
    ['9007199254740993', '9007199254740993'],
    ['"1.50"', '1.50'],
    ['1e2', '100'],
  ])('keeps the digits of the literal %s', (literal, text) => {
    expect(parseDecimalLiteral(parseValue(literal))).toBe(text);
  });

  test.each(['true', 'usd', '[1]', '{ a: 1 }', 'null'])('rejects the literal %s', (literal) => {
    expect(() => parseDecimalLiteral(parseValue(literal))).toThrow(UnfitValue);
  });
});

describe('the string validation', () => {
  test.each(['a\nb', 'a\rb', 'a\tb', '\u001b[31m', '\u007f', '\u0085', '\u2028', '\u2029'])(
    'rejects %j in a single-line string',
    (text) => {
      expect(lineViolation(text)).toBe('must be one line without control characters');
    },
  );

  test('accepts line breaks and tabs in a multiline string, and rejects other control characters', () => {
    expect(lineViolation('1 Main St\r\n\tTown', true)).toBeNull();
    expect(lineViolation('a\u0007', true)).toBe(
      "can't contain control characters other than line breaks and tabs",
    );
  });

  test('accepts every script, direction marks, and joined characters in a single-line string', () => {
    for (const text of ['مرحبا \u200Fبالعالم', '👨\u200D👩\u200D👧', 'zażółć', ' ', ''])
      expect(lineViolation(text)).toBeNull();
  });

  test('rejects the null character and unpaired surrogates', () => {
    expect(lineViolation('a\u0000', true)).toBe("can't contain the null character");
    expect(lineViolation('\ud800', true)).toBe("can't contain an unpaired UTF-16 surrogate");
  });
});
