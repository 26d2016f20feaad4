import { useMemo } from 'react';
import { boundedCountText, countText, percentText } from '../../../ui/format/numbers.ts';
import { addressOf, useAddressSearch } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Spark } from '../../kit/charts/spark.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { LinkTabs } from '../../kit/link-tabs.tsx';
import { useKit } from '../../kit/provider.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { useMoney, useRates } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { sumOf } from '../../parts/metrics/rates.ts';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { changeOf, lostIn, type Span, spanOf, spans, spansOf } from './figures.ts';
import { HomeFiguresDocument, type HomeFiguresQuery } from './page.graphql';

/** Event types that change metrics other than recurring revenue. */
const kinds = ['payment.', 'customer.created', 'subscription.'];

/**
 * Metrics for the last 30 days, this month or the last 12 months, compared with the previous period. `currency` is `null` while loading.
 */
export function FigureTiles({ currency }: { readonly currency: CurrencyCode | null }) {
  const words = useWords('home');
  const [search] = useAddressSearch();
  const span = spanOf(search['span']);
  return (
    <Card
      title={words.figures}
      actions={
        <LinkTabs
          label={words.span}
          selected={span}
          items={spans.map((id) => ({
            id,
            label: words.spans[id],
            href: addressOf('home', null, { span: id === 'days30' ? undefined : id }),
          }))}
        />
      }
    >
      {currency === null ? <WaitingTiles /> : <LoadedTiles currency={currency} span={span} />}
    </Card>
  );
}

function LoadedTiles({ currency, span }: { readonly currency: CurrencyCode; readonly span: Span }) {
  const hour = useHour();
  const days = useMemo(() => spansOf(span, new Date(hour)), [span, hour]);
  const { data, error, refetch } = useSeries(
    HomeFiguresDocument,
    { ...days, currency },
    { interval: days.interval, currency, kinds },
  );
  if (data !== null) return <Figures data={data} currency={currency} span={span} />;
  return error === null ? <WaitingTiles /> : <DataError error={error} onRetry={refetch} />;
}

/** Placeholder with the height of the metrics, so that the layout doesn't shift when they load. */
function WaitingTiles() {
  const words = useWords('home');
  const blank = '\u00a0';
  return (
    <Columns count={3}>
      {[words.mrr, words.collected, words.payingCustomers].map((label) => (
        <FigureTile
          key={label}
          label={label}
          value={blank}
          note={blank}
          spark={<Spark label={label} values={[0, 0]} />}
        />
      ))}
      {[words.churn, words.newCustomers, words.declined].map((label) => (
        <FigureTile key={label} label={label} value={blank} note={blank} />
      ))}
    </Columns>
  );
}

type FiguresProps = { readonly data: HomeFiguresQuery; readonly currency: CurrencyCode; readonly span: Span };

function Figures({ data, currency, span }: FiguresProps) {
  const [series] = data.metrics.mrr;
  return (
    <Stack>
      {series !== undefined && <Notices {...series} />}
      <Columns count={3}>
        <RevenueTiles data={data} currency={currency} span={span} />
        <CustomerTiles data={data} currency={currency} span={span} />
      </Columns>
    </Stack>
  );
}

/** Tiles for recurring revenue and collected amounts. */
function RevenueTiles({ data, currency, span }: FiguresProps) {
  const words = useWords('home');
  const rate = useRates(currency).format;
  const money = useMoney(currency).format;
  const points = data.metrics.mrr[0]?.points ?? [];
  const [first, last] = [points[0], points.at(-1)];
  const mrr = last === undefined ? 0 : last.closing;
  const cash = data.metrics.cash[0]?.points ?? [];
  const collected = sumOf(cash.map((point) => point.collected));
  const refunded = sumOf(cash.map((point) => point.refunded));
  const before = sumOf((data.metricsBefore.cash[0]?.points ?? []).map((point) => point.collected));
  const text = (format: (amount: number) => string, amount: number | null) =>
    amount === null ? words.unknown : format(amount);
  const label = (name: string, amount: string) =>
    words.course({ name, span: words.spans[span], value: amount });
  return (
    <>
      <FigureTile
        label={<Link href={addressOf('metrics')}>{words.mrr}</Link>}
        value={text(rate, mrr)}
        change={changeOf(mrr, first?.opening ?? null)}
        spark={
          <Spark label={label(words.mrr, text(rate, mrr))} values={points.map(({ closing }) => closing)} />
        }
        note={words.arr({ amount: text(rate, last === undefined ? 0 : last.arr) })}
      />
      <FigureTile
        label={<Link href={addressOf('metrics', null, { view: 'cash' })}>{words.collected}</Link>}
        value={text(money, collected)}
        change={changeOf(collected, before)}
        spark={
          <Spark
            label={label(words.collected, text(money, collected))}
            values={cash.map((point) => point.collected)}
          />
        }
        note={words.refunded({ amount: text(money, refunded) })}
      />
    </>
  );
}

/** Tiles for paying, churned and new customers, and for declined payments. */
function CustomerTiles({ data, span }: FiguresProps) {
  const { locale } = useKit();
  const words = useWords('home');
  const points = data.metrics.mrr[0]?.points ?? [];
  const earlier = data.metricsBefore.mrr[0]?.points ?? [];
  const paying = points.at(-1)?.payingCustomers ?? 0;
  const payingBefore = earlier.at(-1)?.payingCustomers ?? 0;
  const lost = lostIn(points);
  const count = (value: number) => countText(value, locale);
  const { newCustomers, newCustomersBefore, declined, declinedBefore, trialing } = data;
  return (
    <>
      <FigureTile
        label={<Link href={addressOf('subscriptions')}>{words.payingCustomers}</Link>}
        value={count(paying)}
        change={changeOf(paying, payingBefore)}
        spark={
          <Spark
            label={words.course({
              name: words.payingCustomers,
              span: words.spans[span],
              value: count(paying),
            })}
            values={points.map(({ payingCustomers }) => payingCustomers)}
          />
        }
        note={words.trialing({
          count: trialing.totalCount.value,
          isExact: trialing.totalCount.isExact,
        })}
      />
      <FigureTile
        label={<Link href={addressOf('metrics', null, { view: 'retention' })}>{words.churn}</Link>}
        value={payingBefore === 0 ? words.unknown : percentText(lost / payingBefore, locale)}
        note={words.lost({ count: lost, before: lostIn(earlier) })}
      />
      <FigureTile
        label={<Link href={addressOf('customers')}>{words.newCustomers}</Link>}
        value={boundedCountText(newCustomers.totalCount, locale)}
        change={changeOf(newCustomers.totalCount.value, newCustomersBefore.totalCount.value)}
        note={words.before({ value: boundedCountText(newCustomersBefore.totalCount, locale) })}
      />
      <FigureTile
        label={<Link href={addressOf('payments')}>{words.declined}</Link>}
        isMoreWorse
        value={boundedCountText(declined.totalCount, locale)}
        change={changeOf(declined.totalCount.value, declinedBefore.totalCount.value)}
        note={words.before({ value: boundedCountText(declinedBefore.totalCount, locale) })}
      />
    </>
  );
}
