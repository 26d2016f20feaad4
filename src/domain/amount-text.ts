// Amounts as people read them. They stay exact: they reach the formatter as decimal texts.
import { exponentOf } from './money.ts';

/** Languages emails and documents are written in. */
export type Language = 'en' | 'es';

/** A whole number of 10^-decimals as a decimal text. */
export function decimalText(amount: bigint, decimals: number): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return amount < 0n ? `-${text}` : text;
}

/** Formats made before: making one costs as much as a hundred uses. There are few: languages times currencies. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

function formatted(
  text: string,
  currency: string,
  language: Language,
  decimals: number,
  mostDecimals: number,
): string {
  const format = moneyFormats.getOrInsertComputed(
    `${language} ${currency} ${mostDecimals}`,
    () =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: currency.toUpperCase(),
        minimumFractionDigits: decimals,
        maximumFractionDigits: mostDecimals,
      }),
  );
  // Made of digits above; the type wants a literal.
  return format.format(text as Intl.StringNumericLiteral);
}

/** Minor units with the sign and the decimals of the currency. */
export function amountText(minor: bigint, currency: string, language: Language): string {
  const decimals = exponentOf(currency);
  return formatted(decimalText(minor, decimals), currency, language, decimals, decimals);
}

/** A rate (10 000 is 1.00), with as many decimals as it needs: those of the currency, or up to four. */
export const rateText = (rate: bigint, currency: string, language: Language): string =>
  formatted(decimalText(rate, 4), currency, language, exponentOf(currency), 4);
