// Money is whole numbers (GLO-6): minor units of a currency ("minor"), or "rate" units of which 10 000 make
// 1.00.

/** Rate units in 1.00 of any currency (GLO-6). */
export const rateScale = 10_000n;

/** Basis points in the whole (GLO-8). */
export const basisPointScale = 10_000n;

/** Currencies amounts may be in, with their number of decimals (GLO-9). */
const exponents = {
  usd: 2,
  ars: 2,
  brl: 2,
  clp: 0,
  cop: 2,
  pen: 2,
  uyu: 2,
  pyg: 0,
  bob: 2,
  mxn: 2,
  cad: 2,
  eur: 2,
  jpy: 0,
  cny: 2,
  krw: 0,
  hkd: 2,
  sgd: 2,
  twd: 2,
  inr: 2,
  thb: 2,
  gbp: 2,
  chf: 2,
  aud: 2,
  nzd: 2,
  sek: 2,
  nok: 2,
  dkk: 2,
  pln: 2,
  czk: 2,
  aed: 2,
  ils: 2,
  zar: 2,
} as const;

/** A lower-case ISO 4217 code of the list. */
export type Currency = keyof typeof exponents;

/** All currencies, in the documented order (GLO-9). */
export const currencies = Object.keys(exponents) as readonly Currency[];

/** Whether a text is one of the currencies, in lower case. */
export const isCurrency = (code: string): code is Currency => Object.hasOwn(exponents, code);

/** Decimals of a currency: 0 or 2. Throws for a code outside the list, which no stored row can have. */
export function exponentOf(currency: string): number {
  if (!isCurrency(currency)) throw new Error(`The currency ${currency} is not supported.`);
  return exponents[currency];
}

export const minorPerUnit = (currency: string): bigint => (exponentOf(currency) === 0 ? 1n : 100n);

/**
 * `numerator ÷ denominator` rounded half up on the absolute value to a whole number (GLO-11). The denominator
 * is positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('The denominator of a rounded division is positive.');
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/** `numerator ÷ denominator` rounded up to a whole number; both not negative. */
export const divideUp = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator - 1n) / denominator;

/**
 * A rate amount, all its factors multiplied already, as minor units, rounded half up (GLO-10, GLO-11). A
 * divisor among the factors, such as the days of a period, is given apart, so that there is one rounding.
 */
export const rateToMinor = (rate: bigint, currency: string, divisor = 1n): bigint =>
  divideRounded(rate * minorPerUnit(currency), rateScale * divisor);

/** Minor units as a rate; exact (GLO-10). */
export const minorToRate = (minor: bigint, currency: string): bigint =>
  (minor * rateScale) / minorPerUnit(currency);

/** A share of an amount in basis points, rounded half up. */
export const shareOf = (amount: bigint, basisPoints: bigint): bigint =>
  divideRounded(amount * basisPoints, basisPointScale);

/**
 * An amount as JSON carries it. Throws a RangeError beyond 2⁵³−1, which is rejected before anything is stored.
 */
export function wireAmount(amount: bigint): number {
  const value = Number(amount);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The amount ${amount} cannot be sent without loss.`);
  return value;
}

/** The larger of two amounts. */
export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** The smaller of two amounts. */
export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);
