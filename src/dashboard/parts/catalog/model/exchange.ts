import { divideRounded, exponentOf } from '../../../../domain/money/money.ts';

// Calculates amounts in other currencies from US dollars before they are saved, with the same formulas as the service.

const rateDecimals = 8;

/** Converts an exchange rate to units of 0.00000001 without rounding. `null` if the rate isn't above 0 or has more than 8 decimals. */
export function exchangeRateE8(rate: number): bigint | null {
  const found = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(rate));
  if (found === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = found;
  const shift = rateDecimals - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const scaled = shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
  const isExact = shift >= 0 || scaled * 10n ** BigInt(-shift) === digits;
  return isExact && scaled > 0n ? scaled : null;
}

/** Converts US cents to minor units of a currency, rounded half up. `null` for an invalid rate. */
export function convertedMinor(usdMinor: number, rate: number, currency: string): number | null {
  const rateE8 = exchangeRateE8(rate);
  if (rateE8 === null) return null;
  const factor = BigInt(usdMinor) * rateE8 * 10n ** BigInt(exponentOf(currency));
  return Number(divideRounded(factor, 100n * 10n ** BigInt(rateDecimals)));
}

/** Converts a unit price in US dollars to the currency of the exchange rate, rounded half up. `null` for an invalid rate. */
export function convertedRate(usdRate: number, rate: number): number | null {
  const rateE8 = exchangeRateE8(rate);
  return rateE8 === null
    ? null
    : Number(divideRounded(BigInt(usdRate) * rateE8, 10n ** BigInt(rateDecimals)));
}
