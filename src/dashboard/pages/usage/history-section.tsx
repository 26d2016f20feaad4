import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Badge } from '../../kit/badge.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { useLimitAmount } from '../../parts/limits/amounts.ts';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import { unitOf } from '../../parts/limits/unit-of.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import type { Filters } from './history-filters.tsx';
import { LimitDecimal } from './limit-amount.tsx';
import { UsageLimitHistoryDocument, type UsageLimitHistoryQuery } from './limits.graphql';

const HistoryFilters = lazyPart(() =>
  import('./history-filters.tsx').then((module) => module.HistoryFilters),
);

/** Event types that add rows to the history. */
const liveKinds = ['limit_', 'usage_anomaly'] as const;

type Crossing = UsageLimitHistoryQuery['limitCrossings']['nodes'][number];

/** Event of a crossing: a threshold or the amount was reached, the amount was exceeded, or usage was rejected. */
function What({ crossing: { kind, cause, threshold, excess, limit } }: { readonly crossing: Crossing }) {
  const { crossings: words } = useLimitWords();
  const shown = useLimitAmount({ measure: limit.measure, unit: unitOf(limit) });
  const amount = shown(threshold);
  if (kind === 'threshold') return <Badge>{words.threshold({ amount })}</Badge>;
  if (kind === 'resolved') return <Badge tone="positive">{words.resolved({ amount })}</Badge>;
  if (excess !== null)
    return <Badge tone="negative">{words.overrun({ amount, excess: shown(excess) })}</Badge>;
  if (kind === 'anomaly') return <Badge tone="warning">{words.anomaly({ amount })}</Badge>;
  return cause === 'rejected' ? (
    <Badge tone="negative">{words.rejected({ amount })}</Badge>
  ) : (
    <Badge tone="warning">{words.amount({ amount })}</Badge>
  );
}

/** Customer with the budget, API key, or member whose usage or operations crossed a limit. */
function Who({ crossing: { customer, budget, callerName } }: { readonly crossing: Crossing }) {
  if (customer === null) return callerName;
  return (
    <Stack gap={0}>
      <Link href={addressOf('customer', { id: customer.id }, { tab: 'limits', budget: budget ?? undefined })}>
        {customer.fullName || customer.email}
      </Link>
      {budget !== null && (
        <Text size="sm" code>
          {budget}
        </Text>
      )}
    </Stack>
  );
}

type PageProps = Filters & {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function HistoryPage({ onConnection, ...variables }: PageProps) {
  const words = useLimitWords();
  const { data, error, refetch } = useData(UsageLimitHistoryDocument, { first: 50, ...variables });
  useConnection(data?.limitCrossings, onConnection);
  useRefetchOnEvents({ kinds: liveKinds }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.history}
      rows={data.limitCrossings.nodes}
      rowKey={({ id }) => id}
      empty={words.noHistory}
      columns={[
        {
          id: 'customer',
          title: words.appliesTo,
          cell: (crossing) => <Who crossing={crossing} />,
        },
        { id: 'what', title: words.crossing, cell: (crossing) => <What crossing={crossing} /> },
        { id: 'limit', title: words.limit, cell: ({ limit }) => limitTitle(words, limit) },
        {
          id: 'value',
          title: words.valueThen,
          align: 'end',
          cell: ({ limit, value }) => <LimitDecimal limit={limit} decimal={value} />,
        },
        { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
        {
          id: 'window',
          title: words.windowEnds,
          priority: 'secondary',
          cell: ({ windowEnd }) => (windowEnd === null ? '–' : <DateTime at={windowEnd} />),
        },
      ]}
    />
  );
}

/** History of crossings and rejections, with filters in the URL. */
export function HistorySection() {
  const words = useLimitWords();
  const [search, change] = useAddressSearch();
  const cause = search['cause'] === 'rejected' || search['cause'] === 'amount' ? search['cause'] : null;
  const filters: Filters = {
    customerId: search['customer'] ?? null,
    limitId: search['limit'] ?? null,
    cause,
  };
  return (
    <Section title={words.history} description={words.historyText}>
      <Stack gap={4}>
        <HistoryFilters filters={filters} onChange={change} />
        <PagesOf
          key={JSON.stringify(filters)}
          page={(after, hand) => <HistoryPage {...filters} after={after} onConnection={hand} />}
        />
      </Stack>
    </Section>
  );
}
