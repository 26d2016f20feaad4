import { isCurrency } from '../../../domain/money/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { useData } from '../../data/hooks.ts';
import { FactList } from '../../kit/fact-list.tsx';
import { Card } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Rate } from '../../kit/values.tsx';
import { useCustomerWords } from '../customer-words.ts';
import { useSubscriptionWords } from '../subscription-words.ts';
import { useUnits } from '../units.ts';
import { SubscriptionPoolsDocument } from './pools.graphql';
import type { SubscriptionTermsFragment } from './terms.graphql';

/** Number of credits, or whole amount of the plan's first custom unit with its symbol. */
function Units({ id, value }: { readonly id: string; readonly value: number }) {
  const { locale } = useKit();
  const { data } = useData(SubscriptionPoolsDocument, { id });
  const assets = (data?.subscription.pools ?? []).map(({ asset }) => asset);
  const asset = assets.includes('credits') ? undefined : assets.find((one) => !isCurrency(one));
  const unit = useUnits(asset === undefined ? [] : [asset]).find(({ code }) => code === asset);
  return [countText(value, locale), ...(unit === undefined ? [] : [unit.symbol ?? unit.name])].join(' ');
}

/** Shows the credits or prepaid balance of a subscription. Not shown if the plan has no credits and no balance. */
export function PoolsCard({
  subscription: { id, credits, balance },
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
          credits && { label: terms.remaining, value: <Units id={id} value={credits.remaining} /> },
          credits && { label: terms.included, value: <Units id={id} value={credits.included} /> },
          credits && { label: terms.purchased, value: <Units id={id} value={credits.purchased} /> },
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
