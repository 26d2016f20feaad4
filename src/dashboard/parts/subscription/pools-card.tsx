import { FactList } from '../../kit/fact-list.tsx';
import { Card } from '../../kit/layout.tsx';
import { Count, Rate } from '../../kit/values.tsx';
import { useCustomerWords } from '../customer-words.ts';
import { useSubscriptionWords } from '../subscription-words.ts';
import type { SubscriptionTermsFragment } from './terms.graphql';

/** Shows the credits or prepaid balance of a subscription. Not shown if the plan has neither. */
export function PoolsCard({
  subscription: { credits, balance },
}: {
  readonly subscription: SubscriptionTermsFragment;
}) {
  const { page: words } = useSubscriptionWords();
  const { credits: terms } = useCustomerWords();
  if (!credits && !balance) return null;
  return (
    <Card title={words.pools}>
      <FactList
        look="grid"
        items={[
          credits && { label: terms.remaining, value: <Count value={credits.remaining} /> },
          credits && { label: terms.included, value: <Count value={credits.included} /> },
          credits && { label: terms.purchased, value: <Count value={credits.purchased} /> },
          balance && {
            label: terms.remaining,
            value: <Rate rate={balance.remaining} currency={balance.currency} />,
          },
          balance && {
            label: terms.included,
            value: <Rate rate={balance.included} currency={balance.currency} />,
          },
        ]}
      />
    </Card>
  );
}
