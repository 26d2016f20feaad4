// Exchange rates as exact decimals, and currency conversion of prices (CAT-25, CAT-26).
import { divideRounded, exponentOf } from '../money/money.ts';
import { powerOfTen, readDecimal } from '../rates/decimal.ts';
import { type Exact, ratio, times } from '../rates/exact.ts';

/** Maximum number of decimals of an exchange rate. */
const rateDecimals = 8;

const rateUnit = 10n ** BigInt(rateDecimals);

/**
 * Converts an exchange rate to hundred-millionths. Parses the shortest decimal representation of the number, so that the
 * result is exact. `null` if the rate isn't positive or has more than 8 decimals.
 */
export function parseExchangeRate(rate: number): bigint | null {
  const read = readDecimal(rate, { digits: Number.POSITIVE_INFINITY, decimals: rateDecimals });
  if (typeof read === 'string' || read.units === 0n) return null;
  return read.units * powerOfTen(rateDecimals - read.decimals);
}

/** Converts an exchange rate to a JSON number whose shortest decimal representation equals the rate. */
export const exchangeRateNumber = (rateE8: bigint): number =>
  Number(`${rateE8 / rateUnit}.${(rateE8 % rateUnit).toString().padStart(rateDecimals, '0')}`);

/** Converts US cents to minor units of a currency, rounded half up once (CAT-26, GLO-11). */
export const localMinor = (usdMinor: bigint, rateE8: bigint, currency: string): bigint =>
  divideRounded(usdMinor * rateE8 * 10n ** BigInt(exponentOf(currency)), 100n * rateUnit);

/**
 * Converts minor units of a currency to US cents, rounded half up (PAY-24, GLO-11). The inverse of
 * `localMinor`.
 */
export const usdMinor = (localMinor: bigint, rateE8: bigint, currency: string): bigint =>
  divideRounded(localMinor * 100n * rateUnit, rateE8 * 10n ** BigInt(exponentOf(currency)));

/**
 * Converts an exact amount in US dollars to another currency, without rounding (PRM-116). `null` if the currency has no
 * exchange rate.
 */
export function usdToLocal(usd: Exact, currency: string, rateE8: bigint | null): Exact | null {
  if (currency === 'usd') return usd;
  return rateE8 === null ? null : times(usd, ratio(rateE8, rateUnit));
}

/**
 * Converts a rate in US dollars (10,000 = 1.00) to the currency of the exchange rate, rounded half up
 * (CAT-26).
 */
export const localRate = (usdRate: bigint, rateE8: bigint): bigint =>
  divideRounded(usdRate * rateE8, rateUnit);
