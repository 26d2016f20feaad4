// Amounts in other currencies than USD: exchange rates as exact decimals, and what is derived by them
// (CAT-25, CAT-26).
import { divideRounded, divideUp, exponentOf } from '../money.ts';

/** Decimals an exchange rate may have. */
const rateDecimals = 8;

const rateUnit = 10n ** BigInt(rateDecimals);

/**
 * An exchange rate as a whole number of hundred-millionths, exactly as it was written: the shortest decimal
 * of the number is read digit by digit. Null for one that is not above 0 or has more than eight decimals.
 */
export function parseExchangeRate(rate: number): bigint | null {
  const found = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(rate));
  if (found === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = found;
  const shift = rateDecimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  const isExact = shift >= 0 || scaled * 10n ** BigInt(-shift) === digits;
  return isExact && scaled > 0n ? scaled : null;
}

/** An exchange rate as JSON carries it: the number whose shortest decimal it is. */
export const exchangeRateNumber = (rateE8: bigint): number =>
  Number(`${rateE8 / rateUnit}.${(rateE8 % rateUnit).toString().padStart(rateDecimals, '0')}`);

/**
 * US cents, with all further factors multiplied in, as minor units of a currency, rounded half up once
 * (CAT-26, GLO-11). A divisor among the factors is given apart.
 */
export const localMinor = (usdMinor: bigint, rateE8: bigint, currency: string, divisor = 1n): bigint =>
  divideRounded(usdMinor * rateE8 * 10n ** BigInt(exponentOf(currency)), 100n * rateUnit * divisor);

/**
 * Minor units of a currency as US cents, rounded half up (PAY-24, GLO-11): what `localMinor` leads away from.
 */
export const usdMinor = (localMinor: bigint, rateE8: bigint, currency: string): bigint =>
  divideRounded(localMinor * 100n * rateUnit, rateE8 * 10n ** BigInt(exponentOf(currency)));

/** A US dollar rate as a rate of the currency the exchange rate leads to, rounded up (CON-33). */
export const localRateUp = (usdRate: bigint, rateE8: bigint): bigint => divideUp(usdRate * rateE8, rateUnit);

/** A US dollar rate as a rate of the currency the exchange rate leads to, rounded half up (CAT-26). */
export const localRate = (usdRate: bigint, rateE8: bigint): bigint =>
  divideRounded(usdRate * rateE8, rateUnit);
