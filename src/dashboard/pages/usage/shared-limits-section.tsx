import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Callout } from '../../kit/callout.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { LimitDecimal, StoredAmount } from './limit-amount.tsx';
import { UsageSharedLimitsDocument } from './limits.graphql';

/** Event types that change the used amounts. */
const liveKinds = ['limit_', 'usage_'] as const;

type PageProps = {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function SharedPage({ after, onConnection }: PageProps) {
  const words = useLimitWords();
  const { data, error, refetch } = useData(UsageSharedLimitsDocument, { first: 50, after });
  useConnection(data?.limits, onConnection);
  useRefetchOnEvents({ kinds: liveKinds }, refetch);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.sharedLimits}
      rows={data.limits.nodes}
      rowKey={({ id }) => id}
      empty={words.noSharedLimits}
      columns={[
        { id: 'limit', title: words.limit, cell: (limit) => limitTitle(words, limit) },
        { id: 'applies', title: words.appliesTo, cell: ({ plan }) => plan?.name ?? words.customersTogether },
        {
          id: 'action',
          title: words.action,
          priority: 'secondary',
          cell: ({ action, status }) => (status === 'counting' ? words.counting : words.actions[action]),
        },
        {
          id: 'used',
          title: words.usedNow,
          align: 'end',
          cell: (limit) =>
            limit.states.map(({ unit, used }) => <LimitDecimal key={unit} limit={limit} decimal={used} />),
        },
        { id: 'amount', title: words.amount, align: 'end', cell: (limit) => <StoredAmount limit={limit} /> },
      ]}
    />
  );
}

/** Limits of the organization and of plans with the amounts that all customers have used together. */
export function SharedLimitsSection() {
  const words = useLimitWords();
  return (
    <Section title={words.sharedLimits} description={words.sharedText}>
      <PagesOf page={(after, hand) => <SharedPage after={after} onConnection={hand} />} />
    </Section>
  );
}
