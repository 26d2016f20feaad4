import { rateText } from '../../../ui/format/money.ts';
import { percentText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { Badge } from '../../kit/badge.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { FigureTile } from '../../kit/charts/figure-tile.tsx';
import { Card, Columns, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { ExportButton } from '../../lists/export-action.tsx';
import { useRates } from '../../parts/metrics/amounts.ts';
import { Notices } from '../../parts/metrics/notices.tsx';
import { useSeries } from '../../parts/metrics/use-series.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { daysFilter } from './day-filters.ts';
import { GroupField, useGroup } from './group-field.tsx';
import { marginPeriods, marginRows, marginTotals, monthEnd } from './margin-totals.ts';
import { type MarginAmountsFragment, MetricsMarginDocument } from './series.graphql';
import type { Range } from './spans.ts';
import { usePointsOf } from './use-chart-values.ts';

const dimensions = ['feature', 'model', 'plan', 'customer', 'month', 'day'] as const;
const kinds = ['usage_'] as const;

type Dimension = (typeof dimensions)[number];

/** Price, cost and margin of usage over time, and by feature, AI model, plan, customer, month or day. */
export function MarginSection({ range }: { readonly range: Range }) {
  const words = useWords('metrics');
  const groupBy = useGroup(dimensions);
  const { from, to, interval } = range;
  const time = interval === 'day' || interval === 'week' ? 'day' : 'month';
  const variables = { from, to, groupBy, time } as const;
  const { data, error, refetch } = useSeries(MetricsMarginDocument, variables, { ...range, kinds });
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  return (
    <Stack gap={6}>
      <Notices isComplete={data === null || data.margin.every(({ isComplete }) => isComplete)} />
      <Card
        title={words.margin}
        actions={<ExportButton kind="metrics_margin" variables={{ filter: { from, to, groupBy } }} />}
      >
        <Stack>
          <Text as="p">{words.marginText}</Text>
          {data === null ? (
            <Loading lines={16} />
          ) : (
            <Margins groups={data.margin} byTime={data.byTime} time={time} dimension={groupBy} until={to} />
          )}
        </Stack>
      </Card>
    </Stack>
  );
}

type MarginsProps = {
  readonly groups: readonly MarginAmountsFragment[];
  readonly byTime: readonly MarginAmountsFragment[];
  readonly time: 'day' | 'month';
  readonly dimension: Dimension;
  /** Last included day. */
  readonly until: string;
};

/** Totals and chart in US dollars, and a table of all groups in their currencies. */
function Margins({ groups, byTime, time, dimension, until }: MarginsProps) {
  const words = useWords('metrics');
  const { locale } = useKit();
  const usd = useRates('usd');
  const pointsOf = usePointsOf(time);
  const periods = marginPeriods(byTime);
  const totals = marginTotals(byTime);
  if (groups.length === 0)
    return (
      <>
        <GroupField dimensions={dimensions} value={dimension} labels={words.marginBy} />
        <EmptyState title={words.noMargin}>{words.noMarginText}</EmptyState>
      </>
    );
  const amount = (value: number | null, currency: string): string =>
    value === null ? '–' : rateText(value, currency, locale);
  const share = (margin: number | null, price: number): string =>
    margin === null || price === 0 ? '–' : percentText(margin / price, locale);
  const rows = marginRows(groups);
  const currencies = new Set(rows.map(({ currency }) => currency));
  const [only = 'usd'] = currencies;
  const sums = currencies.size === 1 ? marginTotals(groups, only) : null;
  return (
    <>
      <Columns count={4}>
        <FigureTile label={words.marginFigures.price} value={usd.format(totals.price)} />
        <FigureTile label={words.marginFigures.cost} value={usd.format(totals.cost)} />
        <FigureTile label={words.marginFigures.margin} value={usd.format(totals.margin)} />
        <FigureTile label={words.marginFigures.share} value={share(totals.margin, totals.price)} />
      </Columns>
      <BarChart
        label={words.marginInDollars}
        points={pointsOf(periods.map(({ key }) => ({ start: key })))}
        series={[
          { id: 'price', label: words.marginFigures.price, values: periods.map(({ price }) => price) },
          { id: 'cost', label: words.marginFigures.cost, values: periods.map(({ cost }) => 0 - cost) },
        ]}
        {...usd}
      />
      <GroupField dimensions={dimensions} value={dimension} labels={words.marginBy} />
      <Heading level={3}>{words.marginBy[dimension]}</Heading>
      <Table
        label={words.marginBy[dimension]}
        rows={rows}
        rowKey={({ key, currency }) => `${key} ${currency}`}
        columns={[
          {
            id: 'name',
            title: words.marginBy[dimension],
            cell: (row) => (
              <Row gap={2}>
                <GroupName row={row} dimension={dimension} until={until} />
                {row.isBelowCost && <Badge tone="negative">{words.belowCost}</Badge>}
              </Row>
            ),
            ...(sums !== null && { total: words.totals }),
          },
          {
            id: 'price',
            title: words.marginFigures.price,
            align: 'end',
            cell: (row) => amount(row.price, row.currency),
            ...(sums !== null && { total: amount(sums.price, only) }),
          },
          {
            id: 'cost',
            title: words.marginFigures.cost,
            align: 'end',
            priority: 'secondary',
            cell: (row) => amount(row.cost, row.currency),
            ...(sums !== null && { total: amount(sums.cost, only) }),
          },
          {
            id: 'margin',
            title: words.marginFigures.margin,
            align: 'end',
            cell: (row) => amount(row.margin, row.currency),
            ...(sums !== null && { total: amount(sums.margin, only) }),
          },
          {
            id: 'share',
            title: words.marginFigures.share,
            align: 'end',
            priority: 'secondary',
            cell: (row) => share(row.margin, row.price),
            ...(sums !== null && { total: share(sums.margin, sums.price) }),
          },
        ]}
      />
    </>
  );
}

type GroupNameProps = {
  readonly row: { readonly key: string; readonly name: string };
  readonly dimension: Dimension;
  readonly until: string;
};

/** Name of a group with a link to its object, or to the usage events of its days. */
function GroupName({ row: { key, name }, dimension, until }: GroupNameProps) {
  const words = useWords('metrics');
  const pointsOf = usePointsOf(dimension === 'day' ? 'day' : 'month');
  if (key === '') return words.noGroup;
  if (key === 'other') return words.others;
  const href = {
    feature: () => addressOf('features', null, { q: key }),
    model: () => addressOf('aiModels', null, { q: name }),
    plan: () => addressOf('plan', { id: key }),
    customer: () => addressOf('customer', { id: key }),
    day: () => addressOf('usage', null, daysFilter('time', { start: key, end: key })),
    month: () => addressOf('usage', null, daysFilter('time', { start: key, end: monthEnd(key, until) })),
  }[dimension]();
  const isTime = dimension === 'day' || dimension === 'month';
  return <Link href={href}>{isTime ? pointsOf([{ start: key }])[0]?.label : name}</Link>;
}
