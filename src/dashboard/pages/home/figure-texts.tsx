import { countText, percentText } from '../../../ui/format/numbers.ts';
import { useKit } from '../../kit/provider.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { useMoney, useRates } from '../../parts/metrics/amounts.ts';
import { useWords } from '../../words/words.ts';
import { changeOf, type Figure, summaryOf } from './figures.ts';
import type { HomeFiguresQuery } from './page.graphql';

/** Formatted metric with its change. `before` is `null` if the previous value is unknown. */
type FigureText = {
  readonly value: string;
  /** Sign of the change, or the change as a fraction. `null` if there's nothing to compare with. */
  readonly change: number | null;
  readonly changeText: string;
  readonly before: string | null;
};

/** Changes above this fraction are shown only by their previous value. */
const maxChange = 9.99;

/** Formats the metrics of a period and their changes from the previous period. */
export function useFigureTexts(
  { metrics, metricsBefore }: HomeFiguresQuery,
  currency: CurrencyCode,
): Readonly<Record<Figure, FigureText>> {
  const words = useWords('home');
  const { locale } = useKit();
  const rate = useRates(currency).format;
  const money = useMoney(currency).format;
  const now = summaryOf(metrics.mrr[0]?.points ?? [], metrics.cash[0]?.points ?? []);
  const past = summaryOf(metricsBefore.mrr[0]?.points ?? [], metricsBefore.cash[0]?.points ?? []);
  const count = (value: number) => countText(value, locale);
  const share = (value: number) => percentText(value, locale);
  const text = (name: Figure, format: (value: number) => string): FigureText => {
    const [value, before] = [now[name], past[name]];
    const change = changeOf(value, before);
    const isShown = change !== null && Math.abs(change) <= maxChange;
    return {
      value: value === null ? words.unknown : format(value),
      change: isShown ? change : null,
      changeText: isShown ? percentText(Math.abs(change), locale) : '',
      before: before === null ? null : format(before),
    };
  };
  const subscribers = text('subscribers', count);
  const churn = text('churn', share);
  const points = now.churn === null || past.churn === null ? null : (now.churn - past.churn) * 100;
  return {
    mrr: text('mrr', rate),
    cash: text('cash', money),
    subscribers: {
      ...subscribers,
      changeText: count(Math.abs((now.subscribers ?? 0) - (past.subscribers ?? 0))),
    },
    churn: {
      ...churn,
      change: points,
      changeText: words.percentagePoints({ value: Math.abs(points ?? 0) }),
    },
  };
}
