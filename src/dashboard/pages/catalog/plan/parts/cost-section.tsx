import type { ResultOf } from '../../../../../ui/documents.ts';
import { useData } from '../../../../data/hooks.ts';
import { Stack } from '../../../../kit/layout.tsx';
import { Select } from '../../../../kit/select.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { CostDraft } from '../../../../parts/catalog/model/derived-draft.ts';
import type { FeatureDraft } from '../../../../parts/catalog/model/plan-draft.ts';
import { rateDraftOf, readDraft } from '../../../../parts/catalog/model/rate-draft.ts';
import { modelsFor, rateOfPrice, withModel } from '../../../../parts/catalog/model/rate-table.ts';
import { RateFields, useRateProblems } from '../../../../parts/catalog/rate-fields.tsx';
import { useWords } from '../../../../words/words.ts';
import { CatalogFeatureCostDocument } from '../page.graphql';

type CostSectionProps = {
  readonly planId: string;
  readonly feature: FeatureDraft;
  /** True if the saved plan has the feature, so that the feature can have a cost. */
  readonly isSaved: boolean;
  readonly onChange: (changes: Partial<FeatureDraft>) => void;
};

type Answer = ResultOf<typeof CatalogFeatureCostDocument>['planFeatureCost'];

const costOf = ({ from, rate }: Answer): CostDraft =>
  from !== null ? 'ai_models' : rate === null ? null : rateDraftOf(rate);

/** Edits the cost of a feature. Shows nothing if the service doesn't return the cost, as without the permission `finance`. */
export function CostSection({ planId, feature, isSaved, onChange }: CostSectionProps) {
  const { cost: words, rate: rates } = useWords('plan');
  const { data, error } = useData(
    CatalogFeatureCostDocument,
    { planId, featureId: feature.featureId },
    { isPaused: !isSaved },
  );
  const isDerived = feature.derived !== null;
  const saved = data === null ? null : costOf(data.planFeatureCost);
  const value = feature.cost === null ? saved : feature.cost.value;
  const rate = value === null || value === 'ai_models' ? null : value;
  const problems = useRateProblems(rate === null ? null : readDraft(rate, feature.decimals));
  if (isSaved && (data === null || error !== null)) return null;
  const change = (next: CostDraft) => onChange({ cost: { saved, value: next } });
  const choose = (chosen: string): void => {
    const model = modelsFor(isDerived).find((name) => name === chosen);
    if (model !== undefined) change(rate === null ? rateOfPrice(model, 0) : withModel(rate, model));
    else change(chosen === 'ai_models' ? 'ai_models' : null);
  };
  return (
    <Stack gap={4}>
      <Select
        label={words.title}
        help={words.help}
        value={rate?.model ?? (value === 'ai_models' ? value : 'none')}
        onChange={choose}
        options={[
          { value: 'none', label: words.none },
          ...(feature.type === 'usage' && !isDerived ? [{ value: 'ai_models', label: words.ai_models }] : []),
          ...modelsFor(isDerived).map((name) => ({ value: name, label: rates.models[name] })),
        ]}
      />
      {rate !== null && <RateFields rate={rate} isInCredits={false} onChange={change} problems={problems} />}
      {isDerived && value === null && <Text color="warning">{words.required}</Text>}
    </Stack>
  );
}
