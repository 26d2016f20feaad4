import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Card, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Page } from '../../kit/page.tsx';
import { EmptyState, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { DateText, Money, RelativeTime } from '../../kit/values.tsx';
import { useDeclineText } from '../../parts/billing/status.tsx';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { DisputesDocument } from './disputes.graphql';
import { PaymentTabs } from './tabs.tsx';

type PartProps = {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function DisputesPart({ after, onConnection }: PartProps) {
  const words = useWords('payments');
  const reasonText = useDeclineText();
  const { data, error, refetch } = useData(DisputesDocument, { after });
  useConnection(data?.disputes, onConnection);
  useRefetchOnEvents({}, refetch);
  if (error !== null) return <DataError error={error} onRetry={refetch} />;
  if (data === null) return <Loading />;
  if (data.disputes.nodes.length === 0 && after === null) return <EmptyState title={words.noDisputes} />;
  return (
    <Card padding="none">
      <Table
        label={words.tabs.disputes}
        rows={data.disputes.nodes}
        rowKey={({ id }) => id}
        columns={[
          {
            id: 'due',
            title: words.disputeDue,
            cell: ({ id, disputeDueBy }) => (
              <Link href={addressOf('payment', { id })}>
                {disputeDueBy !== null && <DateText at={disputeDueBy} />}
              </Link>
            ),
          },
          {
            id: 'left',
            title: words.disputeLeft,
            cell: ({ disputeDueBy }) => disputeDueBy !== null && <RelativeTime at={disputeDueBy} />,
          },
          {
            id: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
          },
          {
            id: 'customer',
            title: words.customer,
            cell: ({ customer }) => customer.fullName || customer.email,
          },
          {
            id: 'reason',
            title: words.reason,
            priority: 'secondary',
            cell: ({ disputeReason }) => disputeReason && reasonText(disputeReason),
          },
          {
            id: 'opened',
            title: words.disputeOpened,
            priority: 'secondary',
            cell: ({ disputedAt }) => disputedAt !== null && <DateText at={disputedAt} />,
          },
        ]}
      />
    </Card>
  );
}

/** Lists open disputes by response deadline. */
export default function DisputesPage() {
  const words = useWords('payments');
  return (
    <Page title={words.tabs.disputes}>
      <Stack gap={4}>
        <PaymentTabs selected="disputes" />
        <PagesOf page={(after, hand) => <DisputesPart after={after} onConnection={hand} />} />
      </Stack>
    </Page>
  );
}
