import { monthText, shortDateText } from '../../../ui/format/dates.ts';
import type { ChartPoint } from '../../kit/charts/chart-frame.tsx';
import { useKit } from '../../kit/provider.tsx';
import { useWords } from '../../words/words.ts';
import type { Days } from './day-filters.ts';
import type { Interval } from './spans.ts';

type Dated = { readonly start: string; readonly isClosed?: boolean };

/** Returns a function that labels chart points with dates or months, and marks points whose value can still change. */
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

/** Returns a function that formats a date range. */
export function useDaysText(): (days: Days) => string {
  const { locale } = useKit();
  const words = useWords('mrr');
  const day = (text: string) => shortDateText(text, { locale, timeZone: 'UTC' });
  return ({ start, end }) => words.days({ from: day(start), to: day(end) });
}
