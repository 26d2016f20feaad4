import { decimalsOf, parseMoney } from '../../ui/format/money.ts';

/** Pattern for digits with at most the decimals of the currency. It rejects thousands separators, which could be parsed as decimal separators. */
const amountPattern = (decimals: number): RegExp =>
  decimals === 0 ? /^\d+$/ : new RegExp(`^\\d+([.,]\\d{1,${decimals}})?$`);

/**
 * Parses an entered amount to minor units. `null` if the amount is invalid or not above 0, or if a separator before 3 digits separates
 * thousands in the language.
 */
export function typedAmount(text: string, currency: string, language: string): number | null {
  if (!amountPattern(decimalsOf(currency)).test(text)) return null;
  const amount = parseMoney(text, currency, language);
  const isGrouped = /[.,]\d{3}$/.test(text) && amount !== Number(text.replace(/[.,]/, ''));
  return amount === null || amount <= 0 || isGrouped ? null : amount;
}
