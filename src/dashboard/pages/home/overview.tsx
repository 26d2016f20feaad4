import { useMemo } from 'react';
import { dateText, monthText, shortDateText } from '../../../ui/format/dates.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { AreaChart } from '../../kit/charts/area-chart.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Change } from '../../kit/charts/change.tsx';
import { type ChartPoint, type ChartProps, ChartSpace } from '../../kit/charts/chart-frame.tsx';
import { FigureChoice } from '../../kit/charts/figure-choice.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Segments } from '../../kit/segments.tsx';
import { Text } from '../../kit/text.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { useMoney, useRates } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { useFigureTexts } from './figure-texts.tsx';
import { type Figure, figureOf, figures, lostIn, type Span, spanOf, spans, spansOf } from './figures.ts';
import { HomeFiguresDocument, type HomeFiguresQuery, type HomeMrrPointFragment } from './page.graphql';

/** Event types that change metrics other than recurring revenue. */
const kinds = ['payment_', 'subscription_'] as const;

const chartHeight = 280;

/** Period, metrics with their changes, and a chart of the selected metric. Shows a placeholder if `currency` is `null`. */
export function Overview({ currency }: { readonly currency: CurrencyCode | null }) {
  const words = useWords('home');
  const [search] = useAddressSearch();
  const [span, figure] = [spanOf(search['span']), figureOf(search['figure'])];
  return (
    <Stack gap={3}>
      <Row gap={3}>
        <Segments
          label={words.span}
          selected={span}
          items={spans.map((id) => ({ id, label: words.spans[id], href: placeOf(id, figure) }))}
        />
        <Text size="sm" color="muted">
          {words.compared[span]}
        </Text>
      </Row>
      {currency === null ? (
        <Waiting span={span} figure={figure} />
      ) : (
        <Loaded currency={currency} span={span} figure={figure} />
      )}
    </Stack>
  );
}

/** Returns the URL of Home with a period and a metric. Omits the defaults. */
const placeOf = (span: Span, figure: Figure): string =>
  addressOf('home', null, {
    span: span === 'days30' ? undefined : span,
    figure: figure === 'mrr' ? undefined : figure,
  });

type Chosen = { readonly span: Span; readonly figure: Figure };

function Loaded({ currency, span, figure }: Chosen & { readonly currency: CurrencyCode }) {
  const hour = useHour();
  const { from, to, beforeFrom, beforeTo, interval } = useMemo(
    () => spansOf(span, new Date(hour)),
    [span, hour],
  );
  const { data, error, refetch } = useSeries(
    HomeFiguresDocument,
    { from, to, beforeFrom, beforeTo, interval, currency },
    { interval, currency, kinds },
  );
  if (error !== null && data === null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Waiting span={span} figure={figure} />;
  return <Figures data={data} currency={currency} span={span} figure={figure} />;
}

/** Placeholder with the height of the metrics, so that the layout doesn't shift when they load. */
function Waiting({ span, figure }: Chosen) {
  const words = useWords('home');
  return (
    <>
      <FigureChoice
        label={words.figures}
        selected={figure}
        items={figures.map((id) => ({
          id,
          label: words.names[id],
          value: '\u00a0',
          href: placeOf(span, id),
        }))}
      />
      <ChartSpace height={chartHeight} />
    </>
  );
}

type FiguresProps = Chosen & { readonly data: HomeFiguresQuery; readonly currency: CurrencyCode };

function Figures({ data, currency, span, figure }: FiguresProps) {
  const words = useWords('home');
  const texts = useFigureTexts(data, currency);
  const [series] = data.metrics.mrr;
  return (
    <>
      {series !== undefined && <Notices {...series} />}
      <FigureChoice
        label={words.figures}
        selected={figure}
        items={figures.map((id) => ({
          id,
          label: words.names[id],
          value: texts[id].value,
          href: placeOf(span, id),
          note: (
            <>
              {texts[id].change !== null && (
                <Change share={texts[id].change} isMoreWorse={id === 'churn'}>
                  {texts[id].changeText}
                </Change>
              )}
              {texts[id].before !== null && <span>{words.from({ value: texts[id].before })}</span>}
            </>
          ),
        }))}
      />
      <Hero data={data} currency={currency} span={span} figure={figure} />
    </>
  );
}

/** Returns the points of the time axis. Weeks are labeled at the first week of a month, and days of a longer period on Mondays. */
function usePoints(
  points: readonly Pick<HomeMrrPointFragment, 'start' | 'isClosed'>[],
  span: Span,
): ChartPoint[] {
  const settings = useKit();
  const words = useWords('home');
  const axisOf = (start: string, index: number): string | undefined => {
    const day = new Date(start).getUTCDate();
    if (span === 'days7') return shortDateText(start, settings);
    if (span !== 'year')
      return new Date(start).getUTCDay() === 1 ? shortDateText(start, settings) : undefined;
    if (day > 7) return undefined;
    const isYearShown = index < 7 || new Date(start).getUTCMonth() === 0;
    const text = monthText(start, settings);
    return isYearShown ? text : text.replace(/\s*\d{4}$/, '').replace(/\s+de$/, '');
  };
  return points.map(({ start, isClosed }, index) => {
    const axis = axisOf(start, index);
    const date = dateText(start, settings);
    return {
      id: start,
      label: span === 'year' ? words.weekOf({ date }) : date,
      isOpen: !isClosed,
      ...(axis !== undefined && { axis }),
    };
  });
}

/** Chart of the selected metric, with the previous period. */
function Hero({ data, currency, span, figure }: FiguresProps) {
  const { locale } = useKit();
  const words = useWords('home');
  const rates = useRates(currency);
  const money = useMoney(currency);
  const mrr = data.metrics.mrr[0]?.points ?? [];
  const mrrBefore = data.metricsBefore.mrr[0]?.points ?? [];
  const cash = data.metrics.cash[0]?.points ?? [];
  const cashBefore = data.metricsBefore.cash[0]?.points ?? [];
  const count = { format: (value: number) => countText(value, locale) };
  const points = usePoints(mrr, span);
  const cashByStart = new Map(cash.map((point) => [point.start, point.netCash]));
  const shown = {
    mrr: [mrr.map((point) => point.closing), mrrBefore.map((point) => point.closing), rates],
    cash: [
      mrr.map(({ start }) => cashByStart.get(start) ?? 0),
      cashBefore.map((point) => point.netCash),
      money,
    ],
    subscribers: [
      mrr.map((point) => point.payingCustomers),
      mrrBefore.map((point) => point.payingCustomers),
      count,
    ],
    churn: [mrr.map(lostIn), mrrBefore.map(lostIn), rates],
  } as const;
  const [values, before, format] = shown[figure];
  const name = figure === 'churn' ? words.lostMrr : words.names[figure];
  const chart: ChartProps = {
    label: name,
    points,
    series: [{ id: figure, label: words.periods[span].now, values }],
    comparison: { label: words.periods[span].before, values: before },
    height: chartHeight,
    ...format,
  };
  return (
    <Stack gap={2}>
      {figure === 'cash' || figure === 'churn' ? <BarChart {...chart} /> : <AreaChart {...chart} />}
      <Row justify="end">
        <Link href={addressOf('metrics', null, { view: figure === 'cash' ? 'cash' : undefined })}>
          {words.openMetrics}
        </Link>
      </Row>
    </Stack>
  );
}
