import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoText } from '../../src/domain/time/iso-text.ts';
import { isoTextOf, readTimestamp } from '../../src/platform/db/timestamps.ts';

const anyInstant = fc.date({ noInvalidDate: true });

/** Generates timestamps that PostgreSQL can store, starting with the year 1. */
const storable = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

/** Formats a timestamp like PostgreSQL in UTC, without trailing zeros in the fraction. */
function written(date: Date): string {
  const [day = '', time = ''] = date.toISOString().slice(0, -1).split('T');
  return `${day} ${time.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}+00`;
}

it.each([
  ['2026-01-31 12:00:00+00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31 12:00:00.5+00', '2026-01-31T12:00:00.500Z'],
  ['2026-01-31 12:00:00.05+00', '2026-01-31T12:00:00.050Z'],
  ['2026-01-31 12:00:00.123+00', '2026-01-31T12:00:00.123Z'],
  ['2024-02-29 23:59:59.999+00', '2024-02-29T23:59:59.999Z'],
  ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
  ['0099-12-31 00:00:00.25+00', '0099-12-31T00:00:00.250Z'],
  ['1969-12-31 23:59:59.001+00', '1969-12-31T23:59:59.001Z'],
])('%s is parsed as %s', (text, iso) => {
  expect(readTimestamp(text).toISOString()).toBe(iso);
  expect(isoTextOf(text)).toBe(iso);
});

it('parsing a stored timestamp returns the time that was written', () => {
  fc.assert(
    fc.property(storable, (date) => {
      expect(readTimestamp(written(date))).toEqual(date);
      expect(isoTextOf(written(date))).toBe(date.toISOString());
    }),
  );
});

it('isoText equals toISOString for every time', () => {
  fc.assert(
    fc.property(anyInstant, (date) => {
      expect(isoText(date)).toBe(date.toISOString());
    }),
  );
});

it.each([0, -1, 1, -86_400_000, 86_399_999, 8.64e15, -8.64e15, Date.UTC(2026, 0, 1)])(
  'isoText equals toISOString for %d milliseconds',
  (ms) => {
    expect(isoText(new Date(ms))).toBe(new Date(ms).toISOString());
  },
);

it('isoText rejects an invalid date', () => {
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
});
