import { countText } from '../../../ui/format/numbers.ts';
import { Columns } from '../../kit/layout.tsx';
import { Meter } from '../../kit/progress.tsx';
import { useKit } from '../../kit/provider.tsx';
import { useSubscriptionWords } from '../subscription-words.ts';
import type { SubscriptionTermsFragment } from './terms.graphql';

/** Shows how much of each included amount is used. Not shown if the plan has no included amounts. */
export function UsageMeters({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { page: words } = useSubscriptionWords();
  const { locale } = useKit();
  const count = (value: number) => countText(value, locale);
  const limited = subscription.features.flatMap((feature) =>
    'usage' in feature && feature.enabled && !feature.usage.unlimited && feature.usage.included > 0
      ? [{ code: feature.code, name: feature.name, ...feature.usage }]
      : [],
  );
  if (limited.length === 0) return null;
  return (
    <Columns count={2} gap={4}>
      {limited.map(({ code, name, current, included }) => (
        <Meter
          key={code}
          label={name}
          share={current / included}
          value={words.usedOf({ used: count(current), included: count(included) })}
        />
      ))}
    </Columns>
  );
}
