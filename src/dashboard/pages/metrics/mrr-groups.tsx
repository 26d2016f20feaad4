import { countryText } from '../../../ui/format/names.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { sumOf } from '../../parts/metrics/rates.ts';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { GroupField, useGroup } from './group-field.tsx';
import { MrrGroupsDocument, type MrrGroupsQuery } from './mrr.graphql';
import type { Range } from './spans.ts';
import { usePointsOf } from './use-chart-values.ts';

const dimensions = ['plan', 'interval', 'country', 'provider', 'currency'] as const;

type Dimension = (typeof dimensions)[number];
type Group = NonNullable<MrrGroupsQuery['metricsMrr'][number]['group']>;

/** Maximum number of groups in the chart. Smaller groups are combined into one. */
const maxShown = 7;

/** Returns a function that returns the name of a group. */
function useGroupName(dimension: Dimension): (group: Group) => string {
  const { locale } = useKit();
  const words = useWords('mrr');
  const intervals: Readonly<Record<string, string>> = useWords('catalog').intervals;
  return ({ key, name }) => {
    if (key === '') return words.noGroup[dimension];
    if (key === 'other') return words.others;
    if (dimension === 'plan' || dimension === 'currency') return name;
    return dimension === 'country' ? countryText(key, locale) : (intervals[key] ?? name);
  };
}

/** Card with MRR by group at the end of each interval. */
export function GroupsCard({ range }: { readonly range: Range }) {
  const words = useWords('mrr');
  const groupBy = useGroup(dimensions);
  // Called before the data loads, because loading the messages later would remove the focus.
  const nameOf = useGroupName(groupBy);
  const { data, error, refetch } = useSeries(MrrGroupsDocument, { ...range, groupBy }, range);
  return (
    <Card
      title={words.groups}
      actions={
        <ExportButton kind="metrics_mrr" label={words.groups} variables={{ filter: { ...range, groupBy } }} />
      }
    >
      <Stack>
        <GroupField dimensions={dimensions} value={groupBy} labels={words.dimensions} />
        {error !== null && <DataError error={error} onRetry={refetch} />}
        {data === null && error === null && <Loading lines={6} />}
        {data !== null && error === null && <Groups series={data.metricsMrr} range={range} nameOf={nameOf} />}
      </Stack>
    </Card>
  );
}

type GroupsProps = {
  readonly series: MrrGroupsQuery['metricsMrr'];
  readonly range: Range;
  readonly nameOf: (group: Group) => string;
};

function Groups({ series, range, nameOf }: GroupsProps) {
  const words = useWords('mrr');
  const pointsOf = usePointsOf(range.interval);
  const money = useRates(range.currency);
  const sizeOf = (values: readonly (number | null)[]) =>
    values.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const named = series
    .flatMap(({ group, points }) => {
      const values = points.map(({ closing }) => closing);
      return group === null ? [] : [{ id: group.key, label: nameOf(group), values, size: sizeOf(values) }];
    })
    .filter(({ size, values }) => size !== 0 || values.includes(null))
    .toSorted((a, b) => b.size - a.size);
  if (named.length === 0) return <EmptyState title={words.none} />;
  const [shown, rest] = [named.slice(0, maxShown), named.slice(maxShown)];
  const others = rest[0]?.values.map((_value, place) =>
    sumOf(rest.map(({ values }) => values[place] ?? null)),
  );
  return (
    <BarChart
      label={words.groups}
      points={pointsOf(series[0]?.points ?? [])}
      series={[...shown, ...(others ? [{ id: 'others', label: words.others, values: others }] : [])]}
      {...money}
    />
  );
}
