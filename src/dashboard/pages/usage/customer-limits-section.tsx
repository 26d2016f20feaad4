import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { LimitBadges } from '../../parts/limits/limit-badges.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { StoredAmount } from './limit-amount.tsx';
import { UsageCustomerLimitsDocument } from './limits.graphql';

type PageProps = {
  readonly after: string | null;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

function LimitPage({ after, onConnection }: PageProps) {
  const words = useLimitWords();
  const { data, error } = useData(UsageCustomerLimitsDocument, { first: 50, after });
  useConnection(data?.limits, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.customerLimits}
      rows={data.limits.nodes}
      rowKey={({ id }) => id}
      empty={words.noCustomerLimits}
      columns={[
        {
          id: 'customer',
          title: words.customer,
          cell: ({ customer, scope }) =>
            customer !== null && (
              <Stack gap={0}>
                <Link
                  href={addressOf(
                    'customer',
                    { id: customer.id },
                    { tab: 'limits', budget: scope.budget ?? undefined },
                  )}
                >
                  {customer.fullName || customer.email}
                </Link>
                {scope.budget !== null && (
                  <Text size="sm" code>
                    {scope.budget}
                  </Text>
                )}
              </Stack>
            ),
        },
        { id: 'limit', title: words.limit, cell: (limit) => limitTitle(words, limit) },
        {
          id: 'action',
          title: words.action,
          priority: 'secondary',
          cell: (limit) => <LimitBadges limit={limit} />,
        },
        { id: 'amount', title: words.amount, align: 'end', cell: (limit) => <StoredAmount limit={limit} /> },
      ]}
    />
  );
}

/** Limits of single customers and budgets, with links to the customers. */
export function CustomerLimitsSection() {
  const words = useLimitWords();
  return (
    <Section title={words.customerLimits}>
      <PagesOf page={(after, hand) => <LimitPage after={after} onConnection={hand} />} />
    </Section>
  );
}
