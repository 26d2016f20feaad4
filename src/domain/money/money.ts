// Amounts of money are whole numbers (GLO-6). Names with `minor` are for amounts in minor units of a currency. Names
// with `rate` are for amounts in ten-thousandths of the currency unit (10,000 = 1.00).

export const rateScale = 10_000n;

export const basisPointScale = 10_000n;

/**
 * Largest amount of an input or invoice line, in minor units (GLO-14a). Larger than any realistic amount, but
 * its rate and tax still fit in the database in every currency.
 */
export const largestAmount = 900_000_000_000_000n;

/** Largest total of an invoice, which a JSON number can represent exactly. */
export const largestTotal = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns true if an amount doesn't exceed the maximum of an invoice line (GLO-14a). */
export const isBillable = (amountMinor: bigint): boolean =>
  amountMinor <= largestAmount && amountMinor >= -largestAmount;

/** Number of decimals of each supported currency (GLO-9). */
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
  bhd: 3,
  jod: 3,
  kwd: 3,
  omr: 3,
  tnd: 3,
  isk: 0,
  ugx: 0,
  vnd: 0,
  xof: 0,
  xaf: 0,
  rwf: 0,
  huf: 2,
  try: 2,
  idr: 2,
  ron: 2,
  uah: 2,
  php: 2,
  myr: 2,
  sar: 2,
  qar: 2,
  egp: 2,
  mad: 2,
  ngn: 2,
  kes: 2,
  ghs: 2,
  pkr: 2,
  bdt: 2,
  lkr: 2,
  kzt: 2,
  gel: 2,
  rsd: 2,
  crc: 2,
  gtq: 2,
  dop: 2,
  hnl: 2,
  nio: 2,
  pab: 2,
} as const;

/** Lowercase ISO 4217 code of a supported currency. */
export type Currency = keyof typeof exponents;

/** Supported currencies in the documented order (GLO-9). */
export const currencies = Object.keys(exponents) as readonly Currency[];

/** Returns true if the string is the lowercase code of a supported currency. */
export const isCurrency = (code: string): code is Currency => Object.hasOwn(exponents, code);

/** Returns the number of decimals of a currency: 0, 2, or 3. Throws for an unsupported currency. */
export function exponentOf(currency: string): 0 | 2 | 3 {
  if (!isCurrency(currency)) throw new Error(`The currency ${currency} is not supported.`);
  return exponents[currency];
}

const minorByExponent = { 0: 1n, 2: 100n, 3: 1_000n } as const;

/** Returns the number of minor units in one unit of a currency: 1, 100, or 1,000. Throws for an unsupported currency. */
export const minorPerUnit = (currency: string): bigint => minorByExponent[exponentOf(currency)];

/**
 * Returns `numerator ÷ denominator` rounded to a whole number, half away from zero (GLO-11). The denominator
 * must be positive.
 */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('The denominator of a rounded division is positive.');
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * Converts a rate (10,000 = 1.00) to minor units, rounded half up (GLO-10, GLO-11). If `rate` includes
 * further factors, pass the matching divisor, such as the days of a period, so that the result is rounded
 * only once.
 */
export const rateToMinor = (rate: bigint, currency: string, divisor = 1n): bigint =>
  divideRounded(rate * minorPerUnit(currency), rateScale * divisor);

/** Converts minor units to a rate (10,000 = 1.00) without rounding (GLO-10). */
export const minorToRate = (minor: bigint, currency: string): bigint =>
  (minor * rateScale) / minorPerUnit(currency);

/** Returns a percentage (in basis points) of an amount, rounded half up. */
export const shareOf = (amount: bigint, basisPoints: bigint): bigint =>
  divideRounded(amount * basisPoints, basisPointScale);

/**
 * Converts an amount to a JSON number. Throws a RangeError above 2⁵³−1, which shouldn't occur because such
 * amounts are rejected before they're stored.
 */
export function wireAmount(amount: bigint): number {
  const value = Number(amount);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The amount ${amount} cannot be sent without loss.`);
  return value;
}

export const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b);

export const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b);

export const sumOf = (amounts: readonly bigint[]): bigint =>
  amounts.reduce((sum, amount) => sum + amount, 0n);
