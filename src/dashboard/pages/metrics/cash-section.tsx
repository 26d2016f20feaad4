import { addressOf } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useMoney } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { daysFilter } from './day-filters.ts';
import { GroupField, useGroup } from './group-field.tsx';
import { largest } from './largest.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsCashDocument, type MetricsCashQuery } from './series.graphql';
import type { Range } from './spans.ts';
import { useDaysText, usePointsOf } from './use-chart-values.ts';

type Metrics = MetricsCashQuery['metrics'];
const useMetricWords = () => useWords('metrics');

const orZero = (amount: number | null): number => amount ?? 0;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

const dimensions = ['plan', 'line_type', 'invoice_type'] as const;

type Dimension = (typeof dimensions)[number];

/** Event types that change collected, refunded or billed amounts. */
const kinds = ['payment_', 'invoice_', 'balance_', 'credits_'] as const;

export function CashSection({ range }: { readonly range: Range }) {
  const groupBy = useGroup(dimensions);
  const { data, error, refetch } = useSeries(MetricsCashDocument, { ...range, groupBy }, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={24} />;
  const { cash, billed } = data.metrics;
  return (
    <Stack gap={6}>
      <Notices
        isComplete={cash.every(({ isComplete }) => isComplete)}
        missingRates={cash.flatMap(({ missingRates }) => missingRates)}
      />
      {cash.map((series) => (
        <CashCard key={series.currency} series={series} range={range} />
      ))}
      <BilledCard groups={billed} range={range} dimension={groupBy} />
    </Stack>
  );
}

type CashProps = { readonly series: Metrics['cash'][number]; readonly range: Range };

/** Chart and table of collected and refunded amounts by interval. */
function CashCard({ series: { currency, points }, range }: CashProps) {
  const words = useMetricWords();
  const pointsOf = usePointsOf(range.interval);
  const money = useMoney(currency);
  const point = usePoint('cash', points);
  const returned = points.map(({ refunded, disputesLost }) => orZero(refunded) + orZero(disputesLost));
  const collected = points.map((one) => orZero(one.collected));
  return (
    <Card
      title={words.cash}
      actions={<ExportButton kind="metrics_cash" label={words.cash} variables={{ filter: range }} />}
    >
      <Stack>
        <Text as="p">{words.cashText}</Text>
        <Columns count={3}>
          <FigureTile label={words.netCash} value={money.format(sum(collected) - sum(returned))} />
          <FigureTile label={words.collected} value={money.format(sum(collected))} />
          <FigureTile label={words.returned} value={money.format(sum(returned))} />
        </Columns>
        <BarChart
          label={words.cash}
          points={pointsOf(points)}
          onChoose={point.open}
          series={[
            { id: 'collected', label: words.collected, values: collected },
            { id: 'returned', label: words.returned, values: returned.map((value) => 0 - value) },
          ]}
          {...money}
        />
      </Stack>
      {point.opened !== undefined && (
        <CashPoint point={point.opened} currency={currency} onClose={point.close} />
      )}
    </Card>
  );
}

const cashFigures = [
  'collected',
  'refunded',
  'disputesLost',
  'netCash',
  'fees',
  'settledOutside',
  'writtenOff',
] as const;

type CashPointProps = {
  readonly point: CashProps['series']['points'][number];
  readonly currency: string;
  readonly onClose: () => void;
};

function CashPoint({ point, currency, onClose }: CashPointProps) {
  const words = useMetricWords();
  const days = useDaysText();
  const { format } = useMoney(currency);
  return (
    <PointSheet
      title={words.cash}
      days={days(point)}
      facts={cashFigures.map((figure) => ({
        label: words.cashFigures[figure],
        value: point[figure] === null ? '–' : format(point[figure]),
      }))}
      links={[{ label: words.paymentsOfDays, href: addressOf('payments', null, daysFilter('time', point)) }]}
      onClose={onClose}
    />
  );
}

type BilledProps = {
  readonly groups: Metrics['billed'];
  readonly range: Range;
  readonly dimension: Dimension;
};

/**
 * Chart and table of billed amounts by interval, grouped by plan, line item type or invoice type. Shows the seven largest groups, and combines all
 * others.
 */
function BilledCard({ groups, range, dimension }: BilledProps) {
  const words = useMetricWords();
  const days = useDaysText();
  const pointsOf = usePointsOf(range.interval);
  const money = useMoney(range.currency);
  const points = groups[0]?.points ?? [];
  const point = usePoint('billed', points);
  const at = points.findIndex(({ start }) => start === point.opened?.start);
  const nameOf = (group: BilledProps['groups'][number]['group']): string =>
    group === null || group.key === ''
      ? words.noGroup
      : group.key === 'other'
        ? words.others
        : dimension === 'plan'
          ? group.name
          : group.name.replaceAll('_', ' ');
  const named = groups.map(({ group, points: own }) => ({
    id: group?.key ?? '',
    label: nameOf(group),
    values: own.map(({ amount }) => orZero(amount)),
  }));
  return (
    <Card
      title={words.billed}
      actions={
        <ExportButton
          kind="metrics_billed"
          label={words.billed}
          variables={{ filter: { ...range, groupBy: dimension } }}
        />
      }
    >
      <Stack>
        <Text as="p">{words.billedText}</Text>
        <GroupField dimensions={dimensions} value={dimension} labels={words.billedBy} />
        {named.length === 0 ? (
          <EmptyState title={words.nothingBilled} />
        ) : (
          <BarChart
            label={words.billed}
            points={pointsOf(points)}
            onChoose={point.open}
            series={largest(named, words.others)}
            {...money}
          />
        )}
      </Stack>
      {point.opened !== undefined && (
        <PointSheet
          title={words.billed}
          days={days(point.opened)}
          facts={named
            .filter(({ values }) => values[at] !== 0)
            .map(({ label, values }) => ({ label, value: money.format(values[at] ?? 0) }))}
          links={[
            {
              label: words.invoicesOfDays,
              href: addressOf('invoices', null, daysFilter('issued', point.opened)),
            },
          ]}
          onClose={point.close}
        />
      )}
    </Card>
  );
}
