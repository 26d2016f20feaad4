import { countText } from '../../../ui/format/numbers.ts';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Rate } from '../../kit/values.tsx';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useTerms } from '../../parts/terms.ts';

type Feature = SubscriptionTermsFragment['features'][number];

const usageOf = (feature: Feature) => ('usage' in feature ? feature.usage : null);

/** Lists the features of a subscription with included amounts, usage, and overage prices. */
export function FeaturesTable({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { page: words } = useSubscriptionWords();
  const terms = useTerms();
  const { locale } = useKit();
  const count = (value: number) => countText(value, locale);
  const included = (feature: Feature) => {
    const usage = usageOf(feature);
    if (usage === null) return feature.enabled ? words.yes : words.no;
    return usage.unlimited ? words.unlimited : count(usage.included);
  };
  const overage = (feature: Feature) => {
    const usage = usageOf(feature);
    if (usage === null || usage.unlimited) return null;
    if (usage.rate !== null) return words.byUnits;
    return usage.overageUnitPrice === null ? (
      words.stops
    ) : (
      <Rate rate={usage.overageUnitPrice} currency={subscription.currency} per={words.perUnit} />
    );
  };
  const columns: TableColumn<Feature>[] = [
    { id: 'name', title: words.feature, cell: ({ name }) => name },
    {
      id: 'type',
      title: words.kind,
      priority: 'secondary',
      cell: ({ type }) => (
        <Text size="sm" color="muted">
          {terms.featureType[type]}
        </Text>
      ),
    },
    { id: 'included', title: words.included, align: 'end', cell: included },
    {
      id: 'used',
      title: words.used,
      align: 'end',
      cell: (feature) => {
        const usage = usageOf(feature);
        return usage && count(usage.current);
      },
    },
    { id: 'overage', title: words.overage, align: 'end', priority: 'secondary', cell: overage },
  ];
  return (
    <Table
      label={words.features}
      rows={subscription.features}
      rowKey={({ code }) => code}
      columns={columns}
    />
  );
}
