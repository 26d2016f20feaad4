import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { PlanDot } from '../../kit/avatar.tsx';
import { Card, Row } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { useRates } from '../../parts/metrics/amounts.ts';
import { useWords } from '../../words/words.ts';
import { HomeTopDocument, type HomeTopQuery } from './page.graphql';
import { Person } from './payments-ahead.tsx';

type Top = HomeTopQuery['customers']['nodes'][number];

const kinds = ['subscription_'] as const;

/** Lists the customers with the highest recurring revenue. Not shown without revenue. */
export function TopCustomers() {
  const words = useWords('home').top;
  const { data, refetch } = useData(HomeTopDocument, {});
  useRefetchOnEvents({ kinds }, refetch);
  const rows = (data?.customers.nodes ?? []).filter(({ mrr }) => mrr.some(({ amount }) => amount > 0));
  if (rows.length === 0) return null;
  const columns: TableColumn<Top>[] = [
    { id: 'customer', title: words.customer, cell: (customer) => <Person {...customer} /> },
    {
      id: 'plan',
      title: words.plan,
      priority: 'secondary',
      cell: ({ subscription }) =>
        subscription?.plan == null ? null : (
          <Row gap={2} wrap={false}>
            <PlanDot id={subscription.plan.planId} />
            {subscription.plan.name}
          </Row>
        ),
    },
    {
      id: 'mrr',
      title: words.mrr,
      align: 'end',
      cell: ({ mrr }) => mrr.map((each) => <Rate key={each.currency} {...each} />),
    },
  ];
  return (
    <Card
      title={words.title}
      padding="none"
      actions={<Link href={addressOf('customers', null, { sort: '-mrr' })}>{words.all}</Link>}
    >
      <Table label={words.title} columns={columns} rows={rows} rowKey={({ id }) => id} />
    </Card>
  );
}

function Rate({ amount, currency }: { readonly amount: number; readonly currency: CurrencyCode }) {
  return <div>{useRates(currency).format(amount)}</div>;
}
