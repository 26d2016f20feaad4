import { moneyText } from '../../../ui/format/money.ts';
import { boundedCountText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { DateText } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import { HomeFailedDocument, type HomeFailedQuery } from './page.graphql';
import { Person } from './payments-ahead.tsx';

type Failed = HomeFailedQuery['subscriptions']['nodes'][number];

const kinds = ['payment_', 'subscription_'] as const;

/** Lists past-due subscriptions with their next payment retry. Not shown if the list is empty. */
export function FailedPayments() {
  const words = useWords('home').failed;
  const { locale } = useKit();
  const { data, refetch } = useData(HomeFailedDocument, {});
  useRefetchOnEvents({ kinds }, refetch);
  const rows = data?.subscriptions.nodes ?? [];
  if (data === null || rows.length === 0) return null;
  const columns: TableColumn<Failed>[] = [
    { id: 'customer', title: words.customer, cell: ({ customer }) => <Person {...customer} /> },
    {
      id: 'attempts',
      title: words.attempts,
      priority: 'secondary',
      cell: ({ dunning }) =>
        dunning === null
          ? null
          : words.attempt({
              number: dunning.attempts,
              total: dunning.attempts + dunning.attemptsLeft,
            }),
    },
    {
      id: 'next',
      title: words.next,
      priority: 'secondary',
      cell: ({ dunning }) =>
        dunning?.nextAttemptAt == null ? words.noRetry : <DateText at={dunning.nextAttemptAt} />,
    },
    {
      id: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ dunning }) =>
        dunning?.invoice == null
          ? null
          : moneyText(dunning.invoice.amountDue, dunning.invoice.currency, locale),
    },
  ];
  return (
    <Card
      title={words.title}
      padding="none"
      actions={
        <Link href={addressOf('subscriptions', null, { status: 'past_due' })}>
          {words.count({ count: boundedCountText(data.subscriptions.totalCount, locale) })}
        </Link>
      }
    >
      <Table label={words.title} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </Card>
  );
}
