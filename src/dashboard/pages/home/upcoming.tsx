import { addressOf } from '../../address.ts';
import { useHour } from '../../data/clock.ts';
import { useData } from '../../data/hooks.ts';
import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { HomeComingDocument, type HomeComingQuery } from './page.graphql';

type Deadline = HomeComingQuery['upcomingDeadlines']['nodes'][number];

const twoWeeksMs = 14 * 86_400_000;

/** Lists the upcoming events in the next 14 days. */
export function Coming() {
  const hour = useHour();
  const words = useWords('home');
  const until = new Date(hour + twoWeeksMs).toISOString();
  const { data, error, refetch } = useData(HomeComingDocument, { until });
  const columns: TableColumn<Deadline>[] = [
    { id: 'when', title: words.when, cell: ({ dueAt }) => <DateText at={dueAt} /> },
    { id: 'what', title: words.what, cell: ({ kind }) => words.deadlines[kind] },
    {
      id: 'who',
      title: words.who,
      cell: ({ customer, subscription }) => (
        <Link
          kind="text"
          href={
            subscription === null
              ? addressOf('customer', { id: customer.id })
              : addressOf('subscription', { id: subscription.id })
          }
        >
          {[customer.fullName || customer.email, subscription?.plan?.name].filter(Boolean).join(' · ')}
        </Link>
      ),
    },
  ];
  return (
    <Card
      title={words.coming}
      padding="none"
      {...(data !== null && {
        footer: (
          <Text size="sm" color="muted">
            {words.comingMore({
              count: data.upcomingDeadlines.totalCount.value,
              isExact: data.upcomingDeadlines.totalCount.isExact,
            })}
          </Text>
        ),
      })}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {data !== null && (
        <Table
          label={words.coming}
          columns={columns}
          rows={data.upcomingDeadlines.nodes}
          rowKey={({ dueAt, kind, customer, subscription }) =>
            `${dueAt} ${kind} ${subscription?.id ?? customer.id}`
          }
          empty={words.comingNone}
        />
      )}
    </Card>
  );
}
