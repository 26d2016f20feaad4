// Exact rational numbers. Amounts are rounded only when they're charged or deducted.
import { decimalText } from '../money/amount-text.ts';
import { divideRounded } from '../money/money.ts';

/**
 * Rational number. The denominator is positive. The fraction isn't necessarily in lowest terms, so compare values
 * with `compare`.
 */
export type Exact = { readonly numerator: bigint; readonly denominator: bigint };

/** Returns `numerator ÷ denominator`. Throws a RangeError if the denominator isn't positive. */
export function ratio(numerator: bigint, denominator: bigint): Exact {
  if (denominator <= 0n) throw new RangeError('The denominator of an exact number is positive.');
  return { numerator, denominator };
}

export const whole = (value: bigint): Exact => ({ numerator: value, denominator: 1n });

export const zero = whole(0n);

/**
 * Returns `a + b`. If the smaller denominator divides the larger one, the sum has the larger denominator. This is
 * always true for the parts of one price, so denominators don't grow.
 */
export function plus(a: Exact, b: Exact): Exact {
  if (a.denominator === b.denominator)
    return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  if (a.denominator % b.denominator === 0n)
    return {
      numerator: a.numerator + b.numerator * (a.denominator / b.denominator),
      denominator: a.denominator,
    };
  if (b.denominator % a.denominator === 0n) return plus(b, a);
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export const minus = (a: Exact, b: Exact): Exact =>
  plus(a, { numerator: -b.numerator, denominator: b.denominator });

export const times = (a: Exact, b: Exact): Exact => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
});

/** Returns `a ÷ divisor`. Throws a RangeError if the divisor isn't positive. */
export const dividedBy = (a: Exact, divisor: bigint): Exact => ratio(a.numerator, a.denominator * divisor);

/** Returns a negative number if `a < b`, a positive number if `a > b`, and 0 if they're equal. */
export function compare(a: Exact, b: Exact): number {
  const isAlike = a.denominator === b.denominator;
  const left = isAlike ? a.numerator : a.numerator * b.denominator;
  const right = isAlike ? b.numerator : b.numerator * a.denominator;
  return left < right ? -1 : left > right ? 1 : 0;
}

export const larger = (a: Exact, b: Exact): Exact => (compare(a, b) < 0 ? b : a);

export const smaller = (a: Exact, b: Exact): Exact => (compare(a, b) > 0 ? b : a);

export const isZero = ({ numerator }: Exact): boolean => numerator === 0n;

/**
 * Returns the number in units of `1 ÷ scale`, rounded to a whole number, half away from zero (GLO-11). `scale` is the
 * number of minor or balance units in one unit.
 */
export const roundedTo = ({ numerator, denominator }: Exact, scale: bigint): bigint =>
  divideRounded(numerator * scale, denominator);

/** Returns the smallest whole number that isn't less than a non-negative number. */
export const roundedUp = ({ numerator, denominator }: Exact): bigint =>
  (numerator + denominator - 1n) / denominator;

/** Returns the integer part of a non-negative number. */
export const wholePart = ({ numerator, denominator }: Exact): bigint => numerator / denominator;

/** Number of decimals for numbers without a finite decimal form, such as 1/3. */
const fineDecimals = 18;

function greatestDivisor(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}

/** Returns how often `factor` divides a positive value, and the quotient after these divisions. */
function split(value: bigint, factor: bigint): readonly [count: number, rest: bigint] {
  let count = 0;
  while (value % factor === 0n) {
    value /= factor;
    count += 1;
  }
  return [count, value];
}

const withoutZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** Exponents of powers of ten, which are the denominators of most numbers. */
const exponents = new Map(
  Array.from({ length: 37 }, (_none, exponent) => [10n ** BigInt(exponent), exponent]),
);

/**
 * Formats a number as a decimal without trailing zeros, such as `0.2469134`. Numbers without a finite decimal form are
 * rounded half up to 18 decimals.
 */
export function exactText({ numerator, denominator }: Exact): string {
  const exponent = exponents.get(denominator);
  if (exponent !== undefined) return withoutZeros(decimalText(numerator, exponent));
  const lowest = denominator / greatestDivisor(numerator, denominator);
  const [twos, odd] = split(lowest, 2n);
  const [fives, rest] = split(odd, 5n);
  const decimals = rest === 1n ? Math.max(twos, fives) : fineDecimals;
  return withoutZeros(decimalText(divideRounded(numerator * 10n ** BigInt(decimals), denominator), decimals));
}
