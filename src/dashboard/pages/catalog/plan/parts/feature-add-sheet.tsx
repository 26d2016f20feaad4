import { useState } from 'react';
import { useAction } from '../../../../data/hooks.ts';
import { Button } from '../../../../kit/button.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { ComboBox } from '../../../../kit/select.tsx';
import { Text } from '../../../../kit/text.tsx';
import { useDraft } from '../../../../kit/use-draft.ts';
import { CatalogFeatureCreateDocument } from '../../../../parts/catalog/commands.graphql';
import type { FeatureDraft, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import { EditSheet } from '../../parts/edit-sheet.tsx';
import { FeatureFields, noFeature } from '../../parts/feature-form.tsx';
import type { Surroundings } from './catalog-objects.ts';

type Feature = Surroundings['features'][number];

/** Returns the default terms of a feature in a plan. */
function firstTerms(feature: Feature, plan: Pick<PlanDraft, 'model'>): FeatureDraft {
  return {
    featureId: feature.id,
    code: feature.code,
    name: feature.name,
    type: feature.type,
    unitName: feature.unitName,
    decimals: feature.meter?.decimals ?? 0,
    enabled: true,
    includedAmount: 0,
    unlimited: false,
    overageEnabled: false,
    unitPrice: null,
    rate: null,
    overrides: [],
    derived: null,
    card: null,
    settle: null,
    cost: null,
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
  const [isNew, setNew] = useState(features.length === 0);
  const [create, { isRunning, error }] = useAction(CatalogFeatureCreateDocument);
  const made = useDraft(noFeature, {
    send: (values) => create({ input: { ...values, unitName: values.unitName || null } }),
    onDone: ({ featureCreate }) => onAdd(firstTerms(featureCreate, draft)),
  });
  const attached = new Set(draft.features.map(({ featureId }) => featureId));
  const free = features.filter(({ id }) => !attached.has(id));
  const choose = (id: string | null) => {
    const chosen = free.find((feature) => feature.id === id);
    if (chosen !== undefined) onAdd(firstTerms(chosen, draft));
  };
  return (
    <EditSheet
      title={words.add}
      onClose={onClose}
      {...(isNew && { save: words.create, draft: made, isRunning, error })}
    >
      {!isNew ? (
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
          <Button onPress={() => setNew(true)}>{words.makeNew}</Button>
        </Stack>
      ) : (
        <FeatureFields value={made.values} onChange={made.change} />
      )}
    </EditSheet>
  );
}
