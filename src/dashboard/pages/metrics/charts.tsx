import { dateText } from '../../../ui/format/dates.ts';
import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import type { metrics } from '../../words/en/metrics.ts';
import { useWords } from '../../words/words.ts';
import type { MetricsPageQuery } from './page.graphql';
import type { Interval } from './spans.ts';
import { useMoney, usePointsOf } from './use-chart-values.ts';

type Metrics = MetricsPageQuery['metrics'];
const useMetricWords = () => useWords<typeof metrics>('metrics');

const orZero = (amount: number | null): number => amount ?? 0;

type CashProps = { readonly series: Metrics['cash'][number]; readonly interval: Interval };

/** What was collected and given back in each span, with the sums of all. */
export function CashCard({ series, interval }: CashProps) {
  const words = useMetricWords();
  const pointsOf = usePointsOf(interval);
  const money = useMoney(series.currency);
  const { points } = series;
  const returned = points.map(({ refunded, disputesLost }) => orZero(refunded) + orZero(disputesLost));
  const collected = points.map((point) => orZero(point.collected));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return (
    <Card title={words.cash}>
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
          series={[
            { id: 'collected', label: words.collected, values: collected },
            { id: 'returned', label: words.returned, values: returned.map((value) => 0 - value) },
          ]}
          {...money}
        />
      </Stack>
    </Card>
  );
}

type BilledProps = { readonly groups: Metrics['billed']; readonly interval: Interval };

/** What was billed in each span, by plan: the seven largest plans and the others as one. */
export function BilledCard({ groups, interval }: BilledProps) {
  const words = useMetricWords();
  const pointsOf = usePointsOf(interval);
  const money = useMoney(groups[0]?.currency ?? 'usd');
  const named = groups
    .map(({ group, points }) => ({
      id: group?.key ?? '',
      label: group === null || group.key === '' ? words.noPlan : group.name,
      values: points.map(({ amount }) => orZero(amount)),
    }))
    .map((series) => ({ ...series, size: series.values.reduce((sum, value) => sum + Math.abs(value), 0) }))
    .toSorted((a, b) => b.size - a.size);
  const [shown, rest] = [named.slice(0, 7), named.slice(7)];
  const others = rest[0]?.values.map((_value, place) =>
    rest.reduce((sum, { values }) => sum + (values[place] ?? 0), 0),
  );
  return (
    <Card title={words.billed}>
      <Stack>
        <Text as="p">{words.billedText}</Text>
        {named.length === 0 ? (
          <EmptyState title={words.nothingBilled} />
        ) : (
          <BarChart
            label={words.billed}
            points={pointsOf(groups[0]?.points ?? [])}
            series={[...shown, ...(others ? [{ id: 'others', label: words.others, values: others }] : [])]}
            {...money}
          />
        )}
      </Stack>
    </Card>
  );
}

const spans = ['notDue', 'd1To30', 'd31To60', 'd61To90', 'd91'] as const;

type ReceivablesProps = { readonly owed: Metrics['receivables'][number]; readonly day: string };

/** What customers owe at the end of the last day, by how long it is due. */
export function ReceivablesCard({ owed, day }: ReceivablesProps) {
  const { locale } = useKit();
  const words = useMetricWords();
  const money = useMoney(owed.currency);
  const outstanding = owed.daysSalesOutstanding;
  return (
    <Card title={words.receivables}>
      <Stack>
        <Text as="p">{words.receivablesText({ day: dateText(day, { locale, timeZone: 'UTC' }) })}</Text>
        <Columns count={2}>
          <FigureTile label={words.total} value={money.format(orZero(owed.total))} />
          <FigureTile
            label={words.daysOutstanding}
            value={outstanding === null ? '–' : words.days({ count: countText(outstanding, locale) })}
          />
        </Columns>
        {owed.total === 0 ? (
          <EmptyState title={words.nothingOwed} />
        ) : (
          <BarChart
            label={words.receivables}
            points={spans.map((span) => ({ id: span, label: words.ageing[span] }))}
            labelRoom={40}
            series={[
              { id: 'owed', label: words.receivables, values: spans.map((span) => orZero(owed[span])) },
            ]}
            {...money}
          />
        )}
      </Stack>
    </Card>
  );
}

const outcomes = ['recovered', 'exhausted', 'canceled', 'voided', 'open'] as const;

type RecoveryProps = { readonly series: Metrics['recovery'][number]; readonly interval: Interval };

/** What became of failed payments, by the span of their first failure. */
export function RecoveryCard({ series, interval }: RecoveryProps) {
  const { locale } = useKit();
  const words = useMetricWords();
  const pointsOf = usePointsOf(interval);
  const { points } = series;
  const countOf = (outcome: (typeof outcomes)[number]) =>
    points.map((point) => point.outcomes.find((one) => one.outcome === outcome)?.count ?? 0);
  const total = (outcome: (typeof outcomes)[number]) =>
    countOf(outcome).reduce((sum, count) => sum + count, 0);
  const ended = total('recovered') + total('exhausted') + total('canceled');
  const rate = ended === 0 ? '–' : basisPointsText(Math.round((total('recovered') * 10_000) / ended), locale);
  const count = (value: number) => countText(value, locale);
  return (
    <Card title={words.recovery}>
      <Stack>
        <Text as="p">{words.recoveryText}</Text>
        <FigureTile
          label={words.recoveryRate}
          value={rate}
          note={words.invoices({ count: count(ended + total('open')) })}
        />
        {ended + total('voided') + total('open') === 0 ? (
          <EmptyState title={words.nothingFailed} />
        ) : (
          <BarChart
            label={words.recovery}
            points={pointsOf(points)}
            series={outcomes.map((outcome) => ({
              id: outcome,
              label: words.outcomes[outcome],
              values: countOf(outcome),
            }))}
            format={count}
          />
        )}
      </Stack>
    </Card>
  );
}
