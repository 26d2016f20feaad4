import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useMoney } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { daysFilter } from './day-filters.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsRecoveryDocument, type MetricsRecoveryQuery } from './series.graphql';
import type { Range } from './spans.ts';
import { useDaysText, usePointsOf } from './use-chart-values.ts';

const outcomes = ['recovered', 'exhausted', 'canceled', 'voided', 'open'] as const;
const kinds = ['payment_', 'invoice_voided', 'subscription_canceled', 'subscription_past_due'] as const;

export function RecoverySection({ range }: { readonly range: Range }) {
  const { data, error, refetch } = useSeries(MetricsRecoveryDocument, range, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={16} />;
  return (
    <Stack gap={6}>
      {data.metricsRecovery.map((series) => (
        <Stack key={series.currency} gap={6}>
          <Notices {...series} />
          <RecoveryCard series={series} range={range} />
        </Stack>
      ))}
    </Stack>
  );
}

type Series = MetricsRecoveryQuery['metricsRecovery'][number];
type Point = Series['points'][number];

const countOf = ({ outcomes: all }: Point, outcome: (typeof outcomes)[number]): number =>
  all.find((one) => one.outcome === outcome)?.count ?? 0;

type RecoveryProps = { readonly series: Series; readonly range: Range };

/** Card with failed payments, by the interval of their first failure. */
function RecoveryCard({ series: { currency, points }, range }: RecoveryProps) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const pointsOf = usePointsOf(range.interval);
  const point = usePoint('recovery', points);
  const total = (outcome: (typeof outcomes)[number]) =>
    points.reduce((sum, one) => sum + countOf(one, outcome), 0);
  const ended = total('recovered') + total('exhausted') + total('canceled');
  const rate = ended === 0 ? '–' : basisPointsText(Math.round((total('recovered') * 10_000) / ended), locale);
  const count = (value: number) => countText(value, locale);
  return (
    <Card
      title={words.recovery}
      actions={<ExportButton kind="metrics_recovery" variables={{ filter: range }} />}
    >
      <Stack>
        <Text as="p">{words.recoveryText}</Text>
        <FigureTile
          label={words.recoveryRate}
          value={rate}
          note={words.invoices({ count: ended + total('open') })}
        />
        {ended + total('voided') + total('open') === 0 ? (
          <EmptyState title={words.nothingFailed} />
        ) : (
          <BarChart
            label={words.recovery}
            points={pointsOf(points)}
            onChoose={point.open}
            series={outcomes.map((outcome) => ({
              id: outcome,
              label: words.outcomes[outcome],
              values: points.map((one) => countOf(one, outcome)),
            }))}
            format={count}
          />
        )}
      </Stack>
      {point.opened !== undefined && (
        <RecoveryPoint point={point.opened} currency={currency} onClose={point.close} />
      )}
    </Card>
  );
}

type RecoveryPointProps = {
  readonly point: Point;
  readonly currency: string;
  readonly onClose: () => void;
};

/** Sheet with the outcomes of an interval's failed payments, and how they were recovered. */
function RecoveryPoint({ point, currency, onClose }: RecoveryPointProps) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const days = useDaysText();
  const money = useMoney(currency);
  const value = ({ count, amount }: { readonly count: number; readonly amount: number | null }) =>
    `${countText(count, locale)} · ${amount === null ? '–' : money.format(amount)}`;
  const share = (bps: number | null) => (bps === null ? '–' : basisPointsText(bps, locale));
  return (
    <PointSheet
      title={words.recovery}
      days={days(point)}
      facts={[
        { label: words.rateByCount, value: share(point.rateByCountBps) },
        { label: words.rateByAmount, value: share(point.rateByAmountBps) },
        ...point.outcomes.map((one) => ({ label: words.outcomes[one.outcome], value: value(one) })),
        ...point.attempts.map((one) => ({
          label: words.attempt({ number: countText(one.attempt, locale) }),
          value: value(one),
        })),
        ...point.recoveredBy.map((one) => ({ label: words.makers[one.maker], value: value(one) })),
      ]}
      links={[
        {
          label: words.failedPayments,
          href: addressOf('payments', null, { view: 'failed', ...daysFilter('time', point) }),
        },
      ]}
      onClose={onClose}
    />
  );
}
