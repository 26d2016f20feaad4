import { shortDateText } from '../../../ui/format/dates.ts';
import { addressOf } from '../../address.ts';
import { Callout } from '../../kit/callout.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { daysFilter } from './day-filters.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsScheduledDocument, type MetricsScheduledQuery } from './series.graphql';
import type { Range } from './spans.ts';
import { useDaysText } from './use-chart-values.ts';

const kinds = ['subscription_', 'trial_', 'seats_'] as const;

type Series = MetricsScheduledQuery['metricsScheduled']['series'][number];

/** Scheduled MRR changes, one card per currency. */
export function ScheduledSection({ range }: { readonly range: Range }) {
  const words = useWords('metrics');
  const { from, to } = range;
  const { data, error, refetch } = useSeries(MetricsScheduledDocument, { from, to }, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={16} />;
  const { isComplete, series } = data.metricsScheduled;
  const coming = series.filter(({ days }) => days.length > 0);
  return (
    <Stack gap={6}>
      {!isComplete && <Callout tone="info">{words.scheduledIncomplete}</Callout>}
      {coming.length === 0 && (
        <Card title={words.scheduled}>
          <EmptyState title={words.nothingScheduled}>{words.nothingScheduledText}</EmptyState>
        </Card>
      )}
      {coming.map((one) => (
        <ScheduledCard key={one.currency} series={one} range={range} />
      ))}
    </Stack>
  );
}

type ScheduledProps = { readonly series: Series; readonly range: Range };

/** Card with the scheduled MRR changes in one currency, by effective date. */
function ScheduledCard({ series: { currency, amount, trialMrr, days }, range }: ScheduledProps) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const money = useRates(currency);
  const { from, to } = range;
  const points = days.map((one) => ({ ...one, start: one.day, end: one.day }));
  const point = usePoint(`scheduled-${currency}`, points);
  const title = words.scheduledIn({ currency: currency.toUpperCase() });
  return (
    <Card
      title={title}
      actions={<ExportButton kind="metrics_scheduled" label={title} variables={{ filter: { from, to } }} />}
    >
      <Stack>
        <Text as="p">{words.scheduledText}</Text>
        <Columns count={2}>
          <FigureTile label={words.scheduledAmount} value={money.format(amount)} />
          <FigureTile label={words.trialMrr} value={money.format(trialMrr)} note={words.trialMrrNote} />
        </Columns>
        <BarChart
          label={title}
          points={points.map(({ start }) => ({
            id: start,
            label: shortDateText(start, { locale, timeZone: 'UTC' }),
          }))}
          onChoose={point.open}
          series={[
            { id: 'changes', label: words.scheduledAmount, values: days.map((one) => one.amount) },
            { id: 'trials', label: words.trialMrr, values: days.map((one) => one.trialMrr) },
          ]}
          {...money}
        />
      </Stack>
      {point.opened !== undefined && (
        <ScheduledPoint point={point.opened} format={money.format} onClose={point.close} />
      )}
    </Card>
  );
}

type ScheduledPointProps = {
  readonly point: Series['days'][number] & { readonly start: string; readonly end: string };
  readonly format: (rate: number) => string;
  readonly onClose: () => void;
};

/** Sheet with the changes on a day by reason, and the subscriptions whose period ends on that day. */
function ScheduledPoint({ point, format, onClose }: ScheduledPointProps) {
  const words = useWords('metrics');
  const { reasons } = useWords('mrr');
  const days = useDaysText();
  const value = (amount: number, count: number) => words.ofSubscriptions({ amount: format(amount), count });
  return (
    <PointSheet
      title={words.scheduled}
      days={days(point)}
      facts={[
        ...point.changes.map(({ reason, amount, subscriptions }) => ({
          label: reasons[reason],
          value: value(amount, subscriptions),
        })),
        ...(point.trials > 0 ? [{ label: words.trialMrr, value: value(point.trialMrr, point.trials) }] : []),
      ]}
      links={[
        {
          label: words.subscriptionsRenewing,
          href: addressOf('subscriptions', null, daysFilter('renews', point)),
        },
      ]}
      onClose={onClose}
    />
  );
}
