import { Button } from '../../../../kit/button.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { Sheet } from '../../../../kit/sheet.tsx';
import { Text } from '../../../../kit/text.tsx';
import { FeatureTerms, type PoolChoice } from '../../../../parts/catalog/feature-terms.tsx';
import { modelOf } from '../../../../parts/catalog/model/feature-fields.ts';
import type { FeatureDraft, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { OverrideFields } from '../../../../parts/catalog/override-fields.tsx';
import { useWords } from '../../../../words/words.ts';
import type { Surroundings } from './catalog-objects.ts';
import { CostSection } from './cost-section.tsx';

type FeatureSheetProps = {
  readonly plan: PlanDraft;
  readonly feature: FeatureDraft;
  /** True if the saved plan has the feature. */
  readonly isSaved: boolean;
  readonly surroundings: Surroundings;
  readonly pools: readonly PoolChoice[];
  readonly onChange: (changes: Partial<FeatureDraft>) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

/** Sheet that edits the terms of a feature in the plan's draft. */
export function FeatureSheet({
  plan,
  feature,
  isSaved,
  surroundings,
  pools,
  onChange,
  onRemove,
  onClose,
}: FeatureSheetProps) {
  const { features: words } = useWords('plan');
  const common = useWords('catalog');
  return (
    <Sheet
      isOpen
      size="lg"
      onClose={onClose}
      title={feature.name}
      subtitle={common.types[feature.type]}
      actions={
        <>
          <Button kind="quiet" onPress={onRemove}>
            {words.remove}
          </Button>
          <Button kind="primary" onPress={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <FeatureTerms
          plan={plan}
          feature={feature}
          onChange={onChange}
          hasRates
          pools={pools}
          cards={surroundings.rateCards}
        />
        {feature.rate !== null && feature.derived === null && modelOf(feature, plan) !== 'credits' && (
          <OverrideFields
            markets={surroundings.markets}
            currencies={surroundings.currencies}
            base={feature.rate}
            decimals={feature.decimals}
            overrides={feature.overrides}
            onChange={(overrides) => onChange({ overrides })}
          />
        )}
        {feature.type !== 'boolean' && feature.pricingMode === 'fixed' && (
          <CostSection planId={plan.id} feature={feature} isSaved={isSaved} onChange={onChange} />
        )}
        <Text size="sm" color="muted">
          {words.collected}
        </Text>
      </Stack>
    </Sheet>
  );
}
