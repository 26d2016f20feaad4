import { compactMoneyText, moneyText } from '../../../ui/format/money.ts';
import { useKit } from '../../kit/provider.tsx';
import { minorOf } from './rates.ts';

type AmountTexts = {
  readonly format: (amount: number) => string;
  readonly formatShort: (amount: number) => string;
};

/** Returns formatters for minor units of a currency: in full, and short for an axis. */
export function useMoney(currency: string): AmountTexts {
  const { locale } = useKit();
  return {
    format: (minor) => moneyText(minor, currency, locale),
    formatShort: (minor) => compactMoneyText(minor, currency, locale),
  };
}

/** Returns formatters that show rates of a currency as amounts: in full, and short for an axis. */
export function useRates(currency: string): AmountTexts {
  const money = useMoney(currency);
  return {
    format: (rate) => money.format(minorOf(rate, currency)),
    formatShort: (rate) => money.formatShort(minorOf(rate, currency)),
  };
}
