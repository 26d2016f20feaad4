import { Button } from '../../../../kit/button.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { Sheet } from '../../../../kit/sheet.tsx';
import { Text } from '../../../../kit/text.tsx';
import { FeatureTerms } from '../../../../parts/catalog/feature-terms.tsx';
import type { FeatureDraft, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import type { catalog } from '../../../../words/en/catalog.ts';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';

type FeatureSheetProps = {
  readonly plan: PlanDraft;
  readonly feature: FeatureDraft;
  readonly onChange: (changes: Partial<FeatureDraft>) => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
};

/** The terms of one feature. What is changed here joins the other changes of the plan. */
export function FeatureSheet({ plan, feature, onChange, onRemove, onClose }: FeatureSheetProps) {
  const { features: words } = useWords<typeof planWords>('plan');
  const common = useWords<typeof catalog>('catalog');
  return (
    <Sheet
      isOpen
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
        <FeatureTerms plan={plan} feature={feature} onChange={onChange} />
        <Text size="sm" color="muted">
          {words.collected}
        </Text>
      </Stack>
    </Sheet>
  );
}
