import { monthText, shortDateText } from '../../../ui/format/dates.ts';
import type { ChartPoint } from '../../kit/charts/chart-frame.tsx';
import { useKit } from '../../kit/provider.tsx';
import type { mrr } from '../../words/en/mrr.ts';
import { useWords } from '../../words/words.ts';
import type { Days } from './day-filters.ts';
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

/** Writes days from the first to the last. */
export function useDaysText(): (days: Days) => string {
  const { locale } = useKit();
  const words = useWords<typeof mrr>('mrr');
  const day = (text: string) => shortDateText(text, { locale, timeZone: 'UTC' });
  return ({ start, end }) => words.days({ from: day(start), to: day(end) });
}
