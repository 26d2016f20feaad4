import { shortDateText } from '../../../ui/format/dates.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { useWords } from '../../words/words.ts';
import type { TimeAheadQuery, TimeNextQuery } from './page.graphql';

type Days = TimeAheadQuery['upcomingDeadlineDays'];

export const daysAhead = 60;

const dayMs = 86_400_000;

/** Returns a series per deadline type with the number of deadlines on each of the next days. */
function seriesOf(days: Days, from: Date) {
  const first = Math.floor(from.getTime() / dayMs) * dayMs;
  const kinds = [...new Set(days.map(({ kind }) => kind))];
  const points = Array.from({ length: daysAhead }, (_, index) => new Date(first + index * dayMs));
  const countOf = new Map(days.map(({ day, kind, count }) => [`${kind} ${new Date(day).getTime()}`, count]));
  return {
    points,
    series: kinds.map((kind) => ({
      kind,
      values: points.map((at) => countOf.get(`${kind} ${at.getTime()}`) ?? 0),
    })),
  };
}

type AheadProps = { readonly now: string; readonly days: Days; readonly next: TimeNextQuery };

/** Upcoming deadlines: their number per day, and details of the first deadlines. */
export function Ahead({ now, days, next }: AheadProps) {
  const words = useTimeWords();
  const kinds = useWords('terms').deadline;
  const kit = useKit();
  const { nodes } = next.upcomingDeadlines;
  if (nodes.length === 0)
    return (
      <Card title={words.ahead}>
        <EmptyState title={words.aheadEmpty} />
      </Card>
    );
  const { points, series } = seriesOf(days, new Date(now));
  return (
    <Card title={words.ahead}>
      <Stack gap={5}>
        <Text color="muted">{words.aheadAbout}</Text>
        {days.length > 0 && (
          <BarChart
            label={words.ahead}
            height={180}
            points={points.map((at) => ({ id: at.toISOString(), label: shortDateText(at, kit) }))}
            series={series.map(({ kind, values }) => ({ id: kind, label: kinds[kind], values }))}
            format={(value) => countText(value, kit.locale)}
          />
        )}
        <Table
          label={words.aheadList}
          rows={nodes.slice(0, 12).map((node, index) => ({ node, index }))}
          rowKey={({ index }) => index}
          columns={[
            { id: 'when', title: words.when, cell: ({ node }) => <DateTime at={node.dueAt} /> },
            {
              id: 'who',
              title: words.who,
              cell: ({ node: { customer, subscription } }) => (
                <Link
                  href={
                    subscription === null
                      ? addressOf('customer', { id: customer.id })
                      : addressOf('subscription', { id: subscription.id })
                  }
                >
                  {customer.fullName || customer.email || words.unnamed}
                </Link>
              ),
            },
            {
              id: 'what',
              title: words.items,
              cell: ({ node }) =>
                [kinds[node.kind], node.isWaiting && words.waiting, node.hasFailed && words.failedOnce]
                  .filter(Boolean)
                  .join(', '),
            },
          ]}
        />
      </Stack>
    </Card>
  );
}
