import { Card } from '../../../../kit/layout.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Table } from '../../../../kit/table.tsx';
import { Count, DateText, Money } from '../../../../kit/values.tsx';
import { useWords } from '../../../../words/words.ts';
import type { PlanEditFragment } from '../edit.graphql';

type ArchivedProps = { readonly prices: PlanEditFragment['archivedPrices'] };

/** Lists archived prices with their number of subscriptions. */
export function ArchivedPrices({ prices }: ArchivedProps) {
  const { prices: words } = useWords('plan');
  const { intervals } = useWords('catalog');
  return (
    <Section title={words.archivedTitle} description={words.archivedText}>
      <Card padding="none">
        <Table
          label={words.archivedTitle}
          rows={prices}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'interval',
              title: words.interval,
              cell: ({ billingInterval }) => intervals[billingInterval],
            },
            {
              id: 'price',
              title: words.price,
              align: 'end',
              cell: ({ price }) => <Money minor={price} currency="usd" />,
            },
            {
              id: 'subscribers',
              title: words.subscriptions,
              align: 'end',
              cell: ({ subscriptionCount }) => <Count value={subscriptionCount} />,
            },
            {
              id: 'since',
              title: words.archivedSince,
              cell: ({ archivedAt }) => archivedAt !== null && <DateText at={archivedAt} />,
            },
          ]}
        />
      </Card>
    </Section>
  );
}
