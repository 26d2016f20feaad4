// Fast parsing of timestamps. Pages contain hundreds of them, and the built-in functions take three times as long.
import { isoText } from '../../domain/time/iso-text.ts';

const digitZero = 48;

/** Value to subtract from `10 * a + b` to get the number that two digits with the character codes `a` and `b` represent. */
const twoZeros = 11 * digitZero;

/** Parses a time in any year. The ISO format is needed for the years 1 to 99, which `Date` otherwise interprets as years of the 20th century. */
const readAnyTimestamp = (text: string): Date => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);

/** Returns the milliseconds that the one to three digits before `end` represent. */
function fractionBefore(text: string, end: number): number {
  const first = (text.charCodeAt(20) - digitZero) * 100;
  if (end === 21) return first;
  const second = first + (text.charCodeAt(21) - digitZero) * 10;
  return end === 22 ? second : second + text.charCodeAt(22) - digitZero;
}

/** Parses a time in PostgreSQL's format for UTC sessions, with up to three fractional digits: `2026-01-31 12:00:00+00`. */
export function readTimestamp(text: string): Date {
  const end = text.length - 3;
  // Reads the digits inline instead of with a function for each pair, because a request parses dozens of timestamps.
  const century = text.charCodeAt(0) * 10 + text.charCodeAt(1) - twoZeros;
  const year = century * 100 + text.charCodeAt(2) * 10 + text.charCodeAt(3) - twoZeros;
  const isPlain = text.charAt(4) === '-' && year >= 100 && (end === 19 || (end > 20 && end <= 23));
  if (!isPlain) return readAnyTimestamp(text);
  return new Date(
    Date.UTC(
      year,
      text.charCodeAt(5) * 10 + text.charCodeAt(6) - twoZeros - 1,
      text.charCodeAt(8) * 10 + text.charCodeAt(9) - twoZeros,
      text.charCodeAt(11) * 10 + text.charCodeAt(12) - twoZeros,
      text.charCodeAt(14) * 10 + text.charCodeAt(15) - twoZeros,
      text.charCodeAt(17) * 10 + text.charCodeAt(18) - twoZeros,
      end === 19 ? 0 : fractionBefore(text, end),
    ),
  );
}

/** Converts a time from PostgreSQL's format for UTC sessions to the format of `toISOString`. */
export function isoTextOf(text: string): string {
  const end = text.length - 3;
  if (text.charAt(10) !== ' ' || end > 23) return isoText(readTimestamp(text));
  const second = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  if (end === 23) return `${second}${text.slice(19, 23)}Z`;
  return end === 19 ? `${second}.000Z` : `${second}${text.slice(19, end).padEnd(4, '0')}Z`;
}
