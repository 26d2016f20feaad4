import { divideRounded, exponentOf } from '../../../../domain/money.ts';

// Amounts in other currencies as the service derives them from US dollars, for showing them before they are saved.

const rateDecimals = 8;

/** An exchange rate in hundred-millionths, digit by digit as written; null for one that is not above 0 or has more than eight decimals. */
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

/** US cents as minor units of a currency, rounded half up; null for a rate that cannot be. */
export function convertedMinor(usdMinor: number, rate: number, currency: string): number | null {
  const rateE8 = exchangeRateE8(rate);
  if (rateE8 === null) return null;
  const factor = BigInt(usdMinor) * rateE8 * 10n ** BigInt(exponentOf(currency));
  return Number(divideRounded(factor, 100n * 10n ** BigInt(rateDecimals)));
}

/** A unit price in US dollars as one in the currency of the exchange rate, rounded half up; null for a rate that cannot be. */
export function convertedRate(usdRate: number, rate: number): number | null {
  const rateE8 = exchangeRateE8(rate);
  return rateE8 === null
    ? null
    : Number(divideRounded(BigInt(usdRate) * rateE8, 10n ** BigInt(rateDecimals)));
}
