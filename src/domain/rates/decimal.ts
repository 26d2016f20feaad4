// Decimals of rates and quantities. Decimals are text in requests, responses and the database, so that no amount passes
// through a floating-point number.
import { decimalText as textOf } from '../money/amount-text.ts';
import { compare, type Exact, minus, ratio, zero } from './exact.ts';

/** Non-negative decimal: `units × 10^-decimals`. Keeps trailing zeros, so that `0.20` stays `0.20`. */
export type Decimal = { readonly units: bigint; readonly decimals: number };

/** Maximum number of decimals of an amount. */
const mostDecimals = 12;

const mostDigits = 15;

export const noAmount: Decimal = { units: 0n, decimals: 0 };

const powers = Array.from({ length: mostDecimals + 1 }, (_, index) => 10n ** BigInt(index));

/** Returns `10^exponent`. */
export const powerOfTen = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent);

/** Returns the decimal as an exact number. */
export const exactOf = ({ units, decimals }: Decimal): Exact => ratio(units, powerOfTen(decimals));

/** Returns a negative number if `a < b`, a positive number if `a > b`, and 0 if they're equal. */
export const compareDecimals = (a: Decimal, b: Decimal): number => compare(exactOf(a), exactOf(b));

export const decimalText = ({ units, decimals }: Decimal): string => textOf(units, decimals);

/**
 * Returns the shortest decimal form of a number, without an exponent: `1e-7` becomes `0.0000001`. Returns the number as
 * text if it isn't finite.
 */
export function numberText(value: number): string {
  const found = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value));
  if (found === null) return String(value);
  const [, sign = '', first = '', fraction = '', exponent = '0'] = found;
  const shift = fraction.length - Number(exponent);
  return `${sign}${textOf(BigInt(first + fraction) * (shift < 0 ? powerOfTen(-shift) : 1n), Math.max(0, shift))}`;
}

/** Bounds of a decimal: the maximum numbers of digits before and after the decimal point. */
export type DecimalBounds = { readonly digits?: number; readonly decimals?: number };

/** Returns a limit with its noun: `1 decimal`, `12 decimals`. */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * Reads a decimal from text or from a JSON number, which stands for its shortest decimal form (CAT-25). Returns the
 * problem as a phrase that follows the field's name if the value isn't a non-negative decimal within the bounds. The
 * default bounds are 15 digits and 12 decimals.
 */
export function readDecimal(
  value: unknown,
  { digits = mostDigits, decimals = mostDecimals }: DecimalBounds = {},
): Decimal | string {
  const text = typeof value === 'number' ? numberText(value) : value;
  const found = typeof text === 'string' ? /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) : null;
  if (found === null) return 'must be a decimal, such as "0.20"';
  const [, sign = '', first = '', fraction = ''] = found;
  if (sign !== '') return "can't be negative";
  if (first.length > digits) return `can have up to ${counted(digits, 'digit')} before the decimal point`;
  if (fraction.length > decimals)
    return decimals === 0 ? 'must be a whole number' : `can have up to ${counted(decimals, 'decimal')}`;
  return { units: BigInt(first + fraction), decimals: fraction.length };
}

/** Returns a stored decimal. Doesn't check the bounds of new amounts. Throws if the text isn't a non-negative decimal. */
export function storedDecimal(text: string): Decimal {
  const read = readDecimal(text, { digits: Number.POSITIVE_INFINITY, decimals: Number.POSITIVE_INFINITY });
  if (typeof read === 'string') throw new Error(`A stored decimal is ${text}, which ${read}.`);
  return read;
}

/** Returns a stored decimal as an exact number. */
export const exactDecimal = (text: string): Exact => exactOf(storedDecimal(text));

/** Reads a stored decimal that can be negative. */
export const signedDecimal = (text: string): Exact =>
  text.startsWith('-') ? minus(zero, exactDecimal(text.slice(1))) : exactDecimal(text);
