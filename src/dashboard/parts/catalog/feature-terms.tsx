import { RadioGroup, Switch } from '../../kit/choice.tsx';
import { Stack } from '../../kit/layout.tsx';
import { NumberField, RateField } from '../../kit/number-field.tsx';
import { Select } from '../../kit/select.tsx';
import { useWords } from '../../words/words.ts';
import { MarginField, Modifiers } from './derived-fields.tsx';
import { canBePricedByModel, featureFields, poolOf, withSettlement } from './model/feature-fields.ts';
import type { FeatureDraft, PlanDraft } from './model/plan-draft.ts';
import { RateEditor, type SavedCard } from './rate-editor.tsx';

/** Pool from which usage can be deducted, with the name of its unit. */
export type PoolChoice = { readonly asset: string; readonly name: string };

const invoice = 'invoice';

type FeatureTermsProps = {
  readonly plan: Pick<PlanDraft, 'model' | 'isFree'>;
  readonly feature: FeatureDraft;
  readonly onChange: (changes: Partial<FeatureDraft>) => void;
  /** True if the feature can have other prices than a price per unit. Defaults to `false`. */
  readonly hasRates?: boolean;
  /** Pools of the plan. Defaults to the pool of the consumption model. */
  readonly pools?: readonly PoolChoice[];
  /** Saved rate cards. */
  readonly cards?: readonly SavedCard[];
};

/** Fields for the terms that a feature can have, based on its type and the plan's consumption model. */
export function FeatureTerms({
  plan,
  feature,
  onChange,
  hasRates = false,
  pools = [],
  cards,
}: FeatureTermsProps) {
  const { features: words } = useWords('plan');
  const common = useWords('catalog');
  const fields = featureFields(feature, plan);
  const has = (name: (typeof fields)[number]) => fields.includes(name);
  const unit = feature.unitName ?? words.unit;
  const pool = poolOf(feature, plan);
  const poolUnit = pool === 'credits' ? undefined : pools.find(({ asset }) => asset === pool)?.name;
  const isCapped = has('overage') && !feature.overageEnabled;
  const isPriced = has('unitPrice') && !isCapped && !feature.unlimited;
  return (
    <Stack gap={4}>
      <Switch
        isSelected={feature.enabled}
        onChange={(enabled) => onChange({ enabled })}
        help={common.typeTexts[feature.type]}
      >
        {words.enabled}
      </Switch>
      {feature.type === 'usage' && pools.length > 0 && (
        <Select
          label={words.settle}
          help={words.settleHelp}
          value={pool ?? invoice}
          onChange={(value) =>
            value !== (pool ?? invoice) &&
            onChange(withSettlement(feature, plan, value === invoice ? null : value))
          }
          options={[
            { value: invoice, label: words.settleInvoice },
            ...pools.map(({ asset, name }) => ({ value: asset, label: words.settlePool({ name }) })),
          ]}
        />
      )}
      {canBePricedByModel(feature, plan) && (
        <RadioGroup
          label={words.pricing}
          value={feature.pricingMode}
          onChange={(mode) =>
            onChange({
              pricingMode: mode === 'ai_model' ? 'ai_model' : 'fixed',
              derived: null,
              card: null,
              cost: null,
            })
          }
          options={[
            { value: 'fixed', label: words.fixedPrice, help: words.fixedPriceHelp },
            { value: 'ai_model', label: words.modelPrice, help: words.modelPriceHelp },
          ]}
        />
      )}
      {has('unlimited') && (
        <Switch isSelected={feature.unlimited} onChange={(unlimited) => onChange({ unlimited })}>
          {words.unlimited}
        </Switch>
      )}
      {has('includedAmount') && !feature.unlimited && (
        <NumberField
          label={words.includedUnits}
          value={feature.includedAmount}
          minValue={0}
          onChange={(value) => onChange({ includedAmount: Number.isNaN(value) ? 0 : value })}
          after={unit}
        />
      )}
      {has('overage') && !feature.unlimited && (
        <Switch
          isSelected={feature.overageEnabled}
          onChange={(overageEnabled) =>
            onChange({ overageEnabled, ...(overageEnabled && { unitPrice: feature.unitPrice ?? 0 }) })
          }
          help={feature.overageEnabled ? words.overageOn : words.overageOff}
        >
          {words.overage}
        </Switch>
      )}
      {isPriced && hasRates && (
        <RateEditor
          price={{
            unitPrice: feature.unitPrice,
            rate: feature.rate,
            ...(!has('overage') && { derived: feature.derived }),
            ...(feature.type === 'usage' && { card: feature.card }),
          }}
          unit={unit}
          decimals={feature.decimals}
          pool={has('overage') ? null : 'balance'}
          cards={cards}
          onChange={onChange}
        />
      )}
      {has('creditsPerUnit') && hasRates && (
        <RateEditor
          price={{ unitPrice: feature.creditsPerUnit, rate: feature.rate, card: feature.card }}
          unit={unit}
          decimals={feature.decimals}
          pool="credits"
          poolUnit={poolUnit}
          cards={cards}
          onChange={({ unitPrice, rate, card }) =>
            onChange({
              ...(card !== undefined && { card }),
              ...(rate !== undefined && { rate }),
              ...(unitPrice !== undefined && { creditsPerUnit: unitPrice }),
            })
          }
        />
      )}
      {isPriced && !hasRates && (
        <RateField
          label={words.unitPrice}
          currency="usd"
          value={feature.unitPrice}
          onChange={(unitPrice) => onChange({ unitPrice })}
          after={words.perUnit({ unit })}
        />
      )}
      {has('creditsPerUnit') && !hasRates && (
        <NumberField
          label={words.creditsPerUnit}
          value={feature.creditsPerUnit ?? Number.NaN}
          minValue={1}
          onChange={(value) => onChange({ creditsPerUnit: Number.isNaN(value) ? null : value })}
          after={words.perUnit({ unit })}
        />
      )}
      {has('margin') && (
        <MarginField
          label={words.margin}
          margin={feature.margin ?? 0}
          onChange={(margin) =>
            onChange({ margin, ...(feature.derived !== null && { derived: { ...feature.derived, margin } }) })
          }
        />
      )}
      {has('margin') && hasRates && (
        <Modifiers
          modifiers={feature.derived?.modifiers ?? []}
          onChange={(modifiers) =>
            onChange({
              derived: modifiers.length === 0 ? null : { margin: feature.margin ?? 0, modifiers },
            })
          }
        />
      )}
    </Stack>
  );
}
