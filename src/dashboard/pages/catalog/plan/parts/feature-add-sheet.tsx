import { useState } from 'react';
import { ApiError } from '../../../../data/api-error.ts';
import { useAction } from '../../../../data/hooks.ts';
import { Button } from '../../../../kit/button.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { ComboBox } from '../../../../kit/select.tsx';
import { Text } from '../../../../kit/text.tsx';
import { CatalogFeatureCreateDocument } from '../../../../parts/catalog/commands.graphql';
import type { FeatureDraft, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import { EditSheet } from '../../parts/edit-sheet.tsx';
import { FeatureFields, type NewFeature, noFeature } from '../../parts/feature-form.tsx';
import type { Surroundings } from './catalog-objects.ts';

type Feature = Surroundings['features'][number];

/** Returns the default terms of a feature in a plan. */
export function firstTerms(feature: Feature, plan: Pick<PlanDraft, 'model'>): FeatureDraft {
  return {
    featureId: feature.id,
    code: feature.code,
    name: feature.name,
    type: feature.type,
    unitName: feature.unitName,
    enabled: true,
    includedAmount: 0,
    unlimited: false,
    overageEnabled: false,
    unitPrice: null,
    creditsPerUnit: feature.type === 'usage' && plan.model === 'credits' ? 1 : null,
    pricingMode: 'fixed',
    margin: null,
    typed: {},
  };
}

type FeatureAddSheetProps = {
  readonly draft: PlanDraft;
  readonly features: readonly Feature[];
  readonly onAdd: (feature: FeatureDraft) => void;
  readonly onClose: () => void;
};

/** Sheet that selects or creates a feature and adds it to the plan. */
export function FeatureAddSheet({ draft, features, onAdd, onClose }: FeatureAddSheetProps) {
  const { features: words } = useWords('plan');
  const common = useWords('catalog');
  const [made, setMade] = useState<NewFeature | null>(features.length === 0 ? noFeature : null);
  const [create, { isRunning, error }] = useAction(CatalogFeatureCreateDocument);
  const attached = new Set(draft.features.map(({ featureId }) => featureId));
  const free = features.filter(({ id }) => !attached.has(id));
  const choose = (id: string | null) => {
    const chosen = free.find((feature) => feature.id === id);
    if (chosen !== undefined) onAdd(firstTerms(chosen, draft));
  };
  const save = async () => {
    if (made === null) return;
    const result = await create({ input: { ...made, unitName: made.unitName || null } });
    if (!(result instanceof ApiError)) onAdd(firstTerms(result.featureCreate, draft));
  };
  return (
    <EditSheet
      title={words.add}
      onClose={onClose}
      {...(made !== null && { save: words.create, onSave: () => void save(), isRunning, error })}
    >
      {made === null ? (
        <Stack gap={4}>
          <ComboBox
            label={words.choose}
            onChange={choose}
            options={free.map(({ id, name, code, type }) => ({
              value: id,
              label: name,
              help: `${code} · ${common.types[type]}`,
            }))}
          />
          <Text color="muted">{words.orNew}</Text>
          <Button onPress={() => setMade(noFeature)}>{words.makeNew}</Button>
        </Stack>
      ) : (
        <FeatureFields value={made} onChange={setMade} />
      )}
    </EditSheet>
  );
}
