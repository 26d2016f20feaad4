import { useState } from 'react';
import { useAction } from '../../../../data/hooks.ts';
import { Button } from '../../../../kit/button.tsx';
import { Stack } from '../../../../kit/layout.tsx';
import { ComboBox } from '../../../../kit/select.tsx';
import { Text } from '../../../../kit/text.tsx';
import { useDraft } from '../../../../kit/use-draft.ts';
import { CatalogFeatureCreateDocument } from '../../../../parts/catalog/commands.graphql';
import type { PoolChoice } from '../../../../parts/catalog/feature-terms.tsx';
import { poolOf } from '../../../../parts/catalog/model/feature-fields.ts';
import type { FeatureDraft, PlanDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import { EditSheet } from '../../parts/edit-sheet.tsx';
import { FeatureFields, noFeature } from '../../parts/feature-form.tsx';
import type { Surroundings } from './catalog-objects.ts';

type Feature = Surroundings['features'][number];

/**
 * Returns the default terms of a feature in a plan. Usage is invoiced if the plan has pools, but not the pool of its consumption
 * model.
 */
function firstTerms(
  { meter, ...feature }: Feature,
  plan: Pick<PlanDraft, 'model'>,
  pools: readonly PoolChoice[],
): FeatureDraft {
  const pool = poolOf({ type: feature.type, settle: null }, plan);
  const isInvoiced = pool !== null && pools.length > 0 && !pools.some(({ asset }) => asset === pool);
  return {
    featureId: feature.id,
    code: feature.code,
    name: feature.name,
    type: feature.type,
    unitName: feature.unitName,
    decimals: meter?.decimals ?? 0,
    enabled: true,
    includedAmount: 0,
    unlimited: false,
    overageEnabled: false,
    unitPrice: null,
    rate: null,
    overrides: [],
    derived: null,
    card: null,
    settle: isInvoiced ? { pool: null } : null,
    cost: null,
    creditsPerUnit: pool === 'credits' && !isInvoiced ? 1 : null,
    pricingMode: 'fixed',
    margin: null,
    typed: {},
  };
}

type FeatureAddSheetProps = {
  readonly draft: PlanDraft;
  readonly features: readonly Feature[];
  /** Pools of the plan. */
  readonly pools: readonly PoolChoice[];
  readonly onAdd: (feature: FeatureDraft) => void;
  readonly onClose: () => void;
};

/** Sheet that selects or creates a feature and adds it to the plan. */
export function FeatureAddSheet({ draft, features, pools, onAdd, onClose }: FeatureAddSheetProps) {
  const { features: words } = useWords('plan');
  const common = useWords('catalog');
  const [isNew, setNew] = useState(features.length === 0);
  const [create, { isRunning, error }] = useAction(CatalogFeatureCreateDocument);
  const made = useDraft(noFeature, {
    send: (values) => create({ input: { ...values, unitName: values.unitName || null } }),
    onDone: ({ featureCreate }) => onAdd(firstTerms(featureCreate, draft, pools)),
  });
  const attached = new Set(draft.features.map(({ featureId }) => featureId));
  const free = features.filter(({ id }) => !attached.has(id));
  const choose = (id: string | null) => {
    const chosen = free.find((feature) => feature.id === id);
    if (chosen !== undefined) onAdd(firstTerms(chosen, draft, pools));
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
