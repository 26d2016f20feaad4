import { monthText, shortDateText } from '../../../ui/format/dates.ts';
import { compactMoneyText, moneyText } from '../../../ui/format/money.ts';
import type { ChartPoint } from '../../kit/charts/chart-frame.tsx';
import { useKit } from '../../kit/provider.tsx';
import type { mrr } from '../../words/en/mrr.ts';
import { useWords } from '../../words/words.ts';
import type { Days } from './day-filters.ts';
import { minorOf } from './mrr.ts';
import type { Interval } from './spans.ts';

type Dated = { readonly start: string; readonly isClosed?: boolean };

/** Names the points of a chart by their days or months, and marks those that are not over. */
export function usePointsOf(interval: Interval): (points: readonly Dated[]) => ChartPoint[] {
  const { locale } = useKit();
  const settings = { locale, timeZone: 'UTC' };
  const label = interval === 'day' || interval === 'week' ? shortDateText : monthText;
  return (points) =>
    points.map(({ start, isClosed = true }) => ({
      id: start,
      label: label(start, settings),
      isOpen: !isClosed,
    }));
}

type AmountTexts = {
  readonly format: (amount: number) => string;
  readonly formatShort: (amount: number) => string;
};

/** Writes minor units of a currency in full, and in short for an axis. */
export function useMoney(currency: string): AmountTexts {
  const { locale } = useKit();
  return {
    format: (minor) => moneyText(minor, currency, locale),
    formatShort: (minor) => compactMoneyText(minor, currency, locale),
  };
}

/** Writes rates of a currency as amounts, in full and in short. */
export function useRates(currency: string): AmountTexts {
  const money = useMoney(currency);
  return {
    format: (rate) => money.format(minorOf(rate, currency)),
    formatShort: (rate) => money.formatShort(minorOf(rate, currency)),
  };
}

/** Writes days from the first to the last. */
export function useDaysText(): (days: Days) => string {
  const { locale } = useKit();
  const words = useWords<typeof mrr>('mrr');
  const day = (text: string) => shortDateText(text, { locale, timeZone: 'UTC' });
  return ({ start, end }) => words.days({ from: day(start), to: day(end) });
}
