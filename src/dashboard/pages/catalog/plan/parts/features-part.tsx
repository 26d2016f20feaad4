import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Badge } from '../../../../kit/badge.tsx';
import { Button } from '../../../../kit/button.tsx';
import { Card, Row } from '../../../../kit/layout.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';
import { Link } from '../../../../kit/link.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { Table } from '../../../../kit/table.tsx';
import { Text } from '../../../../kit/text.tsx';
import { BasisPoints, Count, Rate } from '../../../../kit/values.tsx';
import type { PoolChoice } from '../../../../parts/catalog/feature-terms.tsx';
import { featureFields, poolOf } from '../../../../parts/catalog/model/feature-fields.ts';
import {
  type FeatureDraft,
  type PlanDraft,
  withFeature,
} from '../../../../parts/catalog/model/plan-draft.ts';
import { cardSummary, derivedSummary, rateSummary } from '../../../../parts/catalog/rate-summary.ts';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';

const FeatureSheet = lazyPart(() => import('./feature-sheet.tsx').then((module) => module.FeatureSheet));
const FeatureAddSheet = lazyPart(() =>
  import('./feature-add-sheet.tsx').then((module) => module.FeatureAddSheet),
);

/** Table cell with a feature's included amount. */
function Included({ feature, plan }: { readonly feature: FeatureDraft; readonly plan: PlanDraft }) {
  const { features: words } = useWords('plan');
  const fields = featureFields(feature, plan);
  if (!fields.includes('includedAmount')) return <Text color="faint">–</Text>;
  return feature.unlimited ? <Text>{words.unlimited}</Text> : <Count value={feature.includedAmount} />;
}

/** Table cell with a feature's overage price. */
function Beyond({
  feature,
  plan,
  pools,
}: {
  readonly feature: FeatureDraft;
  readonly plan: PlanDraft;
  readonly pools: readonly PoolChoice[];
}) {
  const { features: words, rate: rates, card: cards } = useWords('plan');
  const { locale } = useKit();
  const pool = poolOf(feature, plan);
  const unit = pool === 'credits' ? undefined : pools.find(({ asset }) => asset === pool)?.name;
  const per = feature.unitName === null ? {} : { per: feature.unitName };
  const fields = featureFields(feature, plan);
  if (fields.includes('creditsPerUnit') && feature.rate === null && feature.card === null)
    return (
      <Text>
        {unit === undefined
          ? words.credits({ count: feature.creditsPerUnit ?? 0 })
          : words.ofUnit({ count: feature.creditsPerUnit ?? 0, name: unit })}
      </Text>
    );
  if (feature.derived !== null && feature.pricingMode === 'fixed')
    return <Text>{derivedSummary(rates, feature.derived, locale)}</Text>;
  if (fields.includes('margin'))
    return (
      <Row gap={1}>
        <Text>{words.byModel}</Text>
        <BasisPoints value={feature.margin ?? 0} />
      </Row>
    );
  const isSold = fields.includes('overage')
    ? feature.overageEnabled && !feature.unlimited
    : fields.includes('unitPrice') || fields.includes('creditsPerUnit');
  if (!isSold) return <Text color="faint">{fields.includes('overage') ? words.stops : '–'}</Text>;
  if (feature.card !== null) return <Text>{cardSummary(cards, feature.card)}</Text>;
  if (feature.rate !== null) return <Text>{rateSummary(rates, feature.rate)}</Text>;
  return <Rate rate={feature.unitPrice ?? 0} currency="usd" {...per} />;
}

/** Lists the features of a plan with their terms. */
export function FeaturesPart({
  draft,
  saved,
  surroundings,
  pools,
  onChange,
}: PartProps & { readonly pools: readonly PoolChoice[] }) {
  const { features: words } = useWords('plan');
  const common = useWords('catalog');
  const [open, setOpen] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const opened = draft.features.find(({ featureId }) => featureId === open);
  const before = new Map(saved.features.map((feature) => [feature.featureId, feature]));
  return (
    <Section
      title={words.title}
      actions={
        <Button icon={<PlusIcon />} isDisabled={!surroundings.isLoaded} onPress={() => setAdding(true)}>
          {words.add}
        </Button>
      }
    >
      <Card padding="none">
        <Table
          label={words.title}
          rows={draft.features}
          rowKey={({ featureId }) => featureId}
          empty={words.empty}
          columns={[
            {
              id: 'name',
              title: common.name,
              cell: (feature) => (
                <Row gap={2}>
                  <Link onPress={() => setOpen(feature.featureId)}>{feature.name}</Link>
                  {!before.has(feature.featureId) && <Badge tone="positive">{words.added}</Badge>}
                  {!feature.enabled && <Badge tone="warning">{words.off}</Badge>}
                </Row>
              ),
            },
            { id: 'type', title: words.type, priority: 'secondary', cell: ({ type }) => common.types[type] },
            {
              id: 'included',
              title: words.included,
              align: 'end',
              cell: (feature) => <Included feature={feature} plan={draft} />,
            },
            {
              id: 'beyond',
              title: draft.model === 'metered' ? words.beyond : words.cost,
              align: 'end',
              cell: (feature) => <Beyond feature={feature} plan={draft} pools={pools} />,
            },
          ]}
        />
      </Card>
      {opened !== undefined && (
        <FeatureSheet
          plan={draft}
          feature={opened}
          surroundings={surroundings}
          pools={pools}
          isSaved={before.has(opened.featureId)}
          onClose={() => setOpen(null)}
          onChange={(changes) => onChange(withFeature(draft, opened.featureId, changes))}
          onRemove={() => {
            setOpen(null);
            onChange({
              ...draft,
              features: draft.features.filter(({ featureId }) => featureId !== opened.featureId),
            });
          }}
        />
      )}
      {isAdding && (
        <FeatureAddSheet
          pools={pools}
          draft={draft}
          features={surroundings.features}
          onClose={() => setAdding(false)}
          onAdd={(feature) => {
            setAdding(false);
            onChange({ ...draft, features: [...draft.features, feature] });
            setOpen(feature.featureId);
          }}
        />
      )}
    </Section>
  );
}
