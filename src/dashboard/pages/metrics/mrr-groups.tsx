import { countryText } from '../../../ui/format/names.ts';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { DataError } from '../../shell/data-error.tsx';
import type { catalog } from '../../words/en/catalog.ts';
import type { mrr } from '../../words/en/mrr.ts';
import { useWords } from '../../words/words.ts';
import { MrrGroupsDocument, type MrrGroupsQuery } from './mrr.graphql';
import { sumOf } from './mrr.ts';
import type { Range } from './spans.ts';
import { usePointsOf, useRates } from './use-chart-values.ts';

const dimensions = ['plan', 'interval', 'country'] as const;

type Dimension = (typeof dimensions)[number];
type Group = NonNullable<MrrGroupsQuery['metricsMrr'][number]['group']>;

/** The most groups of the chart; the smaller ones are one more. */
const mostShown = 7;

/** Names a group of a dimension. */
function useGroupName(dimension: Dimension): (group: Group) => string {
  const { locale } = useKit();
  const words = useWords<typeof mrr>('mrr');
  const intervals: Readonly<Record<string, string>> = useWords<typeof catalog>('catalog').intervals;
  return ({ key, name }) => {
    if (key === '') return words.noGroup[dimension];
    if (key === 'other') return words.others;
    if (dimension === 'plan') return name;
    return dimension === 'country' ? countryText(key, locale) : (intervals[key] ?? name);
  };
}

/** Monthly recurring revenue by plan, interval or country, at the end of each point. */
export function GroupsCard({ range }: { readonly range: Range }) {
  const words = useWords<typeof mrr>('mrr');
  const [search, change] = useAddressSearch();
  const groupBy = dimensions.find((one) => one === search['by']) ?? 'plan';
  const { data, error, refetch } = useData(MrrGroupsDocument, { ...range, groupBy });
  return (
    <Card title={words.groups}>
      <Stack>
        <Select
          label={words.groupBy}
          value={groupBy}
          options={dimensions.map((one) => ({ value: one, label: words.dimensions[one] }))}
          onChange={(value) => change({ by: value })}
        />
        {error !== null && <DataError error={error} onRetry={refetch} />}
        {data === null && error === null && <Loading lines={6} />}
        {data !== null && error === null && (
          <Groups series={data.metricsMrr} range={range} dimension={groupBy} />
        )}
      </Stack>
    </Card>
  );
}

type GroupsProps = {
  readonly series: MrrGroupsQuery['metricsMrr'];
  readonly range: Range;
  readonly dimension: Dimension;
};

function Groups({ series, range, dimension }: GroupsProps) {
  const words = useWords<typeof mrr>('mrr');
  const nameOf = useGroupName(dimension);
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
  const [shown, rest] = [named.slice(0, mostShown), named.slice(mostShown)];
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
