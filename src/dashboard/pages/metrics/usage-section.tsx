import { countText } from '../../../ui/format/numbers.ts';
import { addressOf, useAddressSearch } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { daysFilter } from './day-filters.ts';
import { GroupField, useGroup } from './group-field.tsx';
import { largest } from './largest.ts';
import { PointSheet, usePoint } from './point-sheet.tsx';
import { MetricsUsageDocument, type MetricsUsageQuery } from './series.graphql';
import type { Range } from './spans.ts';
import { useDaysText, usePointsOf } from './use-chart-values.ts';

const dimensions = ['feature', 'model', 'plan', 'customer'] as const;
const measures = ['units', 'events', 'credits'] as const;
const figures = [...measures, 'lateUnits'] as const;
const kinds = ['usage_'] as const;

type Dimension = (typeof dimensions)[number];
type Groups = MetricsUsageQuery['metricsUsage'];
type Group = Groups[number];

const total = ({ points }: Group, figure: (typeof figures)[number]): number =>
  points.reduce((sum, point) => sum + point[figure], 0);

/** Usage by day, grouped by feature, AI model, plan or customer. */
export function UsageSection({ range }: { readonly range: Range }) {
  const words = useWords('metrics');
  const groupBy = useGroup(dimensions);
  const { from, to, interval } = range;
  const variables = { from, to, interval, groupBy };
  const { data, error, refetch } = useSeries(MetricsUsageDocument, variables, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  const groups = data?.metricsUsage ?? null;
  return (
    <Stack gap={6}>
      <Notices isComplete={groups === null || groups.every(({ isComplete }) => isComplete)} />
      <Card
        title={words.usage}
        actions={<ExportButton kind="metrics_usage" variables={{ filter: variables }} />}
      >
        <Stack>
          <Text as="p">{words.usageText}</Text>
          {groups === null ? (
            <Loading lines={16} />
          ) : (
            <Usage groups={groups} range={range} dimension={groupBy} />
          )}
        </Stack>
      </Card>
    </Stack>
  );
}

type UsageProps = { readonly groups: Groups; readonly range: Range; readonly dimension: Dimension };

/** Chart of the selected usage measure, and table of all usage groups. */
function Usage({ groups, range, dimension }: UsageProps) {
  const { locale } = useKit();
  const words = useWords('metrics');
  const [search, change] = useAddressSearch();
  const pointsOf = usePointsOf(range.interval);
  const measure = measures.find((one) => one === search['measure']) ?? 'units';
  const count = (value: number) => countText(value, locale);
  const nameOf = ({ group: { key, name } }: Group) =>
    key === '' ? words.noGroup : key === 'other' ? words.others : name;
  const points = groups[0]?.points ?? [];
  const point = usePoint('usage', points);
  const series = groups.map((group) => ({
    id: group.group.key,
    label: nameOf(group),
    values: group.points.map((one) => one[measure]),
  }));
  return (
    <>
      <Columns count={2}>
        <GroupField dimensions={dimensions} value={dimension} labels={words.usageBy} />
        <Select
          label={words.measure}
          value={measure}
          options={measures.map((one) => ({ value: one, label: words.usageFigures[one] }))}
          onChange={(value) => change({ measure: value })}
        />
      </Columns>
      <Columns count={4}>
        {figures.map((figure) => (
          <FigureTile
            key={figure}
            label={words.usageFigures[figure]}
            value={count(groups.reduce((sum, group) => sum + total(group, figure), 0))}
          />
        ))}
      </Columns>
      {groups.length === 0 ? (
        <EmptyState title={words.noUsage}>{words.noUsageText}</EmptyState>
      ) : (
        <>
          <BarChart
            label={words.usage}
            points={pointsOf(points)}
            onChoose={point.open}
            series={largest(series, words.others)}
            format={count}
          />
          <Heading level={3}>{words.usageBy[dimension]}</Heading>
          <Table
            label={words.usageBy[dimension]}
            rows={groups}
            rowKey={({ group }) => group.key}
            columns={[
              { id: 'name', title: words.usageBy[dimension], cell: nameOf },
              ...figures.map((figure) => ({
                id: figure,
                title: words.usageFigures[figure],
                align: 'end' as const,
                ...(figure !== 'units' && { priority: 'secondary' as const }),
                cell: (group: Group) => count(total(group, figure)),
              })),
            ]}
          />
        </>
      )}
      {point.opened !== undefined && (
        <UsagePoint point={point.opened} groups={groups} nameOf={nameOf} onClose={point.close} />
      )}
    </>
  );
}

type UsagePointProps = {
  readonly point: Group['points'][number];
  readonly groups: Groups;
  readonly nameOf: (group: Group) => string;
  readonly onClose: () => void;
};

/** Sheet with an interval's usage by group, and its usage events. */
function UsagePoint({ point, groups, nameOf, onClose }: UsagePointProps) {
  const words = useWords('metrics');
  const days = useDaysText();
  return (
    <PointSheet
      title={words.usage}
      days={days(point)}
      facts={groups.flatMap((group) => {
        const own = group.points.find(({ start }) => start === point.start);
        return own === undefined || own.events === 0
          ? []
          : [
              {
                label: nameOf(group),
                value: words.unitsOfEvents({ units: own.units, events: own.events }),
              },
            ];
      })}
      links={[{ label: words.eventsOfDays, href: addressOf('usage', null, daysFilter('time', point)) }]}
      onClose={onClose}
    />
  );
}
