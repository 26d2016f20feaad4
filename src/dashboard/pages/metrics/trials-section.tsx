import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { changesText } from './changes.ts';
import { daysFilter } from './day-filters.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsTrialsDocument, type MetricsTrialsQuery } from './series.graphql';
import type { Range } from './spans.ts';
import { useDaysText, usePointsOf } from './use-chart-values.ts';

const kinds = ['trial_', 'subscription_'] as const;
const outcomes = ['converted', 'lost', 'open'] as const;
const figures = ['started', 'ended', ...outcomes] as const;

type Series = MetricsTrialsQuery['metricsTrials'];
type Point = Series['points'][number];

export function TrialsSection({ range }: { readonly range: Range }) {
  const { from, to, interval } = range;
  const variables = { from, to, interval };
  const { data, error, refetch } = useSeries(MetricsTrialsDocument, variables, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading lines={16} />;
  return (
    <Stack gap={6}>
      <Notices isComplete={data.metricsTrials.isComplete} />
      <TrialsCard points={data.metricsTrials.points} range={range} />
    </Stack>
  );
}

type TrialsProps = { readonly points: readonly Point[]; readonly range: Range };

/** Card with trials, grouped by the interval of their start and by the interval of their end. */
function TrialsCard({ points, range }: TrialsProps) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const { from, to, interval } = range;
  const named = usePointsOf(interval)(points);
  const point = usePoint('trials', points);
  const count = (value: number) => countText(value, locale);
  const total = (figure: (typeof figures)[number]) => points.reduce((sum, one) => sum + one[figure], 0);
  const decided = total('converted') + total('lost');
  return (
    <Card
      title={words.trials}
      actions={<ExportButton kind="metrics_trials" variables={{ filter: { from, to, interval } }} />}
    >
      <Stack>
        <Text as="p">{words.trialsText}</Text>
        <Columns count={3}>
          <FigureTile label={words.trialFigures.started} value={count(total('started'))} />
          <FigureTile label={words.trialFigures.ended} value={count(total('ended'))} />
          <FigureTile
            label={words.conversion}
            value={
              decided === 0
                ? '–'
                : basisPointsText(Math.round((total('converted') * 10_000) / decided), locale)
            }
            note={words.conversionNote}
          />
        </Columns>
        {total('started') + total('ended') === 0 ? (
          <EmptyState title={words.noTrials}>{words.noTrialsText}</EmptyState>
        ) : (
          <>
            <BarChart
              label={words.trialsStarted}
              points={named}
              onChoose={point.open}
              series={[
                {
                  id: 'started',
                  label: words.trialFigures.started,
                  values: points.map(({ started }) => started),
                },
              ]}
              format={count}
            />
            <BarChart
              label={words.trialsEnded}
              points={named}
              onChoose={point.open}
              series={outcomes.map((outcome) => ({
                id: outcome,
                label: words.trialFigures[outcome],
                values: points.map((one) => one[outcome]),
              }))}
              format={count}
            />
          </>
        )}
      </Stack>
      {point.opened !== undefined && <TrialPoint point={point.opened} onClose={point.close} />}
    </Card>
  );
}

/** Sheet with the trials in an interval, and links to lists of those trials. */
function TrialPoint({ point, onClose }: { readonly point: Point; readonly onClose: () => void }) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const days = useDaysText();
  const { start, end, conversionBps } = point;
  return (
    <PointSheet
      title={words.trials}
      days={days(point)}
      facts={[
        ...figures.map((figure) => ({
          label: words.trialFigures[figure],
          value: countText(point[figure], locale),
        })),
        {
          label: words.conversion,
          value: conversionBps === null ? '–' : basisPointsText(conversionBps, locale),
        },
      ]}
      links={[
        {
          label: words.subscriptionsOfDays,
          href: addressOf('subscriptions', null, daysFilter('created', point)),
        },
        {
          label: words.convertedOfDays,
          href: addressOf('metrics', null, {
            from: start,
            until: end,
            changes: changesText({ from: start, to: end, kind: 'new', reason: 'trial_converted' }),
          }),
        },
      ]}
      onClose={onClose}
    />
  );
}
